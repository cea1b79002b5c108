// The chat page: questions out, frames in, and each part told what it has to show.

import { announcer } from "./announce.js";
import { Branch } from "./branch.js";
import { Card } from "./card.js";
import { Composer } from "./composer.js";
import { listenForCopy, wordsOf } from "./copy.js";
import { listenForEdits, openEditor } from "./edit.js";
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
import { listenForVotes } from "./vote.js";

const BUSY = "An answer is still being written. Stop it first, or wait for it.";
const UNSENT = "No connection. Nothing was sent.";
const OLD = "This page is older than the site. Reload it.";
const SETTLE_AGAIN = 3_000; // ms, more with each try, until an answer is fetched again

const TOUCH = matchMedia("(hover: none)");

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
    this.branch = this.#branch();
    this.current = null; // the turn that runs, or that was asked and is not confirmed
    this.pending = null; // the command for it that the server has not confirmed
    this.putBack = null; // undoes what a pending command took off the page
    this.stopWanted = false;
    new Card(byId("card"), this.thread);
    followKeyboard(root);
    listenForCopy(this.thread, this.announce);
    this.#listen();
    this.#start();
  }

  // ---- what the person does

  ask(text) {
    if (this.#isBusy()) return;
    this.#begin({ type: "ask", text, client_id: freshId() }, Turn.asked(this.template, text));
    this.#sendPending();
  }

  /** Another question in the place of one that stands on the page; says whether it was taken. */
  edit(article, text) {
    if (this.#isBusy()) return false;
    const message = article.dataset.asked;
    this.#beginEdit(article, { type: "edit", message, text, client_id: freshId() });
    this.#andOn(() => this.#sendPending());
    return true;
  }

  /** A new answer in the place of the last one. It is sent once, as a repeat would be another. */
  retry(article) {
    if (this.#isBusy()) return;
    const frame = { type: "regenerate", turn: article.dataset.turn };
    if (!this.#sendNow(frame)) return;
    const forked = article.classList.contains("forked");
    const question = article.querySelector(".question").textContent;
    this.putBack = this.branch.cut(article);
    this.#begin(frame, Turn.asked(this.template, question, { forked }));
  }

  select(message) {
    if (!this.#isBusy()) this.#sendNow({ type: "select", message });
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
    else if (frame.type === "conversation") this.#changed(frame);
  }

  #changed({ selected_leaf }) {
    this.place.refresh();
    if (selected_leaf && selected_leaf !== this.branch.leaf && this.#isFree()) {
      this.branch.reload();
    }
  }

  #greeted(hello) {
    if (hello.v !== VERSION) this.status.say(OLD, { refused: true });
    const running = hello.running?.turn;
    const isRetry = this.pending?.type === "regenerate";
    if (this.current?.id) this.#resume(this.current.id, this.current.view.seq);
    else if (running && (isRetry || !this.pending)) this.#resume(running, 0);
    else if (isRetry) this.#lookAgain();
    this.#sendPending();
    this.#sendStop();
  }

  /** Whether the server had the retry is not known; what it shows now is. */
  #lookAgain() {
    this.#takeBack();
    this.branch.reload();
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
    if (this.current && !this.current.id) this.#confirm(frame, shown);
    else if (!this.current && !shown) this.#beganElsewhere(frame);
    this.place.settle();
    this.place.refresh();
  }

  /** Another page of the person asked. What it asked in the place of a turn changes the branch. */
  #beganElsewhere({ turn, data }) {
    if (data.kind !== "ask") {
      this.branch.reload();
      return;
    }
    const other = Turn.asked(this.template, data.question);
    other.bind(turn, data.message);
    this.#show(other);
  }

  /** The server has the command: the turn gets its name. It may stand on the page already. */
  #confirm({ turn, data }, shown) {
    this.putBack = null;
    this.#forget();
    if (shown) {
      this.#drop(this.current);
    } else {
      this.current.bind(turn, data.message);
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

  #begin(frame, turn) {
    this.pending = frame;
    this.#show(turn);
    if (frame.text) this.place.remember("ask", frame);
  }

  #beginEdit(article, frame) {
    this.putBack = this.branch.cut(article);
    this.#begin(frame, Turn.asked(this.template, frame.text, { forked: true }));
  }

  #forget() {
    this.pending = null;
    this.place.remember("ask", null);
  }

  #isBusy() {
    if (this.current) this.status.say(BUSY);
    return Boolean(this.current);
  }

  /** No turn runs here or is about to settle. */
  #isFree() {
    return !this.current && !this.thread.querySelector(".turn.running");
  }

  #sendNow(frame) {
    const sent = this.socket.send(frame);
    if (!sent) this.status.say(UNSENT, { refused: true });
    return sent;
  }

  /** Another branch stands on the page: go on with its last turn. */
  #shown(last) {
    if (!last) return;
    const turn = new Turn(last);
    if (!turn.isRunning) {
      this.status.sumUp(turn.view);
      return;
    }
    this.#follow(turn);
    this.#resume(turn.id, turn.view.seq);
  }

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
    this.putBack?.();
    this.putBack = null;
    if (this.empty && !this.thread.querySelector(".turn")) this.thread.append(this.empty);
    this.#idle();
  }

  /** A command that will not be carried out: its text goes back where it was typed. */
  #takeBack() {
    const { type, message, text } = this.pending;
    this.#forget();
    if (this.current && !this.current.id) {
      this.#drop(this.current);
      this.status.say("");
    }
    const edited = type === "edit" && this.branch.turnOf(message);
    if (edited) {
      openEditor(edited, { ...this.editing, text });
      return;
    }
    if (text && !this.composer.text) this.composer.text = text;
    this.composer.focus();
  }

  /** An ask or an edit may go out twice: its client id makes one of them. */
  #sendPending() {
    if (this.pending?.client_id) this.socket.send({ type: "ask", ...this.pending });
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

  #branch() {
    return new Branch(this.thread, {
      page: this.data.page,
      reader: this.reader,
      isFree: () => this.#isFree(),
      onShown: (last) => this.#shown(last),
    });
  }

  #listen() {
    this.editing = {
      limit: Number(this.data.limit),
      onEdit: (article, text) => this.edit(article, text),
    };
    listenForEdits(this.thread, this.editing);
    listenForVotes(this.thread, {
      send: (frame) => this.#sendNow(frame),
      announce: this.announce,
    });
    this.thread.addEventListener("click", ({ target }) => {
      const button = target.closest("[data-ask], [data-select], .retry");
      if (!button) return;
      const { ask, select } = button.dataset;
      if (select) this.select(select);
      else if (ask) this.#andOn(() => this.ask(ask));
      else this.#andOn(() => this.retry(button.closest(".turn")));
    });
  }

  /** A press that takes its own button away: the focus goes on to the field. */
  #andOn(change) {
    change();
    // On a touch screen the focus would bring up a keyboard over what is to be read.
    if (!TOUCH.matches) this.composer.focus();
  }

  /** Go on where the page was left: a running turn, an unconfirmed ask, text not sent. */
  #start() {
    const text = this.place.recall("text");
    const unconfirmed = this.place.recall("ask");
    if (text) this.composer.text = text;
    this.started = true;
    const last = this.thread.querySelector(".turn:last-child");
    if (last?.classList.contains("running")) this.#follow(new Turn(last));
    else if (unconfirmed?.type === "edit") this.#editAgain(unconfirmed);
    else if (unconfirmed && this.place.exists) {
      this.#begin(unconfirmed, Turn.asked(this.template, unconfirmed.text));
    } else if (unconfirmed && !text) this.composer.text = unconfirmed.text;
    else if (last) this.status.sumUp(new Turn(last).view);
    this.reader.toEnd();
    this.socket.connect();
    this.socket.hurryOnReturn();
  }

  /** An edit that the server may not have: if it has, the old question is off this branch. */
  #editAgain(frame) {
    const article = this.branch.turnOf(frame.message);
    if (article) this.#beginEdit(article, frame);
    else this.#forget();
  }
}

new ChatPage(byId("chat"));
