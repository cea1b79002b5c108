// Time of work: what passed since the turn began, less the stretches in which it waited.

export function worked(ms, waits) {
  return waits.reduce((left, wait) => left - Math.max(Math.min(ms, wait.until ?? ms) - wait.ms, 0), ms);
}

// The wait that begins with a step, if one does.
export function waitAfter(step, waits) {
  return waits.find((wait) => wait.after >= step.first && wait.after <= step.last);
}

const FOR = {
  reply: ["waits for a reply", "waited for a reply"],
  yes: ["waits for a yes", "waited for a yes"],
  nothing: ["nobody runs it", "nobody ran it"],
};

export const waitWords = (wait) => FOR[wait.for][wait.until === null ? 0 : 1];
