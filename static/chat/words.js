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

const SUMMARIES = {
  user_stop: "Stopped",
  superseded: "Set aside",
  clarification_expired: "No reply came",
  interrupted: "Ended",
  model_failed: "Ended",
  control_failed: "Ended",
  step_limit: "Ended",
};

/** How the status line sums up a turn that is over. Beside help in a crisis it says nothing. */
export function summaryOf({ termination, ms }) {
  if (termination === "crisis") return { word: "", time: "" };
  return { word: SUMMARIES[termination] ?? "Done", time: timeOf(ms) };
}

/** What the status line says of a turn that waits for the person, and what is read out. */
export function waitingFor({ clarification, action }) {
  if (clarification) {
    const words = "Waiting for your reply";
    return { words, spoken: `${words}: ${clarification.question}` };
  }
  const words = "Waiting for your yes or no";
  return { words, spoken: `${words}: ${action.summary}` };
}

const LOCALE = "en-GB"; // the language of the page's own words

/** Until when something waits: 14:30, tomorrow 09:15, or 30 November, 14:30. */
export function untilOf(end, now) {
  const clock = end.toLocaleTimeString(LOCALE, {
    hour: "2-digit", minute: "2-digit", hourCycle: "h23",
  });
  const days = Math.round((midnightOf(end) - midnightOf(now)) / 86_400_000);
  if (days === 0) return clock;
  if (days === 1) return `tomorrow ${clock}`;
  return `${end.toLocaleDateString(LOCALE, { day: "numeric", month: "long" })}, ${clock}`;
}

function midnightOf(date) {
  return new Date(date).setHours(0, 0, 0, 0);
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
