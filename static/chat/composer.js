// The field for the question: grows to eight lines, Enter sends, the button becomes Stop.

import { Tray } from "./tray.js";

const NEARLY = 0.9; // share of the limit from which the count is shown

const PLACEHOLDERS = { idle: "Ask a question", running: "Ask a question", waiting: "Ask something else…" };
const WITH_FILES = "Ask about your file";
const ABOUT = "What do you want to know about it?";

export class Composer {
  /**
   * `onAsk(text, attachments)` for a question, `onStop()` for the button while an answer runs,
   * `onBusy()` for Enter then, `onHint(words, isProblem)` for what is in the way of sending.
   */
  constructor(form, { limit, files, stage, ...heard }) {
    Object.assign(this, { form, limit }, heard);
    this.field = form.querySelector("textarea");
    this.button = form.querySelector("[type='submit']");
    this.count = document.getElementById("count");
    this.mode = "idle";
    this.tray = new Tray({
      form,
      stage,
      limits: files,
      onChange: () => this.#filesChanged(),
      onProblem: (words) => this.onHint(words, true),
    });
    this.field.addEventListener("input", () => this.#changed());
    this.field.addEventListener("keydown", (event) => this.#key(event));
    form.addEventListener("submit", (event) => this.#submit(event));
    this.#changed();
  }

  get text() {
    return this.field.value;
  }

  set text(value) {
    this.field.value = value;
    this.#changed();
  }

  get isEmpty() {
    return !this.text.trim() && this.tray.isEmpty;
  }

  /** `idle`, `running`, or `waiting` for the person: then there may be another question instead. */
  setMode(mode) {
    this.mode = mode;
    this.stopping = false;
    this.#allow();
  }

  /** The stop is on its way; pressing again would change nothing. */
  setStopping() {
    this.stopping = true;
    this.#allow();
  }

  /** A question that was not sent: its words and its files are here again, before any new ones. */
  putBack(text, attachments = []) {
    this.text = [text, this.text].filter((words) => words?.trim()).join("\n\n");
    if (attachments.length) this.tray.putBack(attachments);
  }

  focus() {
    this.field.focus();
  }

  /** The button ends a turn, unless the field holds what can be asked in its place. */
  get #isStop() {
    return this.mode === "running" || (this.mode === "waiting" && this.isEmpty);
  }

  #key(event) {
    // While an input method composes, Enter picks a candidate and sends nothing.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) {
      return;
    }
    event.preventDefault();
    if (this.mode === "running") this.onBusy();
    else this.#send();
  }

  #submit(event) {
    event.preventDefault();
    if (this.#isStop) this.onStop();
    else this.#send();
  }

  #send() {
    const text = this.field.value.trim();
    if (this.#length() > this.limit) return;
    if (!text && !this.tray.isEmpty) this.onHint(ABOUT, false);
    if (!text) {
      this.focus();
      return;
    }
    if (this.tray.isEmpty) this.#give(text, []);
    else this.#sendWithFiles(text);
  }

  async #sendWithFiles(text) {
    const attachments = await this.tray.take();
    if (attachments) this.#give(text, attachments);
  }

  #give(text, attachments) {
    this.text = "";
    this.onAsk(text, attachments);
  }

  #changed() {
    this.field.style.height = "auto";
    this.field.style.height = `${this.field.scrollHeight}px`;
    this.#allow();
    this.#countUp();
    this.onChange(this.field.value);
  }

  #filesChanged() {
    this.#allow();
    if (!this.tray.isEmpty) this.focus();
  }

  #allow() {
    const isStop = this.#isStop;
    const fits = !this.isEmpty && this.#length() <= this.limit;
    this.button.classList.toggle("stop", isStop);
    this.button.setAttribute("aria-label", isStop ? "Stop" : "Send");
    this.button.disabled = isStop ? Boolean(this.stopping) : !fits;
    this.field.placeholder = this.tray.isEmpty ? PLACEHOLDERS[this.mode] : WITH_FILES;
  }

  #countUp() {
    const length = this.#length();
    const shown = length > this.limit * NEARLY;
    const said = (number) => number.toLocaleString("en");
    this.count.textContent = shown ? `${said(length)} of ${said(this.limit)}` : "";
    this.count.classList.toggle("over", length > this.limit);
  }

  #length() {
    return [...this.field.value.trim()].length;
  }
}
