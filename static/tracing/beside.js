// Two turns side by side: one present place on the line that they share, and what each did there.

import { Panel, Tabs } from "./inspector.js";
import { Lanes } from "./lanes.js";
import { Address, asked, hashOf } from "./place.js";
import { Player } from "./player.js";
import { Trace } from "./trace.js";
import { duration, el } from "./words.js";
import { worked } from "./clock.js";

const byId = (id) => document.getElementById(id);
const SIDES = ["left", "right"];

class Beside {
  constructor(root) {
    this.root = root;
    this.address = new Address("place");
    this.traces = Object.fromEntries(SIDES.map((side) => [side, new Trace(root.dataset[side])]));
    this.panels = Object.fromEntries(SIDES.map((side) => [side, new Panel(byId(`panel-${side}`), this.traces[side])]));
    this.tabs = new Tabs(root, SIDES.map((side) => this.panels[side]), () => this.remember());
    this.lanes = new Lanes(byId("lanes"), (place) => this.take(place));
    this.line = { pairs: [], partsAt: null };
    this.at = { index: 0, ms: 0 };
    this.player = new Player(this, {
      at: () => this.at,
      go: (index, ms) => this.go(index, ms),
      onchange: (playing) => this.showPlaying(playing),
    });
    this.listen();
  }

  // What the player needs to know of the places: how many there are.
  get length() {
    return this.line.pairs.length;
  }

  get steps() {
    return this.line.pairs;
  }

  async open() {
    const [found] = await Promise.all([
      this.read(this.root.dataset.line),
      ...SIDES.map((side) => this.traces[side].refresh()),
    ]);
    this.line = lineOf(found, this.traces);
    this.lanes.draw(this.line);
    this.showParting(found.parts);
    const { place, tab } = asked("place");
    if (tab) this.tabs.pickNamed(tab);
    this.take(place === undefined ? (this.line.partsAt ?? 0) : place - 1);
    this.root.dataset.ready = "true";
  }

  async read(address) {
    const response = await fetch(address, { headers: { Accept: "application/json" } });
    if (!response.ok) throw new Error(`${address} gave ${response.status}`);
    return response.json();
  }

  take(place) {
    this.player.stop();
    this.go(Math.max(0, Math.min(place, this.length - 1)));
  }

  // Playing as recorded comes by many times while a step lasts: what is shown stays as it is.
  go(place, ms = this.line.pairs[place]?.until) {
    const pair = this.line.pairs[place];
    if (!pair) return;
    const moved = place !== this.at.index || !this.shown;
    this.at = { index: place, ms };
    if (!moved) return;
    this.shown = true;
    this.lanes.show(place);
    byId("place").textContent = `${place + 1} of ${this.length}`;
    for (const side of SIDES) this.showSide(side, pair, place);
    this.remember();
  }

  // A turn that has no such step stands at its last one before, faint.
  showSide(side, pair, place) {
    const index = pair[`${side}Index`];
    const half = document.querySelector(`.half.${side}`);
    half.classList.toggle("absent", index < 0);
    half.classList.toggle("differs", !pair.same && index >= 0);
    const last = index >= 0 ? index : this.lastBefore(side, place);
    if (this.traces[side].length) this.panels[side].showSoon(Math.max(last, 0));
    this.showStanding(side, index, place);
  }

  lastBefore(side, place) {
    const before = this.line.pairs.slice(0, place).findLast((pair) => pair[`${side}Index`] >= 0);
    return before ? before[`${side}Index`] : 0;
  }

  async showStanding(side, index, place) {
    const line = byId(`standing-${side}`);
    if (index < 0) {
      line.replaceChildren(el("span", { className: "muted" }, "No such step in this turn."));
      return;
    }
    const trace = this.traces[side];
    const step = trace.steps[index];
    const visit = trace.visitOf(index);
    const pass = step.pass ? ` · pass ${step.pass}` : "";
    const head = `#${step.first} · ${visit?.node ?? "start"}${pass} · +${duration(worked(step.ms, trace.waits))}`;
    const entry = trace.known(index) ?? (await trace.entry(index));
    if (this.at.index !== place) return;
    const words = `${step.type.replaceAll("_", " ")}: ${entry.summary}`;
    const href = `${this.root.dataset[side]}${hashOf("seq", step.first, this.tabs.name)}`;
    line.replaceChildren(el("a", { className: "mono", href, title: "Open the replay here" }, head), ` ${words}`);
    line.title = words;
    if (side === "left") byId("lanes").setAttribute("aria-valuetext", `${head}. ${words}`);
  }

  showParting(parts) {
    const line = byId("parting");
    if (!parts) {
      line.replaceChildren("They never part: the same steps with the same findings.");
      return;
    }
    const names = [...document.querySelectorAll(".sides span")].map((name) => name.textContent);
    const go = el("a", { href: hashOf("place", parts.at + 1), onclick: (event) => this.follow(event, parts.at) }, `They part at step ${parts.at + 1} of ${this.length}.`);
    const said = SIDES.map((side, place) => el("span", { className: "one" }, el("b", {}, names[place]), ` ${parts[side]}`));
    line.replaceChildren(go, ...said);
  }

  follow(event, place) {
    event.preventDefault();
    this.take(place);
  }

  remember() {
    if (this.length) this.address.remember(this.at.index + 1, this.tabs.name);
  }

  step(by) {
    this.take(this.at.index + by);
  }

  // The next place in a direction that fulfils something, if there is one.
  seek(by, fits) {
    for (let place = this.at.index + by; place >= 0 && place < this.length; place += by) {
      if (fits(this.line.pairs[place], this.line.pairs[place - 1])) return this.take(place);
    }
    return null;
  }

  difference(by) {
    this.seek(by, (pair) => !pair.same);
  }

  pass(by) {
    const starts = (pair, before) => Boolean(pair.pass) && pair.pass !== before?.pass;
    if (this.seek(by, starts) === null) this.take(by > 0 ? this.length - 1 : 0);
  }

  showPlaying(playing) {
    const button = document.querySelector("[data-do=play]");
    button.setAttribute("aria-pressed", String(playing));
    button.querySelector("span").textContent = playing ? "Pause" : "Play";
  }

  listen() {
    document.addEventListener("keydown", (event) => this.onKey(event));
    this.root.querySelector(".controls").addEventListener("click", (event) => {
      const button = event.target.closest("[data-do]");
      if (button) this.does(button.dataset.do, button);
    });
    this.root.querySelector(".speeds:not(.sides)").addEventListener("change", (event) => {
      this.player.speed = event.target.value;
    });
    this.root.querySelector(".sides").addEventListener("change", (event) => {
      byId("both").dataset.side = event.target.value;
    });
    window.addEventListener("hashchange", () => {
      const { place, tab } = asked("place");
      this.tabs.pickNamed(tab ?? "changed");
      if (place !== undefined) this.take(place - 1);
    });
  }

  does(what, button) {
    const actions = {
      first: () => this.take(0),
      back: () => this.step(-1),
      play: () => this.player.toggle(),
      on: () => this.step(1),
      last: () => this.take(this.length - 1),
      previous: () => this.difference(-1),
      next: () => this.difference(1),
      part: () => this.line.partsAt !== null && this.take(this.line.partsAt),
      copy: () => this.address.copy(button),
      help: () => byId("help").showModal(),
    };
    actions[what]?.();
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input:not([type=radio]), textarea, select") || document.querySelector("dialog[open]")) return;
    const act = this.actionOf(event);
    if (!act || !this.length) return;
    event.preventDefault();
    act();
  }

  actionOf(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by) return () => (event.shiftKey ? this.pass(by) : this.step(by));
    if (/^[1-5]$/.test(event.key)) return () => this.tabs.pick(Number(event.key) - 1);
    if (event.key === " ") return event.target.closest("button, a, summary") ? null : () => this.player.toggle();
    const named = { Home: "first", End: "last", n: "next", p: "previous", d: "part", "?": "help" }[event.key];
    return named ? () => this.does(named) : null;
  }
}

function lineOf(found, traces) {
  const pairs = found.pairs.map(([leftIndex, rightIndex, same]) => {
    const left = traces.left.steps[leftIndex];
    const right = traces.right.steps[rightIndex];
    return { leftIndex, rightIndex, left, right, same: Boolean(same), pass: (left ?? right)?.pass ?? 0 };
  });
  timed(pairs);
  return { pairs, partsAt: found.parts?.at ?? null };
}

// The line's own time: a place comes as long after the one before as the slower turn took for it.
function timed(pairs) {
  const ends = { left: 0, right: 0 };
  let now = 0;
  for (const pair of pairs) {
    const steps = SIDES.filter((side) => pair[side]).map((side) => [side, pair[side]]);
    const gaps = steps.map(([side, step]) => Math.max(step.ms - ends[side], 0));
    pair.ms = now + Math.max(...gaps, 0);
    pair.until = pair.ms + Math.max(...steps.map(([, step]) => step.until - step.ms), 0);
    for (const [side, step] of steps) ends[side] = step.until;
    now = pair.until;
  }
}

const beside = new Beside(byId("beside"));
beside.open().catch(() => {
  byId("parting").textContent = "The turns could not be read just now. Reload the page.";
});
