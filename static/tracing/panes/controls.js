// Controls: what every check said up to this step, which could not run, and the last draft's claims.

import { count, el, words } from "../words.js";
import { lead, nothing, stepLink } from "./values.js";

const SIGNALS = {
  passed: "supported",
  acted: "partly",
  failed_open: "failed",
  failed_closed: "failed",
  skipped: "unchecked",
};

const HELD = {
  true: ["supported", "supported"],
  false: ["partly", "not supported"],
  null: ["unchecked", "unchecked"],
};
const BY = { code: "by code", judge: "by the judge", person: "by a person" };

export async function controls(trace, index) {
  const { count: all, entries } = await trace.ofType("decision", index);
  if (!all) return nothing("No control ran up to this step.");
  const broken = entries.filter((entry) => entry.wire.data.outcome.startsWith("failed")).length;
  const failed = broken ? `, ${broken} could not run` : "";
  const rest = all > entries.length ? `, the last ${entries.length} shown` : "";
  return [
    lead(el("b", {}, count(all, "decision")), ` up to this step${failed}${rest}`),
    el("table", {}, el("tbody", {}, ...entries.map((entry) => row(trace, entry, trace.steps[index])))),
    ...(await claims(trace, index, entries)),
  ];
}

// The claims of the last draft that was checked, under what the check decided on it.
async function claims(trace, index, decisions) {
  const { count: checks, entries } = await trace.ofType("claims", index);
  const last = entries.at(-1);
  if (!last) return [];
  const found = last.wire.data.claims;
  const check = decisions.find(({ first, wire }) => wire.data.control === "groundedness" && first > last.first);
  const which = checks > 1 ? ` of draft ${checks}` : "";
  return [
    el("h3", { className: "lead" }, el("b", {}, count(found.length, "claim")), which),
    check ? decided(check.wire.data) : null,
    el("table", { className: "claims" }, el("tbody", {}, ...found.map(claim))),
  ].filter(Boolean);
}

function decided({ outcome, reason }) {
  return el("p", { className: "lead" }, el("span", { className: `signal ${SIGNALS[outcome]}` }, words(outcome)), ` ${reason}`);
}

function claim({ label, basis, supported, by }) {
  const [signal, held] = HELD[supported];
  return el(
    "tr",
    {},
    el("td", { className: "label" }, label),
    el("td", {}, el("span", { className: `signal ${signal}` }, held)),
    el("td", {}, `${words(basis)}, ${BY[by]}`),
  );
}

function row(trace, entry, step) {
  const { control, outcome, reason } = entry.wire.data;
  return el(
    "tr",
    { className: entry.first === step.first ? "present" : "" },
    el("td", {}, stepLink(trace, entry.first, words(control))),
    el("td", {}, el("span", { className: `signal ${SIGNALS[outcome]}` }, words(outcome))),
    el("td", {}, reason),
  );
}
