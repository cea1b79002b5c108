// The reducer: frames of a turn in, what a person sees out. The twin of the server's
// chat/contracts/turn_view.py; both are held against the same cases by the tests.

export const VERSION = 1;

const USER_TYPES = new Set([
  "turn_started", "stage", "token", "draft_withdrawn", "clarification", "action", "tool",
  "answer", "error", "turn_finished",
]);

const CHANGES = {
  turn_started: (view, data) => ({ question: data.question }),
  stage: (view, data) => ({ stages: stagesAfter(view.stages, data) }),
  token: (view, data) => ({ draft: draftAfter(view.draft, data) }),
  draft_withdrawn: (view, data) => ({ draft: "", withdrawn: data.why }),
  clarification: (view, data) => ({ clarification: data }),
  action: (view, data) => ({ action: data }),
  tool: (view, data) => ({ tools: [...view.tools, data] }),
  answer: (view, data) => ({ answer: data, clarification: null, action: null }),
  error: (view, data) => ({ failure: data }),
  turn_finished: (view, data) => ({ finished: data, clarification: null, action: null }),
};

export function emptyView() {
  return {
    seq: 0, question: "", stages: [], draft: "", withdrawn: "", clarification: null,
    action: null, tools: [], answer: null, failure: null, finished: null,
  };
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

function stagesAfter(lines, stage) {
  if (stage.phase === "enter") {
    return [...lines, { node: stage.node, label: stage.label, ms: null }];
  }
  const index = lines.findLastIndex((line) => line.node === stage.node && line.ms === null);
  if (index < 0) return lines;
  return lines.with(index, { node: stage.node, label: stage.label, ms: stage.ms });
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
