// Where the reader is: the page follows only while they are at the end, and says so otherwise.

const NEAR = 32; // px from the end that still count as the end

export class Reader {
  constructor(scroller, button) {
    this.scroller = scroller;
    this.button = button;
    this.atEnd = true;
    scroller.addEventListener("scroll", () => this.#look(), { passive: true });
    button.addEventListener("click", () => this.toEnd());
    new ResizeObserver(() => this.atEnd && this.toEnd()).observe(scroller);
  }

  toEnd() {
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.#look();
  }

  /** Run a change that adds to the end, and follow it if the reader is there. */
  follow(change) {
    const followed = this.atEnd;
    change();
    if (followed) this.toEnd();
    else this.#offer();
  }

  /**
   * Run a change without moving what is read: the element named by `place` stays put.
   * What comes below it is offered, unless it is no `news`.
   */
  stay(place, change, { news = true } = {}) {
    const before = place()?.getBoundingClientRect().top;
    change();
    const after = place()?.getBoundingClientRect().top;
    if (before !== undefined && after !== undefined) this.scroller.scrollTop += after - before;
    this.#look();
    if (news) this.#offer();
    else this.button.hidden = true;
  }

  #left() {
    return this.scroller.scrollHeight - this.scroller.scrollTop - this.scroller.clientHeight;
  }

  #look() {
    this.atEnd = this.#left() <= NEAR;
    if (this.atEnd) this.button.hidden = true;
  }

  #offer() {
    this.button.hidden = this.#left() <= NEAR;
  }
}
