// The inspector: five tabs about the present step. A slow answer never overwrites a later one.

import { calls } from "./panes/calls.js";
import { changed } from "./panes/changed.js";
import { controls } from "./panes/controls.js";
import { raw } from "./panes/raw.js";
import { retrieved } from "./panes/retrieved.js";
import { el } from "./words.js";

const PANES = { changed, retrieved, calls, controls, raw };

export class Inspector {
  constructor(root, trace) {
    this.trace = trace;
    this.panel = root.querySelector(".panel");
    this.tabs = [...root.querySelectorAll("[role=tab]")];
    this.name = "changed";
    this.asked = 0;
    this.tabs.forEach((tab, place) => {
      tab.addEventListener("click", () => this.pick(place));
      tab.addEventListener("keydown", (event) => this.move(event, place));
    });
  }

  pick(place) {
    const chosen = this.tabs[place];
    if (!chosen) return;
    this.name = chosen.dataset.tab;
    for (const tab of this.tabs) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
    }
    this.panel.setAttribute("aria-labelledby", chosen.id);
    this.panel.scrollTop = 0;
    this.show(this.index);
  }

  // Arrows move between tabs while one has the focus, as tabs do everywhere.
  move(event, place) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (place + by + this.tabs.length) % this.tabs.length;
    this.pick(next);
    this.tabs[next].focus();
  }

  async show(index) {
    this.index = index;
    if (!this.trace.length) return;
    this.asked += 1;
    const asked = this.asked;
    let content;
    try {
      content = await PANES[this.name](this.trace, index);
    } catch {
      content = [el("p", { className: "muted" }, "This could not be read just now.")];
    }
    if (asked === this.asked) this.panel.replaceChildren(...content);
  }
}
