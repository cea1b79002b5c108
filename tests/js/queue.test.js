import assert from "node:assert/strict";
import { test } from "node:test";

import { actionFor, after, open } from "../../static/tracing/queue_keys.js";

const NEEDED = { digits: [1, 2, 3, 4, 5, 6, 7], answered: false };
const GROUNDED = { digits: [1, 2, 3, 4, 5], answered: false };
const CORRECT = { digits: [1, 2, 3, 4], answered: false };
const ROWS = [NEEDED, GROUNDED, CORRECT];
const answered = (row) => ({ ...row, answered: true });

test("a digit gives the answer of the question that one stands at", () => {
  for (const digit of [1, 4, 7]) {
    assert.deepEqual(actionFor(String(digit), { rows: ROWS, row: 0 }), { do: "choose", row: 0, digit });
  }
  assert.deepEqual(actionFor("5", { rows: ROWS, row: 1 }), { do: "choose", row: 1, digit: 5 });
});

test("a digit that the question does not have does nothing", () => {
  assert.equal(actionFor("7", { rows: ROWS, row: 1 }), null);
  assert.equal(actionFor("5", { rows: ROWS, row: 2 }), null);
  assert.equal(actionFor("8", { rows: ROWS, row: 0 }), null);
  assert.equal(actionFor("0", { rows: ROWS, row: 0 }), null);
});

test("a digit from nowhere goes to the first open question", () => {
  assert.deepEqual(actionFor("2", { rows: ROWS }), { do: "choose", row: 0, digit: 2 });
  const rows = [answered(NEEDED), GROUNDED, CORRECT];
  assert.deepEqual(actionFor("2", { rows }), { do: "choose", row: 1, digit: 2 });
  const all = ROWS.map(answered);
  assert.deepEqual(actionFor("2", { rows: all }), { do: "choose", row: 0, digit: 2 });
  assert.equal(actionFor("2", { rows: [] }), null);
});

test("up and down lead to another question and stop at the ends", () => {
  const moves = [["ArrowDown", 0, 1], ["ArrowDown", 2, 2], ["ArrowUp", 2, 1], ["ArrowUp", 0, 0], ["ArrowDown", -1, 0], ["ArrowUp", -1, 2]];
  for (const [key, row, to] of moves) assert.deepEqual(actionFor(key, { rows: ROWS, row }), { do: "row", row: to });
  assert.equal(actionFor("ArrowDown", { rows: [], row: -1 }), null);
});

test("left and right stay with the browser, which moves between answers", () => {
  assert.equal(actionFor("ArrowLeft", { rows: ROWS, row: 0 }), null);
  assert.equal(actionFor("ArrowRight", { rows: ROWS, row: 0 }), null);
  assert.equal(actionFor("Tab", { rows: ROWS, row: 0 }), null);
});

test("letters have their meaning in both cases", () => {
  const meanings = { s: "skip", u: "undo", n: "note", m: "marks", g: "path", j: "log", "?": "help" };
  for (const [key, name] of Object.entries(meanings)) {
    assert.deepEqual(actionFor(key, { rows: ROWS }), { do: name });
    assert.deepEqual(actionFor(key.toUpperCase(), { rows: ROWS }), { do: name });
  }
  for (const key of ["a", "x", "Escape", "F1", "Shift", " "]) assert.equal(actionFor(key, { rows: ROWS }), null);
});

test("enter is done, but on a button it presses the button", () => {
  assert.deepEqual(actionFor("Enter", { rows: ROWS, row: 0 }), { do: "done" });
  assert.equal(actionFor("Enter", { rows: ROWS, pressing: true }), null);
});

test("while somebody types no key means anything but the way out", () => {
  for (const key of ["s", "u", "1", "7", "?", "g", "Enter", "ArrowDown"]) {
    assert.equal(actionFor(key, { rows: ROWS, row: 0, typing: true }), null);
  }
  assert.deepEqual(actionFor("Escape", { typing: true }), { do: "leave" });
  assert.deepEqual(actionFor("Enter", { typing: true, held: true }), { do: "done" });
});

test("a key that is held with another, and one above an open sheet, is the browser's", () => {
  for (const key of ["s", "u", "1", "Enter", "?"]) {
    assert.equal(actionFor(key, { rows: ROWS, row: 0, held: true }), null);
    assert.equal(actionFor(key, { rows: ROWS, row: 0, open: true }), null);
  }
});

test("after an answer the next open question comes, and the last one stays", () => {
  assert.equal(after([answered(NEEDED), GROUNDED, CORRECT], 0), 1);
  assert.equal(after([answered(NEEDED), answered(GROUNDED), CORRECT], 0), 2);
  assert.equal(after(ROWS.map(answered), 1), 1);
  assert.equal(after([NEEDED, answered(GROUNDED), answered(CORRECT)], 2), 2);
});

test("the first open question is known, and that there is none", () => {
  assert.equal(open(ROWS), 0);
  assert.equal(open([answered(NEEDED), GROUNDED, CORRECT]), 1);
  assert.equal(open(ROWS.map(answered)), -1);
  assert.equal(open([]), -1);
});
