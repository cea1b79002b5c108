// The page's reducer against the views that the server's reducer made of the same frames.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { apply, emptyView, fold, leavesHole, textOf, waits } from "../../static/chat/protocol.js";

const file = process.env.CASES ?? new URL("./cases.json", import.meta.url);
const cases = JSON.parse(readFileSync(file, "utf8"));

for (const { name, frames, views } of cases) {
  test(name, () => {
    let view = emptyView();
    frames.forEach((frame, index) => {
      view = apply(view, frame);
      assert.deepEqual(view, views[index], `after frame ${index}`);
    });
    assert.deepEqual(fold(frames), view);
  });
}

const token = (seq, offset, text) => ({ seq, type: "token", data: { offset, text } });

test("a reducer step leaves the earlier view as it was", () => {
  const before = fold([token(1, 0, "Five")]);
  apply(before, token(2, 4, " days"));
  assert.equal(before.draft, "Five");
});

test("a hole is seen before the frame is folded in", () => {
  const view = fold([token(1, 0, "👍")]);
  assert.equal(leavesHole(view, token(2, 1, "x")), false);
  assert.equal(leavesHole(view, token(2, 2, "x")), true);
  assert.equal(leavesHole(view, token(1, 2, "x")), false, "a frame that was seen is no hole");
});

test("the answer takes the draft's place", () => {
  const view = fold([token(1, 0, "Draft"), { seq: 2, type: "answer", data: { text: "Answer" } }]);
  assert.equal(textOf(view), "Answer");
});

test("a frame of a type that is not known changes nothing", () => {
  const view = fold([token(1, 0, "Five")]);
  assert.equal(apply(view, { seq: 2, type: "novelty", data: {} }), view);
});

test("a turn waits until it goes on, and not after its end", () => {
  const stage = (seq, phase) => ({ seq, type: "stage", data: { node: "n", phase, label: "L", ms: null } });
  const asked = fold([
    stage(1, "enter"), { seq: 2, type: "clarification", data: { question: "Which?", options: [] } },
    stage(3, "paused"),
  ]);
  assert.equal(waits(asked), true);
  assert.equal(waits(apply(asked, stage(4, "enter"))), false);
  assert.equal(waits(apply(asked, { seq: 4, type: "turn_finished", data: {} })), false);
});
