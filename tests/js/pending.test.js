import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Pending } from "../../static/chat/pending.js";

const ASK = { type: "ask", text: "Why?", client_id: "c" };
let kept;
let pending;

beforeEach(() => {
  kept = {};
  pending = new Pending({ remember: (kind, value) => { kept[kind] = value; } });
});

test("an ask is kept for a reload until the server has it", () => {
  pending.begin(ASK);
  assert.deepEqual(kept.ask, ASK);
  pending.confirm();
  assert.equal(kept.ask, null);
  assert.equal(pending.frame, null);
});

test("files are not kept, and that they are missing is", () => {
  pending.begin({ ...ASK, attachments: [{ name: "a.pdf", data: "QQ==" }] });
  assert.deepEqual(kept.ask, { ...ASK, lost: 1 });
});

test("what is taken back comes with what undoes it, once", () => {
  const undo = () => {};
  pending.begin(ASK, undo);
  assert.deepEqual(pending.takeBack(), { frame: ASK, undo });
  assert.deepEqual(pending.takeBack(), { frame: null, undo: null });
});

test("only what a repeat does not do twice goes out again", () => {
  const sent = [];
  const socket = { send: (frame) => sent.push(frame) };
  pending.sendOver(socket);
  pending.begin({ type: "regenerate", turn: "t" });
  pending.sendOver(socket);
  pending.begin(ASK);
  pending.sendOver(socket);
  assert.deepEqual(sent, [ASK]);
});
