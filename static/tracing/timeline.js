// The timeline: a tick an event, coloured by band; passes bracketed; waits folded; drag to scrub.

import { waitWords, worked } from "./clock.js";
import { duration, svg } from "./words.js";

const BASE = 46; // where the ticks stand
const FOLD = 28; // px of a wait, however long it was
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
    this.canvas.replaceChildren(
      ...this.brackets(),
      ...this.ticks(),
      ...this.cuts(),
      ...this.ends(),
      ...this.waits(),
      this.head,
    );
    if (this.index !== undefined) this.show(this.index);
  }

  // The place of a step in px: evenly spread, or by the time at which it happened.
  x(index) {
    const { steps } = this.trace;
    if (steps.length < 2) return 1;
    if (!this.byTime) return 1 + (index / (steps.length - 1)) * (this.width - 2);
    const folds = this.over(steps[index].ms).length * FOLD;
    return 1 + worked(steps[index].ms, this.trace.waits) * this.scale() + folds;
  }

  // The waits that were over by a time.
  over(ms) {
    return this.trace.waits.filter((wait) => wait.until !== null && wait.until <= ms);
  }

  // Px of a millisecond of work, when steps stand by their time.
  scale() {
    const last = this.trace.steps.at(-1).until;
    const room = this.width - 2 - this.over(last).length * FOLD;
    return Math.max(room, 1) / (worked(last, this.trace.waits) || 1);
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
    return `M${x} ${BASE - 7}h${((step.until - step.ms) * this.scale()).toFixed(1)}`;
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
    end.textContent = duration(worked(this.trace.steps.at(-1).until, this.trace.waits));
    return [start, end];
  }

  // A break in the line where the turn stood still, and for how long.
  waits() {
    return this.trace.waits.flatMap((wait) => {
      const place = this.trace.indexOf(wait.after);
      const before = this.x(place);
      const x = wait.until === null ? before + 6 : (before + this.x(place + 1)) / 2;
      const long = wait.until === null ? "" : ` ${duration(wait.until - wait.ms)}`;
      const isFar = x > this.width - 180;
      const at = isFar ? this.width - 64 : Math.max(x, 130);
      const text = svg("text", { x: at, y: BASE + 14, class: isFar ? "far" : "waiting" });
      text.textContent = `${waitWords(wait)}${long}`;
      return [svg("path", { class: "wait", d: `M${x - 5} ${BASE}l5 -14M${x} ${BASE}l5 -14` }), text];
    });
  }

  // Where the draft was withdrawn.
  cuts() {
    const marks = this.trace.steps.map((step, index) =>
      step.type === "draft_withdrawn" ? `M${(this.x(index) - 3).toFixed(1)} ${BASE - 24}l6 6m0 -6l-6 6` : "",
    );
    return [svg("path", { class: "cut", d: marks.join("") })];
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
