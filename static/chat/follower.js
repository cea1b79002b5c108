// The turns that run: the one that is followed, and waiting ones that a new question set aside.

import { wordsOf } from "./copy.js";

const SETTLE_AGAIN = 3_000; // ms, more with each try, until an answer is fetched again

export class Follower {
  /** `page` is the conversation's address; `resume(turn)` asks for what is missing of one. */
  constructor(thread, { page, reader, status, composer, announce, resume, onOver, onAsked }) {
    Object.assign(this, { thread, page, reader, status, composer, announce, resume });
    Object.assign(this, { onOver, onAsked });
    this.current = null; // the turn that runs, or that was asked and is not confirmed
    this.aside = new Map(); // by their names: turns that wait for their end
  }

  /** A turn is at work, or about to be. One that waits for the person stands in nobody's way. */
  get isBusy() {
    return Boolean(this.current && (!this.current.waits || this.current.pause.isSending));
  }

  /** No turn runs here or is about to settle. */
  get isFree() {
    return !this.current && !this.thread.querySelector(".turn.running");
  }

  follow(turn) {
    this.current = turn;
    turn.onAsked = () => turn === this.current && this.onAsked(turn);
    this.status.watch(() => turn.view);
    if (turn.view.withdrawn && !turn.view.draft) this.status.say(turn.view.withdrawn);
    this.#mark();
  }

  /** Another turn takes the place of one that waits. What is returned undoes it. */
  setAside() {
    const turn = this.current;
    if (!turn) return null;
    this.aside.set(turn.id, turn);
    turn.pause.lock();
    this.current = null;
    return () => {
      if (!this.aside.delete(turn.id)) return;
      turn.pause.giveBack();
      this.follow(turn);
    };
  }

  /** Nothing is followed any more. */
  rest() {
    this.current = null;
    this.status.rest();
    this.#mark();
  }

  take(frame) {
    const turn = this.current?.id === frame.turn ? this.current : this.aside.get(frame.turn);
    if (!turn) return;
    if (!turn.take(frame)) this.resume(turn);
    else if (turn.isOver) this.#over(turn);
    else this.#goesOn(turn, frame);
  }

  #goesOn(turn, { type, data }) {
    turn.paintSoon((paint) => this.reader.follow(paint));
    if (turn !== this.current) return;
    if (type === "draft_withdrawn") this.status.say(data.why);
    this.#mark();
  }

  #over(turn) {
    const isAside = this.aside.delete(turn.id);
    turn.pause.end();
    if (!isAside) {
      this.rest();
      this.status.sumUp(turn.view);
      this.onOver();
    }
    this.#settle(turn, { isAside });
  }

  async #settle(turn, { isAside, attempt = 1 }) {
    const html = await turn.fetched(this.page);
    if (html) {
      const read = isAside ? this.thread.lastElementChild : turn.article;
      this.reader.stay(() => (isAside ? read : turn.article), () => turn.settle(html), {
        news: !isAside,
      });
      if (!isAside) this.announce(wordsOf(turn.said, () => ""));
    } else {
      turn.paintSoon((paint) => this.reader.follow(paint));
      setTimeout(() => this.#settle(turn, { isAside, attempt: attempt + 1 }), attempt * SETTLE_AGAIN);
    }
  }

  #mark() {
    const { current } = this;
    this.composer.setMode(current ? (current.waits ? "waiting" : "running") : "idle");
  }
}
