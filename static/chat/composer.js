// The field for the question: grows to eight lines, Enter sends, the button becomes Stop.

const NEARLY = 0.9; // share of the limit from which the count is shown

export class Composer {
  /** `onAsk(text)` for a question, `onStop()` for the button while an answer runs. */
  constructor(form, { limit, onAsk, onStop, onChange, onBusy }) {
    Object.assign(this, { form, limit, onAsk, onStop, onChange, onBusy });
    this.field = form.querySelector("textarea");
    this.button = form.querySelector("button");
    this.count = document.getElementById("count");
    this.running = false;
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

  setRunning(running) {
    this.running = running;
    this.button.classList.toggle("stop", running);
    this.button.setAttribute("aria-label", running ? "Stop" : "Send");
    this.#allow();
  }

  /** The stop is on its way; pressing again would change nothing. */
  setStopping() {
    this.button.disabled = true;
  }

  focus() {
    this.field.focus();
  }

  #key(event) {
    // While an input method composes, Enter picks a candidate and sends nothing.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) {
      return;
    }
    event.preventDefault();
    if (this.running) this.onBusy();
    else this.#send();
  }

  #submit(event) {
    event.preventDefault();
    if (this.running) this.onStop();
    else this.#send();
  }

  #send() {
    const text = this.field.value.trim();
    if (!text || this.#length() > this.limit) return;
    this.text = "";
    this.onAsk(text);
  }

  #changed() {
    this.field.style.height = "auto";
    this.field.style.height = `${this.field.scrollHeight}px`;
    this.#allow();
    this.#countUp();
    this.onChange(this.field.value);
  }

  #allow() {
    const fits = this.field.value.trim() && this.#length() <= this.limit;
    this.button.disabled = !this.running && !fits;
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
