import assert from "node:assert/strict";
import { test } from "node:test";

import { ACCEPTED, bytesIn, chosen, nameOf, sizeOf, typeOf } from "../../static/chat/files.js";

const LIMITS = { most: 3, largest: 5 * 1024 * 1024 };
const file = (name, size = 10, type = "") => ({ name, size, type });

test("a file is known by the ending of its name, whatever the browser makes of it", () => {
  assert.equal(typeOf(file("a.PDF")), "application/pdf");
  assert.equal(typeOf(file("notes.md", 1, "application/octet-stream")), "text/markdown");
  assert.equal(typeOf(file("photo.jpeg", 1, "image/jpeg")), "image/jpeg");
  assert.equal(typeOf(file("run.exe", 1, "application/pdf")), null);
  assert.equal(typeOf(file("page.html", 1, "text/html")), null);
});

test("a picture from the clipboard has no name and is known by its type", () => {
  const pasted = file("", 10, "image/png");
  assert.equal(typeOf(pasted), "image/png");
  assert.equal(nameOf(pasted), "file.png");
});

test("the chooser offers what may be added and nothing else", () => {
  assert.ok(ACCEPTED.split(",").includes(".md"));
  assert.ok(ACCEPTED.includes("image/png"));
  assert.ok(!ACCEPTED.includes("*"));
});

test("of many files those that fit are taken, and the first that does not is told", () => {
  const many = [file("a.pdf"), file("b.exe"), file("c.txt"), file("d.md"), file("e.png")];
  const { taken, problem } = chosen(many, 0, LIMITS);
  assert.deepEqual(taken.map(({ name }) => name), ["a.pdf", "c.txt", "d.md"]);
  assert.match(problem, /“b.exe” was not added: only PDF, text, Markdown, PNG and JPEG/);
});

test("files that are there already count", () => {
  const { taken, problem } = chosen([file("a.pdf"), file("b.pdf")], 2, LIMITS);
  assert.equal(taken.length, 1);
  assert.match(problem, /“b.pdf” was not added: .*no more files/);
});

test("five megabytes are the most, and an empty file says nothing", () => {
  assert.equal(chosen([file("a.pdf", LIMITS.largest)], 0, LIMITS).problem, "");
  assert.match(chosen([file("a.pdf", LIMITS.largest + 1)], 0, LIMITS).problem, /larger than 5 MB/);
  assert.match(chosen([file("a.txt", 0)], 0, LIMITS).problem, /it is empty/);
});

test("a name is cut before its end, and has no sign that the server refuses", () => {
  const long = nameOf(file(`${"a".repeat(200)}.pdf`));
  assert.equal([...long].length, 120);
  assert.ok(long.endsWith("aaaaaaaa.pdf"));
  assert.equal(nameOf(file("in\\voice\n.pdf")), "in_voice_.pdf");
  assert.equal(nameOf(file("👍.pdf")), "👍.pdf");
});

test("sizes are short and have a unit", () => {
  assert.equal(sizeOf(640), "640 B");
  assert.equal(sizeOf(12_300), "12 KB");
  assert.equal(sizeOf(1_500_000), "1.4 MB");
});

test("base64 tells how many bytes it stands for", () => {
  for (const size of [0, 1, 2, 3, 1000]) {
    assert.equal(bytesIn(Buffer.alloc(size).toString("base64")), size);
  }
});
