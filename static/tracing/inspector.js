// The inspector: tabs over a panel about the present step. A slow answer never overwrites a later one.

import { calls } from "./panes/calls.js";
import { changed } from "./panes/changed.js";
import { controls } from "./panes/controls.js";
import { raw } from "./panes/raw.js";
import { retrieved } from "./panes/retrieved.js";
import { el } from "./words.js";

const PANES = { changed, retrieved, calls, controls, raw };
const SOON = 90; // ms between two draws

// What one step did, in one panel.
export class Panel {
  constructor(root, trace) {
    this.root = root;
    this.trace = trace;
    this.name = "changed";
    this.asked = 0;
    this.shownAt = -SOON;
  }

  pick(name) {
    this.name = name;
    this.root.setAttribute("aria-labelledby", `tab-${name}`);
    this.root.scrollTop = 0;
    if (this.index !== undefined) this.show(this.index);
  }

  // While a key is held down steps go by faster than one reads: a few a second are drawn, and the
  // one at which it halts.
  showSoon(index) {
    this.index = index;
    const left = SOON - (performance.now() - this.shownAt);
    if (left <= 0) this.show(index);
    else this.waiting ??= setTimeout(() => this.show(this.index), left);
  }

  async show(index) {
    clearTimeout(this.waiting);
    this.waiting = undefined;
    this.index = index;
    this.shownAt = performance.now();
    if (!this.trace.length) return;
    this.asked += 1;
    const asked = this.asked;
    let content;
    try {
      content = await PANES[this.name](this.trace, index);
    } catch {
      content = [el("p", { className: "muted" }, "This could not be read just now.")];
    }
    if (asked === this.asked) this.root.replaceChildren(...content);
  }
}

// Tabs that pick what panels show. Digits pick them from anywhere, arrows while one has the focus.
export class Tabs {
  constructor(root, panels, onpick = () => {}) {
    this.tabs = [...root.querySelectorAll("[role=tab]")];
    this.panels = panels;
    this.onpick = onpick;
    this.tabs.forEach((tab, place) => {
      tab.addEventListener("click", () => this.pick(place));
      tab.addEventListener("keydown", (event) => this.move(event, place));
    });
  }

  get name() {
    return this.panels[0].name;
  }

  pickNamed(name) {
    const place = this.tabs.findIndex((tab) => tab.dataset.tab === name);
    if (place >= 0 && name !== this.name) this.pick(place);
  }

  pick(place) {
    const chosen = this.tabs[place];
    if (!chosen) return;
    for (const tab of this.tabs) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
    }
    for (const panel of this.panels) panel.pick(chosen.dataset.tab);
    this.onpick(this.name);
  }

  move(event, place) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (place + by + this.tabs.length) % this.tabs.length;
    this.pick(next);
    this.tabs[next].focus();
  }
}
