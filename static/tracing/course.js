// Above the graph: the way that was taken and why, how the question was read, and what was found.

import { count, el } from "./words.js";

const FOUND = {
  true: ["supported", "found"],
  false: ["partly", "not found"],
  undefined: ["unchecked", "not looked for"],
};

export class Course {
  constructor(root) {
    this.root = root;
  }

  show(trace, index) {
    const seq = trace.steps[index]?.last ?? 0;
    const { read, route, covered } = trace.course;
    const way = lastOf(route, seq);
    const why = route.findLast(([at, one]) => at <= seq && one.why)?.[1].why;
    const seen = lastOf(read, seq);
    const found = lastOf(covered, seq) ?? {};
    const { told } = trace.budget.limits;
    const key = JSON.stringify([way, why, seen, found, told]);
    if (key === this.key) return;
    this.key = key;
    const parts = [line(way, why), seen && readAs(seen), seen && items(seen, found), told ? null : now()];
    this.root.replaceChildren(...parts.filter(Boolean));
    this.keepPlace();
  }

  // What is below stays where it is while steps go by: the page opens at the longest one.
  keepPlace() {
    const [had, needs] = [parseFloat(this.root.style.minHeight) || 0, this.root.offsetHeight];
    if (needs > had) this.root.style.minHeight = `${needs}px`;
  }
}

const lastOf = (rows, seq) => rows.findLast(([at]) => at <= seq)?.[1];

const now = () => el("p", { className: "limits" }, "The limits below are those that are set now.");

function line(way, why) {
  if (!way) return el("p", { className: "way" }, "The way is not chosen yet.");
  return el("p", { className: "way" }, el("b", {}, way.line), why ? ` ${why}` : null);
}

function readAs({ intent, mode, level }) {
  const parts = [intent && `intent ${intent}`, mode && `mode ${mode}`, level && `context ${level}`].filter(Boolean);
  return parts.length ? el("p", { className: "reading" }, parts.join(" · ")) : null;
}

// The words of an item that is the whole question are not said again.
function items({ standalone, items: asked }, found) {
  const names = Object.keys(found).length ? Object.keys(found) : asked;
  const rows = names.map((name) => {
    const [signal, words] = FOUND[found[name]];
    const text = names.length === 1 && name === standalone ? count(1, "item") : name;
    return el(
      "li",
      { className: `signal ${signal}`, title: `${name}: ${words}` },
      el("span", { className: "item" }, text),
      el("span", { className: "state" }, ` ${words}`),
    );
  });
  return rows.length ? el("ul", { className: "items", "aria-label": "What was asked for" }, ...rows) : null;
}
