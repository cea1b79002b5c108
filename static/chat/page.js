// The chat page: what the person does, and what follows from it.

import { Card } from "./card.js";
import { listenForCopy } from "./copy.js";
import { listenForEdits, openEditor } from "./edit.js";
import { bytesIn } from "./files.js";
import { makeParts } from "./parts.js";
import { listenForReplies } from "./pause.js";
import { Pending } from "./pending.js";
import { freshId } from "./store.js";
import { Turn } from "./turn.js";
import { followKeyboard } from "./viewport.js";
import { listenForVotes } from "./vote.js";

const BUSY = "An answer is still being written. Stop it first, or wait for it.";
const UNSENT = "No connection. Nothing was sent.";

const TOUCH = matchMedia("(hover: none)");

class ChatPage {
  constructor(root) {
    this.data = root.dataset;
    makeParts(this, root);
    this.pending = new Pending(this.place);
    this.replied = null; // the last reply to a turn that waits, until it is known to be taken
    this.stopWanted = false;
    new Card(document.getElementById("card"), this.thread);
    followKeyboard(root);
    listenForCopy(this.thread, this.announce);
    this.#listen();
    this.#start();
  }

  // ---- what the person does

  /** A question. It may take the place of one that waits for the person. */
  ask(text, attachments = []) {
    if (this.follower.isBusy) {
      this.isBusy();
      this.composer.putBack(text, attachments);
      return;
    }
    const files = attachments.map((file) => ({ ...file, size: bytesIn(file.data) }));
    const frame = { type: "ask", text, client_id: freshId() };
    this.#begin(
      files.length ? { ...frame, attachments } : frame,
      Turn.asked(this.template, text, { files }),
      this.follower.setAside(),
    );
    this.pending.sendOver(this.socket);
  }

  /** Another question in the place of one that stands on the page; says whether it was taken. */
  edit(article, text) {
    if (this.isBusy()) return false;
    const message = article.dataset.asked;
    this.#beginEdit(article, { type: "edit", message, text, client_id: freshId() });
    this.#andOn(() => this.pending.sendOver(this.socket));
    return true;
  }

  /** A new answer in the place of the last one. It is sent once, as a repeat would be another. */
  retry(article) {
    if (this.isBusy()) return;
    const frame = { type: "regenerate", turn: article.dataset.turn };
    if (!this.#sendNow(frame)) return;
    const forked = article.classList.contains("forked");
    const question = article.querySelector(".question").textContent;
    const files = article.querySelector(".files").cloneNode(true);
    const undo = this.branch.cut(article);
    const turn = Turn.asked(this.template, question, { forked });
    turn.article.querySelector(".files").replaceWith(files);
    this.#begin(frame, turn, undo);
  }

  select(message) {
    if (!this.isBusy()) this.#sendNow({ type: "select", message });
  }

  /** What a turn waits for: words, or a yes or no. It is sent once. */
  reply(article, { text, approved, typed }) {
    const turn = this.follower.current;
    if (turn?.article !== article || turn.pause.isSending) return;
    const { id, pause } = turn;
    const frame = text === undefined
      ? { type: "confirm", turn: id, action: pause.action, approved }
      : { type: "reply", turn: id, text };
    if (!this.#sendNow(frame)) return;
    this.replied = { turn, typed };
    this.#andOn(() => pause.lock(typed));
  }

  stop() {
    this.stopWanted = true;
    if (this.pending.frame && !this.socket.isOpen) this.takeBack();
    else if (this.sendStop()) this.composer.setStopping();
  }

  typed(text) {
    if (this.started) this.place.remember("text", text);
  }

  /** Says so if a turn runs, or waits. */
  isBusy() {
    if (this.follower.current) this.status.say(BUSY);
    return Boolean(this.follower.current);
  }

  // ---- what follows

  /** A turn waits for the person. The focus goes there if they were about nothing else. */
  asked(turn) {
    const { activeElement, body } = document;
    const isIdle = activeElement === body || activeElement.closest(".composer");
    if (isIdle && this.composer.isEmpty && !TOUCH.matches) turn.pause.focus();
  }

  over() {
    this.stopWanted = false;
    this.place.refresh();
  }

  /** Another branch stands on the page: go on with its last turn. */
  shown(last) {
    if (!last) return;
    const turn = new Turn(last);
    if (!turn.isRunning) {
      this.status.sumUp(turn.view);
      return;
    }
    this.follower.follow(turn);
    this.resume(turn);
  }

  resume(turn) {
    this.resumeFrom(turn.id, turn.view.seq);
  }

  resumeFrom(turn, after) {
    this.socket.send({ type: "resume", turn, after });
  }

  #begin(frame, turn, undo) {
    this.pending.begin(frame, undo);
    this.show(turn);
  }

  #beginEdit(article, frame) {
    const undo = this.branch.cut(article);
    this.#begin(frame, Turn.asked(this.template, frame.text, { forked: true }), undo);
  }

  #sendNow(frame) {
    const sent = this.socket.send(frame);
    if (!sent) this.status.say(UNSENT, { refused: true });
    return sent;
  }

  sendStop() {
    const turn = this.follower.current?.id;
    return Boolean(this.stopWanted && turn && this.socket.send({ type: "stop", turn }));
  }

  show(turn) {
    this.empty?.remove();
    this.thread.append(turn.article);
    this.follower.follow(turn);
    this.reader.toEnd();
  }

  drop(turn) {
    turn.article.remove();
    this.stopWanted = false;
    this.follower.rest();
  }

  /** A command that will not be carried out: its text goes back where it was typed. */
  takeBack() {
    const { frame, undo } = this.pending.takeBack();
    if (this.follower.current && !this.follower.current.id) {
      this.drop(this.follower.current);
      this.status.say("");
      undo?.();
      if (this.empty && !this.thread.querySelector(".turn")) this.thread.append(this.empty);
    }
    const edited = frame.type === "edit" && this.branch.turnOf(frame.message);
    if (edited) {
      openEditor(edited, { ...this.editing, text: frame.text });
      return;
    }
    if (frame.text) this.composer.putBack(frame.text, frame.attachments);
    this.composer.focus();
  }

  // ---- set-up

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
    listenForReplies(this.thread, {
      give: (article, reply) => this.reply(article, reply),
      onBack: () => this.composer.focus(),
    });
    this.thread.addEventListener("unsent", ({ detail: { words, hadFocus } }) => {
      this.composer.putBack(words);
      if (hadFocus) this.#andOn();
    });
    this.thread.addEventListener("click", ({ target }) => this.#clicked(target));
  }

  #clicked(target) {
    const button = target.closest("[data-ask], [data-select], .retry");
    if (!button) return;
    const { ask, select } = button.dataset;
    if (select) this.select(select);
    else if (ask) this.#andOn(() => this.ask(ask));
    else this.#andOn(() => this.retry(button.closest(".turn")));
  }

  /** A press that takes its own button away: the focus goes on to the field. */
  #andOn(change = () => {}) {
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
    const last = this.branch.last && new Turn(this.branch.last);
    if (last?.isRunning) this.follower.follow(last);
    else if (last) this.status.sumUp(last.view);
    if (unconfirmed && !this.follower.isBusy) this.#again(unconfirmed, last, text);
    this.reader.toEnd();
    this.socket.connect();
    this.socket.hurryOnReturn();
  }

  /** A command that the server may not have: it goes out again, or its text is kept. */
  #again(frame, last, text) {
    const article = frame.type === "edit" && this.branch.turnOf(frame.message);
    const { lost, ...whole } = frame; // files are not kept over a reload
    if (article) this.#beginEdit(article, frame);
    else if (frame.type === "edit") this.pending.confirm(); // its old question is off this branch
    else if (this.place.exists && !lost) {
      const turn = Turn.asked(this.template, frame.text);
      this.#begin(whole, turn, this.follower.setAside());
    } else if (!text && frame.text !== last?.question) this.composer.text = frame.text;
  }
}

new ChatPage(document.getElementById("chat"));
