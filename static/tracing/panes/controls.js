// Controls: what every check said up to this step, and which of them could not run.

import { count, el, words } from "../words.js";
import { lead, nothing } from "./values.js";

const SIGNALS = {
  passed: "supported",
  acted: "partly",
  failed_open: "failed",
  failed_closed: "failed",
  skipped: "unchecked",
};

export async function controls(trace, index) {
  const { count: all, entries } = await trace.ofType("decision", index);
  if (!all) return nothing("No control ran up to this step.");
  const broken = entries.filter((entry) => entry.wire.data.outcome.startsWith("failed")).length;
  const failed = broken ? `, ${broken} could not run` : "";
  const rest = all > entries.length ? `, the last ${entries.length} shown` : "";
  return [
    lead(el("b", {}, count(all, "decision")), ` up to this step${failed}${rest}`),
    el("table", {}, el("tbody", {}, ...entries.map((entry) => row(entry, trace.steps[index])))),
  ];
}

function row(entry, step) {
  const { control, outcome, reason } = entry.wire.data;
  return el(
    "tr",
    { className: entry.first === step.first ? "present" : "" },
    el("td", {}, words(control)),
    el("td", {}, el("span", { className: `signal ${SIGNALS[outcome]}` }, words(outcome))),
    el("td", {}, reason),
  );
}
