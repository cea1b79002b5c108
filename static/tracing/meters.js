// The budget meters: what was spent up to a step, of what the turn may spend.

import { worked } from "./clock.js";
import { cents, duration, el, svg } from "./words.js";

const whole = (number) => number.toLocaleString("en");
const METERS = [
  ["passes", "Passes", whole],
  ["rewrites", "Rewrites", whole],
  ["tokens", "Tokens", whole],
  ["cost", "Cost", cents],
  ["ms", "Time", time],
  ["tools", "Tool calls", whole],
];

export class Meters {
  constructor(root) {
    this.root = root;
    this.parts = new Map(METERS.map(([name, label]) => [name, new Meter(label)]));
    root.replaceChildren(...[...this.parts.values()].map((meter) => meter.node));
  }

  show(trace, index, ms) {
    const step = trace.steps[index];
    if (!step) return;
    const { limits, ended } = trace.budget;
    const found = { ...spentAt(trace.budget.spent, step.last), ms: worked(ms, trace.waits) };
    for (const [name, , text] of METERS) {
      const isEnd = Boolean(ended) && ended[1] === name && step.last >= ended[0];
      this.parts.get(name).show(found[name], limits[name], text, isEnd);
    }
  }
}

class Meter {
  constructor(label) {
    this.label = label;
    this.name = el("span", { className: "name" }, label);
    this.figure = el("span", { className: "figure" });
    this.length = svg("rect", { class: "length", height: 4, width: 0 });
    const bar = svg(
      "svg",
      { viewBox: "0 0 100 4", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { class: "track", width: 100, height: 4 }),
      this.length,
    );
    this.node = el("div", { className: "meter", role: "meter", "aria-label": label }, this.name, this.figure, bar);
  }

  show(value, limit, text, isEnd) {
    const isOpen = limit === null || limit === undefined;
    const share = isOpen || limit <= 0 ? Number(Boolean(limit === 0 && isEnd)) : Math.min(value / limit, 1);
    const words = isOpen ? text(value) : of(value, limit, text);
    this.figure.textContent = words;
    this.name.textContent = isEnd ? `${this.label}, ended it` : this.label;
    this.length.setAttribute("width", (share * 100).toFixed(2));
    this.node.classList.toggle("open", isOpen);
    this.node.classList.toggle("failed", isEnd);
    this.node.setAttribute("aria-valuenow", Math.round(share * 100));
    this.node.setAttribute("aria-valuetext", isEnd ? `${words}, this limit ended the turn` : words);
  }
}

// A unit that both share is said once.
function of(value, limit, text) {
  const [had, may] = [text(value), text(limit)];
  const unit = may.split(" ").slice(1).join(" ");
  return unit && had.endsWith(` ${unit}`) ? `${had.slice(0, -unit.length - 1)} of ${may}` : `${had} of ${may}`;
}

// A limit is a round number of seconds more often than not.
function time(ms) {
  return ms >= 60000 && ms < 600000 && ms % 1000 === 0 ? `${ms / 1000} s` : duration(ms);
}

export function spentAt(rows, seq) {
  let low = -1;
  let high = rows.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (rows[middle].seq <= seq) low = middle;
    else high = middle - 1;
  }
  return rows[low] ?? { passes: 0, rewrites: 0, tokens: 0, cost: 0, tools: 0 };
}

