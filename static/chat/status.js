// The one status line: the present stage and its time, and all stages behind it.

import { waits } from "./protocol.js";
import { clockOf, readableStages, summaryOf, timeOf, waitingFor } from "./words.js";

const MOMENT = 4_000; // ms
const SECONDS = /in \d+ seconds?(?=\.$)/;
const AGAIN = "You can ask again now.";
const TICK = 100; // ms; a label stands at least this long, so that quick stages do not flicker

export class StatusLine {
  /** `announce(words)` reads words out; `before()` says what goes on before the first stage. */
  constructor(element, { announce, before }) {
    Object.assign(this, { element, announce, before });
    this.now = element.querySelector(".now");
    this.time = element.querySelector(".time");
    this.pulse = element.querySelector(".pulse");
    this.list = element.querySelector(".stages");
    element.querySelector("summary").addEventListener("click", (event) => {
      if (element.classList.contains("nothing")) event.preventDefault();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") element.open = false;
    });
    document.addEventListener("click", (event) => {
      if (!element.contains(event.target)) element.open = false;
    });
  }

  /**
   * Words that are no stage. While a turn is followed they stand for a moment, else for good.
   * With `after` seconds they count down, and then say that it is over.
   */
  say(words, { refused = false, after = 0 } = {}) {
    this.announce(words);
    clearInterval(this.countdown);
    this.aside = { words, refused, until: performance.now() + MOMENT };
    if (this.timer) return;
    this.#write(words, "");
    this.#draw([]);
    this.element.classList.toggle("refused", refused);
    this.element.open = false;
    if (after > 0 && SECONDS.test(words)) this.#countDown(words, performance.now() + after * 1000);
  }

  #countDown(words, until) {
    this.countdown = setInterval(() => {
      const left = Math.ceil((until - performance.now()) / 1000);
      if (left > 0) this.#write(words.replace(SECONDS, secondsOf(left)), "");
      else this.say(AGAIN);
    }, 1_000);
  }

  /** Follow a turn until it is over; `view` gives its present view. */
  watch(view) {
    clearInterval(this.countdown);
    this.rest();
    this.view = view;
    this.seen = 0;
    this.since = performance.now();
    this.aside = null;
    this.pulse.hidden = false;
    this.timer = setInterval(() => this.#tick(), TICK);
    this.#tick();
  }

  /** Sum up a turn that is over. */
  sumUp(view) {
    this.rest();
    const { word, time } = view.finished ? summaryOf(view.finished) : { word: "", time: "" };
    this.element.classList.remove("refused");
    this.#write(word, time);
    this.#draw(view.stages);
  }

  /** Nothing is followed any more. */
  rest() {
    clearInterval(this.timer);
    this.timer = null;
    this.pulse.hidden = true;
  }

  #tick() {
    const view = this.view();
    const { stages } = view;
    if (stages.length !== this.seen) {
      this.seen = stages.length;
      this.since = performance.now();
    }
    const aside = this.aside?.until > performance.now() ? this.aside : null;
    const isWaiting = waits(view);
    this.element.classList.toggle("refused", Boolean(aside?.refused));
    this.pulse.hidden = isWaiting;
    if (aside) this.#write(aside.words, "");
    else if (isWaiting) this.#wait(waitingFor(view));
    else this.#tell(stages.at(-1)?.label ?? this.before());
    this.#draw(stages);
  }

  #tell(label) {
    if (label !== this.now.textContent) this.announce(label);
    this.#write(label, clockOf(performance.now() - this.since));
  }

  /** No clock runs while it is the person's turn. */
  #wait({ words, spoken }) {
    if (words !== this.now.textContent) this.announce(spoken);
    this.#write(words, "");
    this.since = performance.now();
  }

  #write(words, time) {
    if (this.now.textContent !== words) this.now.textContent = words;
    this.time.textContent = time;
  }

  #draw(stages) {
    const lines = readableStages(stages);
    const drawn = JSON.stringify(lines);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.element.classList.toggle("nothing", lines.length === 0);
    this.list.replaceChildren(...lines.map((line, at) => lineOf(line, at === lines.length - 1)));
  }
}

const secondsOf = (left) => `in ${left} second${left === 1 ? "" : "s"}`;

/** A stage without a time is the present one, or was cut off. */
function lineOf({ label, ms }, isLast) {
  const line = document.createElement("li");
  const words = document.createElement("span");
  const time = document.createElement("span");
  words.textContent = label;
  time.className = "time";
  time.textContent = ms === null ? (isLast ? "now" : "–") : timeOf(ms);
  line.append(words, time);
  return line;
}
