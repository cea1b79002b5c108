// The reducer: frames of a turn in, what a person sees out. The twin of the server's
// chat/contracts/turn_view.py; both are held against the same cases by the tests.

export const VERSION = 1;

const USER_TYPES = new Set([
  "turn_started", "stage", "token", "draft_withdrawn", "clarification", "action", "tool",
  "answer", "error", "turn_finished",
]);

const USING_A_TOOL = "Using a tool";
const GOING_ON = "Reading your reply";

const CHANGES = {
  turn_started: (view, data) => ({ question: data.question }),
  stage: staged,
  token: (view, data) => ({ draft: draftAfter(view.draft, data) }),
  draft_withdrawn: (view, data) => ({ draft: "", withdrawn: data.why }),
  clarification: (view, data) => ({ clarification: data }),
  action: (view, data) => ({ action: data }),
  tool: (view, data) => ({
    stages: tooled(view.stages, data), tools: [...view.tools, data],
  }),
  answer: (view, data) => ({ answer: data, ...putAway(view) }),
  error: (view, data) => ({ failure: data }),
  turn_finished: (view, data) => ({ finished: data, ...putAway(view) }),
};

export function emptyView() {
  return {
    seq: 0, question: "", stages: [], draft: "", withdrawn: "", clarification: null,
    action: null, paused: "", exchanges: [], tools: [], answer: null, failure: null,
    finished: null,
  };
}

/** The turn does nothing until the person replies. */
export function waits(view) {
  return Boolean(view.clarification || view.action);
}

/** One step: a frame at or below the view's `seq` was seen before and changes nothing. */
export function apply(view, frame) {
  if (frame.seq <= view.seq || !USER_TYPES.has(frame.type)) return view;
  return { ...view, ...CHANGES[frame.type](view, frame.data), seq: frame.seq };
}

export function fold(frames, view = emptyView()) {
  return frames.reduce(apply, view);
}

/** The answer if there is one, else the draft as it stands. */
export function textOf(view) {
  return view.answer ? view.answer.text : view.draft;
}

/** True if the frame's place in the draft is beyond its end: a part is missing before it. */
export function leavesHole(view, frame) {
  return frame.type === "token" && frame.seq > view.seq
    && frame.data.offset > lengthOf(view.draft);
}

/** A node's boundary. One that waited keeps its line until it leaves. */
function staged(view, { node, phase, label, ms }) {
  const isPaused = node === view.paused;
  if (phase === "paused") {
    return { stages: left(view.stages, { node, label, ms: null }), paused: node };
  }
  if (phase === "enter" && isPaused) {
    return { ...putAway(view), stages: left(view.stages, { node, label: GOING_ON, ms: null }) };
  }
  if (phase === "enter") return { stages: [...view.stages, { node, label, ms: null }] };
  const stages = left(view.stages, { node, label, ms });
  return isPaused ? { ...putAway(view, label), stages, paused: "" } : { stages };
}

/** Nothing waits any more: what was asked stands among the exchanges, at last with its label. */
function putAway({ clarification, action, exchanges }, label = "") {
  const asked = [clarification?.question, action?.summary].filter((words) => words !== undefined);
  const told = [...exchanges, ...asked.map((words) => [words, ""])];
  if (label && told.at(-1)?.[1] === "") told.push([told.pop()[0], label]);
  return { clarification: null, action: null, exchanges: told };
}

/** A tool's line among the stages: its summary, and its time once the tool is done. */
function tooled(lines, { tool, summary, ms }) {
  const line = { node: `tool:${tool}`, label: summary || USING_A_TOOL, ms };
  const after = ms === null ? lines : left(lines, line);
  return after === lines ? [...lines, line] : after;
}

/** Put a line in the place of the last open one of its node, if there is one. */
function left(lines, line) {
  const index = lines.findLastIndex((open) => open.node === line.node && open.ms === null);
  return index < 0 ? lines : lines.with(index, line);
}

function draftAfter(draft, token) {
  const length = lengthOf(draft);
  if (token.offset > length) return draft;
  return draft + [...token.text].slice(length - token.offset).join("");
}

/** Characters as the server counts them: code points, not UTF-16 units. */
function lengthOf(text) {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
