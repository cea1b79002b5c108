// Plays steps: so many a second, or with the waits that there were.

const LONGEST_WAIT = 10000; // ms; a person's pause over a question back is not sat out

export class Player {
  constructor(trace, { at, go, onchange }) {
    this.trace = trace;
    this.at = at; // gives the present { index, ms }
    this.go = go; // takes the next one
    this.onchange = onchange;
    this.speed = "4";
    this.frame = 0;
  }

  get playing() {
    return this.frame !== 0;
  }

  toggle() {
    if (this.playing) this.stop();
    else this.start();
  }

  start() {
    if (this.at().index >= this.trace.length - 1) this.go(0, 0);
    this.before = performance.now();
    this.owed = 0;
    this.frame = requestAnimationFrame((now) => this.tick(now));
    this.onchange(true);
  }

  stop() {
    if (!this.playing) return;
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.onchange(false);
  }

  tick(now) {
    const passed = Math.max(now - this.before, 0); // a frame may have begun before the press
    this.before = now;
    if (this.speed === "recorded") this.byTime(passed);
    else this.evenly(passed * Number(this.speed));
    if (!this.playing) return;
    if (this.at().index >= this.trace.length - 1 && this.isOver()) this.stop();
    else this.frame = requestAnimationFrame((next) => this.tick(next));
  }

  // The last step lasts as long as its tokens do.
  isOver() {
    return this.speed !== "recorded" || this.at().ms >= this.trace.steps.at(-1).until;
  }

  evenly(passed) {
    this.owed += passed;
    const steps = Math.floor(this.owed / 1000);
    if (!steps) return;
    this.owed -= steps * 1000;
    const index = Math.min(this.at().index + steps, this.trace.length - 1);
    this.go(index, this.trace.steps[index].until);
  }

  byTime(passed) {
    const { steps } = this.trace;
    let { index, ms } = this.at();
    ms += passed;
    const next = steps[index + 1];
    if (next) ms = Math.max(ms, next.ms - LONGEST_WAIT);
    while (index + 1 < steps.length && steps[index + 1].ms <= ms) index += 1;
    this.go(index, ms);
  }
}
