// The line that two turns share: one lane each, what differs marked between them, a flag where they part.

import { svg } from "./words.js";

const UPPER = 20; // where the lanes stand
const LOWER = 52;
const MIDDLE = 36;
const BANDS = ["input", "evidence", "generation", "output"];

export class Lanes {
  constructor(root, choose) {
    this.root = root;
    this.canvas = svg("svg", { "aria-hidden": "true" });
    root.append(this.canvas);
    const scrub = (event) => choose(this.placeAt(event.clientX));
    root.addEventListener("pointerdown", (event) => {
      root.setPointerCapture(event.pointerId);
      scrub(event);
    });
    root.addEventListener("pointermove", (event) => root.hasPointerCapture(event.pointerId) && scrub(event));
    new ResizeObserver(() => this.draw(this.line)).observe(root);
  }

  draw(line) {
    this.line = line;
    this.width = this.root.clientWidth;
    if (!line?.pairs.length || !this.width) return;
    this.canvas.setAttribute("viewBox", `0 0 ${this.width} ${this.root.clientHeight}`);
    this.head = svg("g", {}, svg("path", { class: "head" }), svg("circle", { class: "knob", r: 4 }));
    this.canvas.replaceChildren(...this.ticks(), this.differences(), ...this.flag(), this.head);
    if (this.place !== undefined) this.show(this.place);
  }

  x(place) {
    const last = this.line.pairs.length - 1;
    return last < 1 ? 2 : 2 + (place / last) * (this.width - 4);
  }

  placeAt(clientX) {
    const x = clientX - this.root.getBoundingClientRect().left;
    const last = this.line.pairs.length - 1;
    return Math.max(0, Math.min(last, Math.round(((x - 2) / (this.width - 4)) * last)));
  }

  // One path for each band and lane, so that thousands of ticks are a handful of elements.
  ticks() {
    const marks = new Map();
    this.line.pairs.forEach((pair, place) => {
      const x = this.x(place).toFixed(1);
      for (const [step, y] of [[pair.left, UPPER], [pair.right, LOWER]]) {
        if (!step) continue;
        const height = step.type === "stage" ? 6 : 12;
        marks.set(step.band, `${marks.get(step.band) ?? ""}M${x} ${y - height / 2}v${height}`);
      }
    });
    return BANDS.filter((band) => marks.has(band)).map((band) =>
      svg("path", { class: `ticks ${band}`, d: marks.get(band) }),
    );
  }

  differences() {
    const marks = this.line.pairs.map((pair, place) =>
      pair.same ? "" : `M${(this.x(place) - 2.5).toFixed(1)} ${MIDDLE}l2.5 -2.5l2.5 2.5l-2.5 2.5z`,
    );
    return svg("path", { class: "different", d: marks.join("") });
  }

  flag() {
    if (this.line.partsAt === null) return [];
    const x = this.x(this.line.partsAt);
    const isFar = x > this.width - 90;
    const text = svg("text", { x: isFar ? x - 5 : x + 5, y: 9, class: isFar ? "far parts" : "parts" });
    text.textContent = "they part";
    return [svg("path", { class: "part", d: `M${x} 2V66` }), text];
  }

  show(place) {
    this.place = place;
    if (!this.head) return;
    const x = this.x(place).toFixed(1);
    this.head.firstChild.setAttribute("d", `M${x} 12V62`);
    this.head.lastChild.setAttribute("cx", x);
    this.head.lastChild.setAttribute("cy", 64);
    this.root.setAttribute("aria-valuemax", this.line.pairs.length);
    this.root.setAttribute("aria-valuenow", place + 1);
  }
}
