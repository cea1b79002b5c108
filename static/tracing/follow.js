// All turns as they happen: a line each, the newest on top. Lines change in place; new ones are held
// back while one reads further down or has pressed pause.

import { duration, el } from "./words.js";

const TICK = 1000; // ms between two looks at the times of turns that run
const SUPPORTED = new Set(["answered"]);
const PARTLY = new Set([
  "answered_with_caveat", "no_evidence", "no_progress", "pass_cap", "token_cap", "cost_cap", "time_cap", "tool_cap",
]);
const FAILED = new Set(["gate_blocked", "control_failed", "model_failed", "step_limit", "interrupted"]);

class Follow {
  constructor(table) {
    this.table = table;
    this.lines = document.getElementById("lines");
    this.most = Number(table.dataset.lines);
    this.outside = new Set(table.dataset.outside.split(" "));
    this.heldButton = document.getElementById("held");
    this.pauseButton = document.getElementById("pause");
    this.held = []; // lines that were not put in yet, the oldest first
    this.rows = new Map();
    for (const row of this.lines.rows) this.know(row);
    this.paused = false;
    this.breaks = 0;
  }

  start() {
    const { events, after } = this.table.dataset;
    const hears = {
      turn_started: (frame) => this.began(frame),
      stage: (frame) => this.stage(frame),
      clarification: (frame) => this.now(frame, "partly", "waits for a reply"),
      action: (frame) => this.now(frame, "partly", "waits for a yes"),
      turn_finished: (frame) => this.ended(frame),
    };
    this.source = new EventSource(`${events}?after=${after}&types=${Object.keys(hears)}`);
    for (const [type, hear] of Object.entries(hears)) {
      this.source.addEventListener(type, (event) => hear(JSON.parse(event.data)));
    }
    this.source.addEventListener("open", () => this.showLine("live"));
    // A stored event of the type `error` has data; a broken line has none.
    this.source.addEventListener("error", (event) => event.data || this.broken());
    window.addEventListener("pagehide", () => this.source.close());
    window.addEventListener("online", () => this.source.readyState === EventSource.CLOSED && this.again());
    this.pauseButton.addEventListener("click", () => this.pause(!this.paused));
    this.heldButton.addEventListener("click", () => this.letIn());
    window.addEventListener("scroll", () => this.isReading() || this.paused || this.letIn(), { passive: true });
    document.getElementById("outside").addEventListener("change", (event) => {
      this.lines.dataset.outside = event.target.checked ? "shown" : "hidden";
    });
    document.addEventListener("keydown", (event) => {
      const isTaken = event.target.closest("button, a, input");
      if (event.key !== " " || isTaken) return;
      event.preventDefault();
      this.pause(!this.paused);
    });
    setInterval(() => this.tick(), TICK);
  }

  know(row) {
    row.classList.toggle("outside", this.outside.has(row.dataset.kind));
    this.rows.set(row.dataset.turn, row);
  }

  // One who has scrolled down is reading: nothing may push the lines away.
  isReading() {
    return window.scrollY > 80;
  }

  began({ turn, at, data }) {
    if (this.rows.has(turn)) return;
    const row = this.line(turn, at, data);
    this.know(row);
    if (this.paused || this.isReading()) this.hold(row);
    else this.put(row);
  }

  line(turn, at, { question, kind }) {
    const href = `${this.table.dataset.replay}${turn}/`;
    const other = kind === "ask" ? null : el("span", { className: "kind" }, ` ${kind}`);
    const row = el(
      "tr",
      { className: "open" },
      el("td", { className: "question" }, el("a", { href }, question || "(erased)"), other),
      el("td", { className: "now" }, el("span", { className: "signal running" }, "begins")),
      el("td", { className: "number time" }, "–"),
      el("td", { className: "number when" }, el("time", { dateTime: at }, at.slice(11, 19))),
    );
    Object.assign(row.dataset, { turn, kind, began: at });
    return row;
  }

  put(row) {
    this.lines.prepend(row);
    this.cut();
  }

  // The list stays as long as it may be: the oldest lines go.
  cut() {
    while (this.lines.rows.length > this.most) this.forget(this.lines.lastElementChild);
  }

  hold(row) {
    this.held.push(row);
    if (this.held.length > this.most) this.rows.delete(this.held.shift().dataset.turn);
    this.showHeld();
  }

  letIn() {
    if (!this.held.length) return;
    for (const row of this.held.splice(0)) this.put(row);
    this.showHeld();
  }

  forget(row) {
    this.rows.delete(row.dataset.turn);
    row.remove();
  }

  showHeld() {
    const shown = this.held.filter((row) => !row.classList.contains("outside") || this.lines.dataset.outside === "shown");
    this.heldButton.hidden = !shown.length;
    this.heldButton.textContent = shown.length === 1 ? "1 new turn above" : `${shown.length} new turns above`;
  }

  stage(frame) {
    const { phase, label } = frame.data;
    if (phase === "enter") this.now(frame, "running", label);
    else if (phase === "paused") this.now(frame, "partly", "waits for the person");
  }

  now({ turn }, signal, words) {
    const row = this.rows.get(turn);
    if (!row) return;
    const said = row.querySelector(".now .signal");
    said.className = `signal ${signal}`;
    said.textContent = words;
    said.title = words;
  }

  ended(frame) {
    const { termination, ms } = frame.data;
    const row = this.rows.get(frame.turn);
    if (!row) return;
    row.classList.remove("open");
    this.now(frame, signalOf(termination), termination.replaceAll("_", " "));
    row.querySelector(".time").textContent = duration(ms);
  }

  tick() {
    for (const row of this.lines.querySelectorAll("tr.open")) {
      const ms = Math.max(Date.now() - Date.parse(row.dataset.began), 0);
      row.querySelector(".time").textContent = ms < 60000 ? `${Math.floor(ms / 1000)} s` : duration(ms);
    }
  }

  pause(paused) {
    this.paused = paused;
    this.pauseButton.setAttribute("aria-pressed", String(paused));
    this.pauseButton.textContent = paused ? "Go on" : "Pause";
    if (!paused) this.letIn();
    this.showLine(this.state);
  }

  // The browser comes back by itself and says what it saw last; it gives up where it was refused.
  broken() {
    if (this.state !== "lost") this.breaks += 1;
    this.showLine("lost");
    if (this.source.readyState === EventSource.CLOSED) this.showLine("closed");
  }

  again() {
    location.reload();
  }

  showLine(state) {
    this.state = state;
    const times = this.breaks === 1 ? "once" : `${this.breaks} times`;
    const back = this.breaks ? `, reconnected ${times}` : "";
    const [signal, words] = {
      live: this.paused ? ["unchecked", `Paused${back}`] : ["supported", `Live${back}`],
      lost: ["failed", `Connection lost ${times}, trying again`],
      closed: ["failed", "The line was closed. Reload the page."],
    }[state] ?? ["running", "Joining"];
    const line = document.getElementById("line");
    line.dataset.state = state;
    line.replaceChildren(el("span", { className: `signal ${signal}` }, words));
  }
}

function signalOf(termination) {
  if (SUPPORTED.has(termination)) return "supported";
  if (PARTLY.has(termination)) return "partly";
  return FAILED.has(termination) ? "failed" : "unchecked";
}

new Follow(document.getElementById("follow")).start();
