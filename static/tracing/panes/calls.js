// Calls: every model call up to this step, those of the present node marked, and their sum.

import { cents, count, duration, el, words } from "../words.js";
import { lead, nothing } from "./values.js";

export async function calls(trace, index) {
  const { count: all, entries } = await trace.ofType("model_call", index);
  if (!all) return nothing("No model was called up to this step.");
  const visit = trace.visitOf(index);
  const rest = all > entries.length ? `, the last ${entries.length} shown` : "";
  const rows = entries.map((entry) => row(entry, visit));
  return [
    lead(el("b", {}, count(all, "call")), ` up to this step${rest}`),
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, ...heads())),
      el("tbody", {}, ...rows, rest ? null : sum(entries)),
    ),
  ];
}

function heads() {
  const names = ["Purpose", "Model", "In", "Out", "Time", "Cost"];
  return names.map((name, place) => el("th", { scope: "col", className: place > 1 ? "number" : "" }, name));
}

function row(entry, visit) {
  const { purpose, role, model, outcome, ms, cost, tokens, prompt_version: version } = entry.wire.data;
  const isPresent = visit && entry.first >= visit.first && entry.first <= visit.last;
  const failed = outcome === "ok" ? null : el("span", { className: "signal failed" }, words(outcome));
  return el(
    "tr",
    { className: isPresent ? "present" : "" },
    el("td", { title: `Role ${role}, prompt ${version || "without a version"}` }, words(purpose), failed),
    el("td", {}, model),
    ...figures(tokens, ms, cost),
  );
}

function sum(found) {
  const all = found.map((entry) => entry.wire.data);
  const add = (pick) => all.reduce((total, data) => total + pick(data), 0);
  const tokens = {
    input: add((data) => data.tokens.input),
    cached_input: add((data) => data.tokens.cached_input),
    output: add((data) => data.tokens.output),
    reasoning: add((data) => data.tokens.reasoning),
  };
  const cells = figures(tokens, add((data) => data.ms), add((data) => data.cost));
  return el("tr", { className: "sum" }, el("td", { colSpan: 2 }, "Together"), ...cells);
}

function figures(tokens, ms, cost) {
  const given = tokens.input + tokens.cached_input;
  const made = tokens.output + tokens.reasoning;
  const texts = [given.toLocaleString("en"), made.toLocaleString("en"), duration(ms), cents(cost)];
  return texts.map((text) => el("td", { className: "number" }, text));
}
