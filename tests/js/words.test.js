import assert from "node:assert/strict";
import { test } from "node:test";

import {
  clockOf, paragraphsOf, readableStages, readyPart, summaryOf, timeOf, untilOf, waitingFor,
} from "../../static/chat/words.js";

test("times are short and have a unit", () => {
  assert.equal(timeOf(0.4), "0 ms");
  assert.equal(timeOf(320), "320 ms");
  assert.equal(timeOf(2_430), "2.4 s");
  assert.equal(timeOf(75_400), "75 s");
});

test("a running clock counts in seconds from the start", () => {
  assert.equal(clockOf(40), "0.0 s");
  assert.equal(clockOf(9_960), "9.9 s");
  assert.equal(clockOf(10_900), "10 s");
});

test("neighbours that say the same are one line with their times added", () => {
  const lines = readableStages([
    { node: "screen_input", label: "Reading", ms: 2 },
    { node: "enhance_query", label: "Reading", ms: 3 },
    { node: "retrieve", label: "Looking", ms: null },
  ]);
  assert.deepEqual(lines, [{ label: "Reading", ms: 5 }, { label: "Looking", ms: null }]);
});

test("a merged line runs until its last part has left", () => {
  const [line] = readableStages([
    { node: "screen_input", label: "Reading", ms: 2 },
    { node: "enhance_query", label: "Reading", ms: null },
  ]);
  assert.equal(line.ms, null);
});

test("the sum says whether there was an answer", () => {
  assert.equal(summaryOf({ termination: "answered", ms: 2_400 }).word, "Done");
  assert.equal(summaryOf({ termination: "off_topic", ms: 10 }).word, "Done");
  assert.equal(summaryOf({ termination: "user_stop", ms: 10 }).word, "Stopped");
  assert.equal(summaryOf({ termination: "interrupted", ms: 10 }).word, "Ended");
});

test("a turn that was set aside or got no reply is not called done", () => {
  assert.equal(summaryOf({ termination: "superseded", ms: 10 }).word, "Set aside");
  assert.equal(summaryOf({ termination: "clarification_expired", ms: 10 }).word, "No reply came");
});

test("nothing is summed up beside help in a crisis", () => {
  assert.deepEqual(summaryOf({ termination: "crisis", ms: 10 }), { word: "", time: "" });
});

test("the end of a wait is told as near as it is", () => {
  const now = new Date(2026, 10, 30, 14, 0);
  assert.equal(untilOf(new Date(2026, 10, 30, 14, 30), now), "14:30");
  assert.equal(untilOf(new Date(2026, 11, 1, 9, 5), now), "tomorrow 09:05");
  assert.equal(untilOf(new Date(2026, 11, 2, 0, 0), now), "2 December, 00:00");
});

test("what is waited for is told, and what it is about is read out", () => {
  const clarification = { question: "Which plan?" };
  assert.deepEqual(waitingFor({ clarification, action: null }), {
    words: "Waiting for your reply", spoken: "Waiting for your reply: Which plan?",
  });
  const action = { summary: "Open a ticket" };
  assert.deepEqual(waitingFor({ clarification: null, action }), {
    words: "Waiting for your yes or no", spoken: "Waiting for your yes or no: Open a ticket",
  });
});

test("what the next words may change is held back", () => {
  assert.deepEqual(readyPart("Five days\n\n"), { whole: "Five days", rest: "\n\n" });
  assert.deepEqual(readyPart("Five days ["), { whole: "Five days ", rest: "[" });
  assert.deepEqual(readyPart("Five days [12"), { whole: "Five days ", rest: "[12" });
  assert.deepEqual(readyPart("Five days [1]"), { whole: "Five days [1]", rest: "" });
  assert.deepEqual(readyPart("\n"), { whole: "", rest: "\n" });
});

test("held and ready parts always add up to the text", () => {
  for (const text of ["", "[", "a[1", "a\n[", "[1][2", "x [1234", "a\n\nb\n"]) {
    const { whole, rest } = readyPart(text);
    assert.equal(whole + rest, text);
  }
});

test("an empty line parts paragraphs, a single break does not", () => {
  assert.deepEqual(paragraphsOf("a\nb\n\nc\n\n\nd"), ["a\nb", "c", "d"]);
});
