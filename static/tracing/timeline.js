// The timeline: a tick an event, coloured by band; passes bracketed; drag to scrub.

import { duration, svg } from "./words.js";

const BASE = 46; // where the ticks stand
const LOW = new Set(["stage"]);
const BANDS = ["input", "evidence", "generation", "output"];

export class Timeline {
  constructor(root, choose) {
    this.root = root;
    this.byTime = false;
    this.canvas = svg("svg", { "aria-hidden": "true" });
    root.append(this.canvas);
    const scrub = (event) => choose(this.indexAt(event.clientX));
    root.addEventListener("pointerdown", (event) => {
      root.setPointerCapture(event.pointerId);
      scrub(event);
    });
    root.addEventListener("pointermove", (event) => {
      if (root.hasPointerCapture(event.pointerId)) scrub(event);
    });
    new ResizeObserver(() => this.draw(this.trace)).observe(root);
  }

  draw(trace) {
    this.trace = trace;
    const width = this.root.clientWidth;
    if (!trace?.length || !width) return;
    this.width = width;
    this.canvas.setAttribute("viewBox", `0 0 ${width} ${this.root.clientHeight}`);
    this.head = svg("g", {}, svg("path", { class: "head" }), svg("circle", { class: "knob", r: 4 }));
    this.canvas.replaceChildren(...this.brackets(), ...this.ticks(), ...this.ends(), this.head);
    if (this.index !== undefined) this.show(this.index);
  }

  // The place of a step in px: evenly spread, or by the time at which it happened.
  x(index) {
    const { steps } = this.trace;
    const room = this.width - 2;
    if (steps.length < 2) return 1;
    if (!this.byTime) return 1 + (index / (steps.length - 1)) * room;
    const whole = steps.at(-1).until || 1;
    return 1 + (steps[index].ms / whole) * room;
  }

  indexAt(clientX) {
    const x = clientX - this.root.getBoundingClientRect().left;
    let low = 0;
    let high = this.trace.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.x(middle) + this.x(middle + 1)) / 2 < x) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // One path for each band and size, so that thousands of ticks are a handful of elements.
  ticks() {
    const paths = [];
    for (const band of BANDS) {
      const marks = { high: "", low: "", wide: "" };
      this.trace.steps.forEach((step, index) => {
        if (step.band !== band) return;
        const x = this.x(index).toFixed(1);
        if (LOW.has(step.type)) marks.low += `M${x} ${BASE}v-7`;
        else marks.high += `M${x} ${BASE}v-16`;
        if (this.byTime && step.until > step.ms) marks.wide += this.extent(step, x);
      });
      if (marks.wide) paths.push(svg("path", { class: `ticks wide ${band}`, d: marks.wide }));
      if (marks.low) paths.push(svg("path", { class: `ticks faint ${band}`, d: marks.low }));
      if (marks.high) paths.push(svg("path", { class: `ticks ${band}`, d: marks.high }));
    }
    return paths;
  }

  extent(step, x) {
    const whole = this.trace.steps.at(-1).until || 1;
    return `M${x} ${BASE - 7}h${(((step.until - step.ms) / whole) * (this.width - 2)).toFixed(1)}`;
  }

  brackets() {
    return this.trace.passes.flatMap((pass) => {
      const from = this.x(this.trace.indexOf(pass.first)) - 2;
      const to = Math.max(this.x(this.trace.indexOf(pass.last)) + 2, from + 8);
      const text = svg("text", { x: from + 5, y: 12 });
      text.textContent = to - from > 48 ? `pass ${pass.number}` : `${pass.number}`;
      return [svg("path", { class: "bracket", d: `M${from} 24v-6h${to - from}v6` }), text];
    });
  }

  ends() {
    const start = svg("text", { x: 0, y: BASE + 14 });
    start.textContent = "0 ms";
    const end = svg("text", { x: this.width, y: BASE + 14, class: "far" });
    end.textContent = duration(this.trace.steps.at(-1).until);
    return [start, end];
  }

  show(index) {
    this.index = index;
    if (!this.head) return;
    const x = this.x(index).toFixed(1);
    this.head.firstChild.setAttribute("d", `M${x} 20V${BASE + 3}`);
    this.head.lastChild.setAttribute("cx", x);
    this.head.lastChild.setAttribute("cy", BASE + 4);
    this.root.setAttribute("aria-valuemax", this.trace.length);
    this.root.setAttribute("aria-valuenow", index + 1);
  }
}
