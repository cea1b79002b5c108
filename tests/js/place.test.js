// The address of a step, read and written.

import assert from "node:assert/strict";
import { test } from "node:test";

import { asked, hashOf } from "../../static/tracing/place.js";

const at = (hash, search = "") => asked("seq", { hash, search });

test("a step stands in the address by name, alone, or in the query", () => {
  for (const found of [at("#seq=25"), at("#25"), at("", "?step=25")]) {
    assert.deepEqual(found, { place: 25, tab: undefined });
  }
});

test("a tab stands beside it", () => {
  assert.deepEqual(at("#seq=7&tab=raw"), { place: 7, tab: "raw" });
  assert.deepEqual(at("", "?step=7&tab=calls"), { place: 7, tab: "calls" });
});

test("what is no step leads nowhere", () => {
  for (const hash of ["", "#", "#main", "#seq=", "#seq=-3", "#seq=x", "#seq=12345678901", "#place=4"]) {
    assert.equal(at(hash).place, undefined, hash);
  }
});

test("the first tab is not written", () => {
  assert.equal(hashOf("seq", 25, "changed"), "#seq=25");
  assert.equal(hashOf("seq", 25), "#seq=25");
  assert.equal(hashOf("place", 3, "raw"), "#place=3&tab=raw");
});

test("what is written is read back", () => {
  for (const tab of ["raw", "controls"]) {
    assert.deepEqual(at(hashOf("seq", 41, tab)), { place: 41, tab });
  }
});
