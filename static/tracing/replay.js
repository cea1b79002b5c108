// The replay page: one present step, and everything that shows it.

import { waitAfter, waitWords, worked } from "./clock.js";
import { Course } from "./course.js";
import { Draft } from "./draft.js";
import { Graph } from "./graph.js";
import { Panel, Tabs } from "./inspector.js";
import { listen } from "./keys.js";
import { Live } from "./live.js";
import { Meters } from "./meters.js";
import { Address, asked } from "./place.js";
import { Player } from "./player.js";
import { Timeline } from "./timeline.js";
import { Trace } from "./trace.js";
import { count, duration, el } from "./words.js";

const byId = (id) => document.getElementById(id);

class Replay {
  constructor(root) {
    this.root = root;
    this.trace = new Trace(root.dataset.here);
    this.at = { index: 0, ms: 0 };
    this.ahead = 0; // steps that came while one looks at an earlier one
    this.graph = new Graph(byId("graph"), (node) => this.goToNode(node));
    this.timeline = new Timeline(byId("timeline"), (index) => this.take(index));
    this.panel = new Panel(root.querySelector(".panel"), this.trace);
    this.inspector = new Tabs(root.querySelector(".inspector"), [this.panel], () => this.remember());
    this.address = new Address("seq");
    this.draft = new Draft(byId("draft"));
    this.course = new Course(byId("course"));
    this.meters = new Meters(byId("meters"));
    this.player = new Player(this.trace, {
      at: () => this.at,
      go: (index, ms) => this.go(index, ms),
      onchange: (playing) => this.showPlaying(playing),
    });
    listen(this);
  }

  async open() {
    await this.read();
    this.goToAddress(this.trace.length - 1);
    this.root.dataset.ready = "true";
    if (!this.trace.finished && this.root.dataset.status !== "finished") this.follow();
  }

  // To the step and the tab that the address names.
  goToAddress(otherwise = this.at.index) {
    const { place, tab } = asked("seq");
    if (tab) this.inspector.pickNamed(tab);
    this.take(place === undefined ? otherwise : this.trace.indexOf(place));
  }

  async read() {
    await Promise.all([this.trace.refresh(), this.trace.refreshTokens()]);
    this.timeline.draw(this.trace);
  }

  follow() {
    this.live = new Live(this.root.dataset.here, this.root.dataset.types.split(" "), {
      onnews: () => this.news(),
      onend: () => this.ended(),
      onstate: (state) => (byId("figures").dataset.line = state),
    });
    this.live.start(this.trace.steps.at(-1)?.last ?? 0);
    this.showSoFar();
  }

  // Who stands at the end stays at the end; who looks at an earlier step is left there.
  async news() {
    const wasAtEnd = this.at.index >= this.trace.length - 1;
    const before = this.trace.length;
    await this.read();
    if (wasAtEnd && !this.player.playing) this.take(this.trace.length - 1);
    else this.go(this.at.index, this.at.ms);
    this.showAhead(wasAtEnd ? 0 : this.ahead + this.trace.length - before);
    this.showSoFar();
  }

  async ended() {
    const response = await fetch(`${this.root.dataset.here}figures/`);
    if (response.ok) byId("figures").innerHTML = await response.text();
  }

  // A person took over: playing stops and the step is shown whole.
  take(index) {
    this.player.stop();
    const kept = Math.max(0, Math.min(index, this.trace.length - 1));
    this.go(kept, this.trace.steps[kept]?.until ?? 0);
  }

  go(index, ms) {
    const moved = index !== this.at.index || !this.shown;
    this.at = { index, ms };
    const step = this.trace.steps[index];
    if (!step) return;
    this.draft.show(this.trace.tokens, step, ms);
    this.graph.show(this.trace, index);
    this.timeline.show(index);
    this.course.show(this.trace, index);
    this.meters.show(this.trace, index, Math.max(ms, step.ms));
    if (moved || this.shown !== this.trace.length) this.panel.showSoon(index);
    this.shown = this.trace.length;
    if (index === this.trace.length - 1) this.showAhead(0);
    this.showStanding(index);
    this.remember();
  }

  async showStanding(index) {
    const step = this.trace.steps[index];
    const visit = this.trace.visitOf(index);
    const pass = step.pass ? ` · pass ${step.pass}` : "";
    const place = `${index + 1} of ${this.trace.length}`;
    const at = duration(worked(step.ms, this.trace.waits));
    const head = `${place} · ${visit?.node ?? "start"}${pass} · +${at}`;
    const entry = this.trace.known(index) ?? (await this.trace.entry(index));
    if (this.at.index !== index) return;
    const line = `${step.type.replaceAll("_", " ")}: ${entry.summary}${this.waited(step)}`;
    byId("standing").replaceChildren(el("span", { className: "mono" }, head), ` ${line}`);
    byId("standing").title = line;
    byId("timeline").setAttribute("aria-valuetext", `${head}. ${line}`);
  }

  // What came of a step that asked a person something.
  waited(step) {
    const wait = waitAfter(step, this.trace.waits);
    if (!wait) return "";
    return ` · ${waitWords(wait)}${wait.until === null ? "" : ` ${duration(wait.until - wait.ms)}`}`;
  }

  remember() {
    const step = this.trace.steps[this.at.index];
    if (step) this.address.remember(step.first, this.inspector.name);
  }

  step(by) {
    this.take(this.at.index + by);
  }

  jumpPass(by) {
    const starts = this.trace.passes.map((pass) => this.trace.indexOf(pass.first));
    const stops = [0, ...starts, this.trace.length - 1];
    const next = by > 0
      ? stops.find((place) => place > this.at.index)
      : stops.findLast((place) => place < this.at.index);
    if (next !== undefined) this.take(next);
  }

  // The next stay in the node after the present step, or the first one.
  goToNode(node) {
    const stays = this.trace.visits.filter((visit) => visit.node === node);
    const here = this.trace.steps[this.at.index]?.last ?? 0;
    const visit = stays.find((stay) => stay.first > here) ?? stays[0];
    if (visit) this.take(this.trace.indexOf(visit.first));
  }

  showPlaying(playing) {
    const button = document.querySelector("[data-do=play]");
    button.setAttribute("aria-pressed", String(playing));
    button.querySelector("span").textContent = playing ? "Pause" : "Play";
  }

  showAhead(ahead) {
    const button = document.querySelector("[data-do=end]");
    this.ahead = ahead;
    button.hidden = !this.ahead;
    button.textContent = `${count(this.ahead, "new step")}, to the end`;
  }

  showSoFar() {
    const line = byId("so-far");
    if (!line) return;
    const calls = this.trace.steps.filter((step) => step.type === "model_call").length;
    const passes = count(this.trace.passes.length, "pass", "passes");
    line.textContent = `${passes} · ${count(calls, "call")} · ${duration(worked(this.trace.steps.at(-1)?.until ?? 0, this.trace.waits))}`;
  }
}

const replay = new Replay(byId("replay"));
replay.open().catch(() => {
  byId("standing").textContent = "The turn could not be read just now. Reload the page.";
});
