// What the server says to the chat page, and what the page makes of it.

import { VERSION } from "./protocol.js";
import { Turn } from "./turn.js";

const OLD = "This page is older than the site. Reload it.";

export class Hearing {
  constructor(page) {
    this.page = page;
  }

  hear(frame) {
    if (frame.turn) this.#event(frame);
    else if (frame.type === "hello") this.#greeted(frame);
    else if (frame.type === "refused") this.#refused(frame);
    else if (frame.type === "conversation") this.#changed(frame);
  }

  #changed({ selected_leaf }) {
    this.page.place.refresh();
    if (selected_leaf && selected_leaf !== this.page.branch.leaf && this.page.follower.isFree) {
      this.page.branch.reload();
    }
  }

  #greeted(hello) {
    if (hello.v !== VERSION) this.page.status.say(OLD, { refused: true });
    const { current, aside } = this.page.follower;
    const running = hello.running?.turn;
    const isRetry = this.page.pending.type === "regenerate";
    for (const turn of aside.values()) this.page.resume(turn);
    if (current?.id) this.#goOn(current);
    else if (running && (isRetry || !this.page.pending.frame)) this.page.resumeFrom(running, 0);
    else if (isRetry) this.#lookAgain();
    this.page.pending.sendOver(this.page.socket);
    this.page.sendStop();
  }

  /** Whether the server had a reply is not known; what it sends now tells. */
  #goOn(turn) {
    this.page.replied = null;
    turn.pause.unlock();
    this.page.resume(turn);
  }

  /** Whether the server had the retry is not known; what it shows now is. */
  #lookAgain() {
    this.page.takeBack();
    this.page.branch.reload();
  }

  #event(frame) {
    if (frame.type === "turn_started") this.#began(frame);
    this.page.follower.take(frame);
  }

  #began(frame) {
    const { current, aside } = this.page.follower;
    if (current?.id === frame.turn || aside.has(frame.turn)) return;
    const shown = this.page.thread.querySelector(`[data-turn="${frame.turn}"]`);
    if (current && !current.id) this.#confirm(frame, shown);
    else if (!shown && !this.page.follower.isBusy) this.#beganElsewhere(frame);
    this.page.place.settle();
    this.page.place.refresh();
  }

  /** Another page of the person asked. What it asked in the place of a turn changes the branch. */
  #beganElsewhere({ turn, data }) {
    if (data.kind !== "ask") {
      this.page.branch.reload();
      return;
    }
    const other = Turn.asked(this.page.template, data.question);
    other.bind(turn, data.message);
    this.page.follower.setAside();
    this.page.show(other);
  }

  /** The server has the command: the turn gets its name. It may stand on the page already. */
  #confirm({ turn, data }, shown) {
    const { current } = this.page.follower;
    this.page.pending.confirm();
    if (shown) {
      this.page.drop(current);
    } else {
      current.bind(turn, data.message);
      this.page.sendStop();
    }
  }

  #refused({ code, message, retry_after: after }) {
    const { replied } = this.page;
    this.page.replied = null;
    if (code === "not_yours") this.page.socket.end();
    if (this.page.pending.frame) this.page.takeBack();
    else if (replied) this.#unsaid(replied, code);
    this.page.status.say(message, { refused: true, after });
  }

  /** A reply that was not taken: its words go back where they can be used. */
  #unsaid({ turn, typed }, code) {
    if (turn.waits) turn.pause.giveBack();
    else this.page.composer.putBack(typed);
    if (code === "nothing_waiting") this.page.resume(turn);
  }
}
