// Times and stages in plain words. Pure, so that they can be tested without a page.

/** A duration for a person: 320 ms, 2.4 s, 75 s. */
export function timeOf(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}

/** A running clock: always in seconds, so that its unit does not flicker. */
export function clockOf(ms) {
  return ms < 10_000 ? `${(Math.floor(ms / 100) / 10).toFixed(1)} s` : `${Math.floor(ms / 1000)} s`;
}

/** Stages as a person reads them: neighbours that say the same are one line. */
export function readableStages(stages) {
  const lines = [];
  for (const { label, ms } of stages) {
    const last = lines.at(-1);
    if (last?.label === label) {
      last.ms = ms === null || last.ms === null ? null : last.ms + ms;
    } else {
      lines.push({ label, ms });
    }
  }
  return lines;
}

const WITHOUT_ANSWER = new Set(["interrupted", "model_failed", "control_failed", "step_limit"]);

/** How the status line sums up a turn that is over. */
export function summaryOf({ termination, ms }) {
  const ended = WITHOUT_ANSWER.has(termination) ? "Ended" : "Done";
  return { word: termination === "user_stop" ? "Stopped" : ended, time: timeOf(ms) };
}

/** New text of a draft as paragraphs: the first goes on where the last one stood. */
export function paragraphsOf(text) {
  return text.split(/\n{2,}/);
}

/** Cut off an end that the next words may still change: line breaks, or half a marker. */
export function readyPart(text) {
  const whole = text.replace(/(?:\n+|\[\d{0,3})$/, "");
  return { whole, rest: text.slice(whole.length) };
}
