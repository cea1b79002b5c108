// Changed: what the present node changed, and on demand all that is known at this step.

import { count, el } from "../words.js";
import { lead, stepLink, value, where } from "./values.js";

const SIGNS = { added: "+", changed: "~", removed: "−" };

export async function changed(trace, index) {
  const step = trace.steps[index];
  const places = trace.steps
    .map((other, place) => ({ other, place }))
    .filter(({ other }) => other.type === "state_diff" && other.visit === step.visit);
  const content = [];
  for (const { other, place } of places) {
    const entry = await trace.entry(place);
    const ahead = other.first > step.last ? [", at ", stepLink(trace, other.first)] : [];
    const fields = count(entry.changes.length, "field");
    content.push(lead(...where(trace, index), ` · ${fields}`, ...ahead));
    content.push(...entry.changes.map((change) => row(trace, other, change)));
  }
  if (!content.length) content.push(lead(...where(trace, index), " · nothing changed"));
  content.push(state(trace, step));
  return content;
}

const named = (changes, field) => changes?.find((change) => change.field === field);

// `find` gets the same change from the step's details, for the whole of a value that was cut.
function row(trace, step, change, find = (changes) => named(changes, change.field)) {
  const whole = (side) => async () => find((await trace.whole(step)).changes)?.[side];
  const how = change.kept === undefined ? change.kind : `${change.kept} kept, these are new`;
  if (change.inner) return grouped(trace, step, change, how);
  return el(
    "div",
    { className: `change ${change.kind}` },
    el("span", { className: "sign", ariaHidden: "true" }, SIGNS[change.kind]),
    el(
      "div",
      {},
      el("p", { className: "field" }, change.field, " ", el("span", { className: "how" }, how)),
      change.before && value(change.before, "before", whole("before")),
      change.after && value(change.after, "after", whole("after")),
    ),
  );
}

// An object that changed shows which of its keys did.
function grouped(trace, step, change, how) {
  const inner = change.inner.map((one) => {
    const find = (changes) => named(named(changes, change.field)?.inner, one.field);
    const line = row(trace, step, one, find);
    line.classList.add("inner");
    return line;
  });
  return el(
    "div",
    { className: `change ${change.kind}` },
    el("span", { className: "sign", ariaHidden: "true" }, SIGNS[change.kind]),
    el(
      "div",
      {},
      el("p", { className: "field" }, change.field, " ", el("span", { className: "how" }, how)),
      ...inner,
    ),
  );
}

function state(trace, step) {
  const box = el("details", { className: "state" }, el("summary", {}, "All fields at this step"));
  box.addEventListener("toggle", async () => {
    if (!box.open || box.childElementCount > 1) return;
    const { fields } = await trace.state(step.last);
    box.append(
      ...fields.map(({ field, after }) =>
        el("div", { className: "change" }, el("span", {}), known(field, after)),
      ),
    );
  });
  return box;
}

function known(field, after) {
  return el("div", {}, el("p", { className: "field" }, field), value(after, "after", async () => null));
}
