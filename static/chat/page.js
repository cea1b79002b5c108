// The chat page: questions out, frames in, and each part told what it has to show.

import { announcer } from "./announce.js";
import { Card } from "./card.js";
import { Composer } from "./composer.js";
import { listenForCopy, wordsOf } from "./copy.js";
import { OfflineBar } from "./offline.js";
import { Place } from "./place.js";
import { VERSION } from "./protocol.js";
import { Rail } from "./rail.js";
import { Reader } from "./scroll.js";
import { addressOf, ChatSocket } from "./socket.js";
import { StatusLine } from "./status.js";
import { freshId } from "./store.js";
import { Turn } from "./turn.js";
import { followKeyboard } from "./viewport.js";

const BUSY = "An answer is still being written. Stop it first, or wait for it.";
const OLD = "This page is older than the site. Reload it.";
const SETTLE_AGAIN = 3_000; // ms, more with each try, until an answer is fetched again

const byId = (id) => document.getElementById(id);

class ChatPage {
  constructor(root) {
    this.data = root.dataset;
    this.thread = byId("thread");
    this.template = byId("turn-template");
    this.empty = byId("empty");
    this.announce = announcer(byId("announcer"));
    this.reader = new Reader(byId("scroll"), byId("below"));
    this.status = this.#status();
    this.place = new Place(root, new Rail());
    this.composer = this.#composer();
    this.offline = new OfflineBar(byId("offline"), () => this.socket.hurry());
    this.socket = this.#socket();
    this.current = null; // the turn that runs, or that was asked and is not confirmed
    this.pending = null; // the ask that the server has not confirmed
    this.stopWanted = false;
    new Card(byId("card"), this.thread);
    followKeyboard(root);
    listenForCopy(this.thread, this.announce);
    this.#listen();
    this.#start();
  }

  // ---- what the person does

  ask(text) {
    if (this.current) {
      this.status.say(BUSY);
      return;
    }
    this.pending = { text, client_id: freshId() };
    this.#show(Turn.asked(this.template, text));
    this.place.remember("ask", this.pending);
    this.#sendPending();
  }

  stop() {
    this.stopWanted = true;
    if (this.pending && !this.socket.isOpen) this.#takeBack();
    else if (this.#sendStop()) this.composer.setStopping();
  }

  // ---- what the server says

  hear(frame) {
    if (frame.turn) this.#event(frame);
    else if (frame.type === "hello") this.#greeted(frame);
    else if (frame.type === "refused") this.#refused(frame);
    else if (frame.type === "conversation") this.place.refresh();
  }

  #greeted(hello) {
    if (hello.v !== VERSION) this.status.say(OLD, { refused: true });
    const running = hello.running?.turn;
    if (this.current?.id) this.#resume(this.current.id, this.current.view.seq);
    else if (running && !this.pending) this.#resume(running, 0);
    this.#sendPending();
    this.#sendStop();
  }

  #event(frame) {
    if (frame.type === "turn_started") this.#began(frame);
    const turn = this.current;
    if (turn?.id !== frame.turn) return;
    if (!turn.take(frame)) this.#resume(turn.id, turn.view.seq);
    else if (turn.isOver) this.#over(turn);
    else turn.paintSoon((paint) => this.reader.follow(paint));
  }

  #began(frame) {
    if (this.current?.id === frame.turn) return;
    const shown = this.thread.querySelector(`[data-turn="${frame.turn}"]`);
    if (this.current && !this.current.id) this.#confirm(frame.turn, shown);
    else if (!this.current && !shown) {
      const other = Turn.asked(this.template, frame.data.question);
      other.bind(frame.turn);
      this.#show(other);
    }
    this.place.settle();
    this.place.refresh();
  }

  /** The server has the ask: the turn gets its name. It may stand on the page already. */
  #confirm(id, shown) {
    this.pending = null;
    this.place.remember("ask", this.pending);
    if (shown) {
      this.#drop(this.current);
    } else {
      this.current.bind(id);
      this.#sendStop();
    }
  }

  #over(turn) {
    this.#idle();
    this.status.sumUp(turn.view);
    this.#settle(turn);
  }

  async #settle(turn, attempt = 1) {
    const html = await turn.fetched(this.data.page);
    if (html) {
      this.reader.stay(() => turn.article, () => turn.settle(html));
      this.announce(wordsOf(turn.said, () => ""));
      this.place.refresh();
    } else {
      turn.paintSoon((paint) => this.reader.follow(paint));
      setTimeout(() => this.#settle(turn, attempt + 1), attempt * SETTLE_AGAIN);
    }
  }

  #refused({ code, message }) {
    if (code === "not_yours") this.socket.end();
    if (this.pending) this.#takeBack();
    this.status.say(message, { refused: true });
  }

  // ---- what follows

  #show(turn) {
    this.empty?.remove();
    this.thread.append(turn.article);
    this.#follow(turn);
    this.reader.toEnd();
  }

  #follow(turn) {
    this.current = turn;
    this.composer.setRunning(true);
    this.status.watch(() => turn.view);
  }

  #idle() {
    this.current = null;
    this.stopWanted = false;
    this.status.rest();
    this.composer.setRunning(false);
  }

  #drop(turn) {
    turn.article.remove();
    if (this.empty && !this.thread.querySelector(".turn")) this.thread.append(this.empty);
    this.#idle();
  }

  /** An ask that will not be answered: its text goes back where it was typed. */
  #takeBack() {
    const { text } = this.pending;
    this.pending = null;
    this.place.remember("ask", this.pending);
    if (this.current && !this.current.id) {
      this.#drop(this.current);
      this.status.say("");
    }
    if (!this.composer.text) this.composer.text = text;
    this.composer.focus();
  }

  #sendPending() {
    if (this.pending) this.socket.send({ type: "ask", ...this.pending });
  }

  #sendStop() {
    const turn = this.current?.id;
    return Boolean(this.stopWanted && turn && this.socket.send({ type: "stop", turn }));
  }

  #resume(turn, after) {
    this.socket.send({ type: "resume", turn, after });
  }

  // ---- set-up

  #composer() {
    return new Composer(byId("composer"), {
      limit: Number(this.data.limit),
      onAsk: (text) => this.ask(text),
      onStop: () => this.stop(),
      onBusy: () => this.status.say(BUSY),
      onChange: (text) => this.started && this.place.remember("text", text),
    });
  }

  #status() {
    return new StatusLine(byId("status"), {
      announce: this.announce,
      before: () => (this.socket.isOpen ? "Sending" : "Waiting for the connection"),
    });
  }

  #socket() {
    return new ChatSocket(addressOf(this.data.socket), {
      onFrame: (frame) => this.hear(frame),
      onLost: (news) => this.offline.lost(news),
      onFound: () => this.offline.found(),
    });
  }

  #listen() {
    this.thread.addEventListener("click", (event) => {
      const asks = event.target.closest("[data-ask]");
      if (!asks) return;
      this.ask(asks.dataset.ask);
      this.composer.focus();
    });
  }

  /** Go on where the page was left: a running turn, an unconfirmed ask, text not sent. */
  #start() {
    const text = this.place.recall("text");
    const unconfirmed = this.place.recall("ask");
    if (text) this.composer.text = text;
    this.started = true;
    const last = this.thread.querySelector(".turn:last-child");
    if (last?.classList.contains("running")) this.#follow(new Turn(last));
    else if (unconfirmed && this.place.exists) {
      this.pending = unconfirmed;
      this.#show(Turn.asked(this.template, unconfirmed.text));
    } else if (unconfirmed && !text) this.composer.text = unconfirmed.text;
    else if (last) this.status.sumUp(new Turn(last).view);
    this.reader.toEnd();
    this.socket.connect();
    this.socket.hurryOnReturn();
  }
}

new ChatPage(byId("chat"));
