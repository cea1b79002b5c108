// Calls: models and tools up to this step in their order, those of the present node marked. A press
// on a model's call shows what it was given and what came back.

import { cents, count, duration, el, words } from "../words.js";
import { isOpen, opening, spoken } from "./calls_words.js";
import { lead, nothing } from "./values.js";

const NAMES = ["Purpose", "Model", "In", "Out", "Time", "Cost"];
let made = 0; // rows below a call, each with an id of its own: two turns may stand side by side
const PHASES = {
  done: ["supported", "ran"],
  failed: ["failed", "failed"],
  timeout: ["failed", "no answer in time"],
  unknown_tool: ["failed", "no such tool"],
  bad_arguments: ["failed", "arguments that do not fit"],
  tool_cap: ["partly", "over its limit"],
  declined: ["unchecked", "declined"],
  not_confirmed: ["unchecked", "not confirmed"],
};

export async function calls(trace, index) {
  const [models, tools] = await Promise.all([trace.ofType("model_call", index), trace.ofType("tool", index)]);
  if (!models.count && !tools.count) return nothing("No model and no tool was called up to this step.");
  const shown = [...models.entries, ...tools.entries].sort((one, other) => one.first - other.first);
  const isCut = models.count + tools.count > shown.length;
  const rest = isCut ? `, the last ${shown.length} shown` : "";
  const visit = trace.visitOf(index);
  const rows = shown.flatMap((entry) =>
    entry.type === "tool" ? [toolRow(trace, entry, visit)] : modelRows(trace, entry, visit),
  );
  return [
    lead(el("b", {}, count(models.count, "call")), ofTools(tools.count), ` up to this step${rest}`),
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, ...NAMES.map(head))),
      el("tbody", {}, ...rows, isCut ? null : sum(trace, shown)),
    ),
  ];
}

const ofTools = (number) => (number ? ` and ${count(number, "call of a tool", "calls of tools")}` : "");

const head = (name, place) => el("th", { scope: "col", className: place > 1 ? "number" : "" }, name);

const present = (entry, visit) => (visit && entry.first >= visit.first && entry.first <= visit.last ? "present" : "");

const costOf = (trace, entry) => trace.budget.toolCosts.get(entry.first) ?? 0;

function modelRows(trace, entry, visit) {
  const { purpose, role, model, outcome, ms, cost, tokens, prompt_version: version } = entry.wire.data;
  const failed = outcome === "ok" ? null : el("span", { className: "signal failed" }, words(outcome));
  made += 1;
  const below = el(
    "tr",
    { className: "spoken", id: `spoken-${made}`, hidden: !isOpen(trace, entry.first) },
    el("td", { colSpan: NAMES.length }),
  );
  const press = opening(trace, entry.first, below);
  press.title = `Role ${role}, prompt ${version || "without a version"}: what it was given and what came back`;
  press.append(words(purpose));
  if (!below.hidden) spoken(trace, entry.first, below);
  const row = el(
    "tr",
    { className: present(entry, visit) },
    el("td", {}, press, failed),
    el("td", { className: "model", title: model }, model),
    ...figures(tokens, ms, cost),
  );
  return [row, below];
}

function toolRow(trace, entry, visit) {
  const { tool, phase, summary, ms } = entry.wire.data;
  const [signal, said] = PHASES[phase] ?? ["unchecked", words(phase)];
  return el(
    "tr",
    { className: `tool ${present(entry, visit)}` },
    el(
      "td",
      { colSpan: 4 },
      el("span", { className: "mono" }, tool),
      " ",
      el("span", { className: `signal ${signal}` }, said),
      summary ? el("p", { className: "muted" }, summary) : null,
    ),
    el("td", { className: "number" }, ms === null ? "–" : duration(ms)),
    el("td", { className: "number" }, cents(costOf(trace, entry))),
  );
}

function sum(trace, shown) {
  const models = shown.filter((entry) => entry.type !== "tool").map((entry) => entry.wire.data);
  const tools = shown.filter((entry) => entry.type === "tool");
  const add = (rows, pick) => rows.reduce((total, row) => total + pick(row), 0);
  const tokens = {
    input: add(models, (data) => data.tokens.input),
    cached_input: add(models, (data) => data.tokens.cached_input),
    output: add(models, (data) => data.tokens.output),
    reasoning: add(models, (data) => data.tokens.reasoning),
  };
  const ms = add(models, (data) => data.ms) + add(tools, (entry) => entry.wire.data.ms ?? 0);
  const cost = add(models, (data) => data.cost) + add(tools, (entry) => costOf(trace, entry));
  return el("tr", { className: "sum" }, el("td", { colSpan: 2 }, "Together"), ...figures(tokens, ms, cost));
}

function figures(tokens, ms, cost) {
  const given = tokens.input + tokens.cached_input;
  const made = tokens.output + tokens.reasoning;
  const texts = [given.toLocaleString("en"), made.toLocaleString("en"), duration(ms), cents(cost)];
  return texts.map((text) => el("td", { className: "number" }, text));
}
