// The bar that says the connection is gone, counts the tries, and offers one at once.

const PATIENCE = 1_200; // ms; a connection that is back by then was not worth a word

export class OfflineBar {
  constructor(element, onNow) {
    this.element = element;
    this.words = element.querySelector("#offline-words");
    element.querySelector("button").addEventListener("click", onNow);
  }

  lost({ tries, pause, isFull }) {
    this.tries = tries;
    this.isFull = isFull;
    this.next = performance.now() + pause;
    this.patience ??= setTimeout(() => { this.element.hidden = false; }, PATIENCE);
    clearInterval(this.ticker);
    this.ticker = setInterval(() => this.#tell(), 250);
    this.#tell();
  }

  found() {
    clearTimeout(this.patience);
    clearInterval(this.ticker);
    this.patience = null;
    this.element.hidden = true;
  }

  #tell() {
    const seconds = Math.ceil((this.next - performance.now()) / 1000);
    const when = seconds > 0 ? `Trying again in ${seconds} s` : "Trying now";
    const words = this.isFull
      ? `This chat is open on too many pages. Close one. ${when}.`
      : `No connection. ${when}, try ${this.tries}.`;
    if (this.words.textContent !== words) this.words.textContent = words;
  }
}
