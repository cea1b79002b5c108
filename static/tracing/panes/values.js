// Values of a diff: short ones as they are, long ones folded, cut ones with the way to the rest.

import { count, el } from "../words.js";

const FOLDED_OVER = 180; // characters

export function value(shown, className, whole) {
  const kind = `value ${className}${shown.plain ? " words" : ""}`;
  const body = el("div", { className: kind }, shown.text);
  if (!shown.cut && shown.text.length <= FOLDED_OVER) return body;
  const summary = el("summary", {}, `${shown.text.slice(0, 90).replaceAll("\n", " ")}…`);
  const rest = shown.cut ? showAll(body, shown.length, whole) : null;
  const length = el("p", { className: "muted small" }, count(shown.length, "character"));
  return el("details", { className: "long" }, summary, body, rest ?? length);
}

function showAll(body, length, whole) {
  return el(
    "button",
    {
      type: "button",
      className: "linklike",
      onclick: async (event) => {
        const found = await whole();
        if (!found) return;
        body.textContent = found.text;
        event.target.remove();
      },
    },
    `Show all ${count(length, "character")}`,
  );
}

// The way to a step of the turn, from wherever one is named.
export function stepLink(trace, seq, text = `#${seq}`) {
  return el("a", { className: "to-step", href: `${trace.address}#seq=${seq}`, title: `Step #${seq}` }, text);
}

export function lead(...parts) {
  return el("p", { className: "lead" }, ...parts);
}

export function nothing(text) {
  return [el("p", { className: "muted" }, text)];
}

export function where(trace, index) {
  const visit = trace.visitOf(index);
  if (!visit) return [el("b", { className: "mono" }, "the turn")];
  const pass = visit.pass ? ` · pass ${visit.pass}` : "";
  return [el("b", { className: "mono" }, visit.node), pass];
}
