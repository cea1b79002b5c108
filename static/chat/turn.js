// One turn on the page: its view, its draft painted once a frame, and its settling in place.

import { apply, emptyView, leavesHole, textOf } from "./protocol.js";
import { paragraphsOf, readyPart } from "./words.js";

const DRAFTED = "Draft, being checked";

export class Turn {
  constructor(article) {
    this.adopt(article);
    this.view = { ...emptyView(), ...this.#stored() };
    if (this.isRunning) this.#paint();
  }

  /** A turn that was only just asked: nothing of it is known to the server yet. */
  static asked(template, question, { forked = false } = {}) {
    const turn = new Turn(template.content.firstElementChild.cloneNode(true));
    turn.article.querySelector(".question").textContent = question;
    turn.article.classList.toggle("forked", forked);
    return turn;
  }

  adopt(article) {
    this.article = article;
    this.said = article.querySelector(".said");
    this.painted = "";
    this.held = "";
  }

  get id() {
    return this.article.dataset.turn;
  }

  get isRunning() {
    return this.article.classList.contains("running");
  }

  get isOver() {
    return this.view.finished !== null;
  }

  /** The server's names of the turn and of its question. */
  bind(id, asked) {
    Object.assign(this.article.dataset, { turn: id, asked });
  }

  /** Fold a frame in. False if something before it is missing and has to be asked for. */
  take(frame) {
    if (leavesHole(this.view, frame)) return false;
    this.view = apply(this.view, frame);
    return true;
  }

  /** Bring the page up to the view; `keep` runs the change and keeps the reader's place. */
  paintSoon(keep) {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      if (this.isRunning) keep(() => this.#paint());
    });
  }

  /** The server's own rendering of the turn, or null if it cannot be had now. */
  async fetched(page) {
    try {
      const answer = await fetch(`${page}turns/${this.id}/`, { headers: { "HX-Request": "true" } });
      return answer.ok ? await answer.text() : null;
    } catch {
      return null; // no connection
    }
  }

  /** Put the server's own rendering in the draft's place. */
  settle(html) {
    cancelAnimationFrame(this.frame);
    this.frame = null;
    const parsed = new DOMParser().parseFromString(html, "text/html");
    const settled = document.adoptNode(parsed.querySelector(".turn"));
    settled.classList.add("settled");
    this.article.replaceWith(settled);
    this.adopt(settled);
  }

  #stored() {
    const state = this.article.querySelector(":scope > script[type='application/json']");
    return state ? JSON.parse(state.textContent) : null;
  }

  #paint() {
    if (this.view.question) {
      this.article.querySelector(".question").textContent = this.view.question;
    }
    const text = textOf(this.view);
    if (!this.painted || !text.startsWith(this.painted)) this.#clear();
    this.#append(text.slice(this.painted.length));
    this.painted = text;
    const label = this.article.querySelector(".drafted");
    label.textContent = text ? DRAFTED : this.view.withdrawn;
    label.hidden = !label.textContent;
  }

  #clear() {
    this.said.replaceChildren();
    this.painted = this.held = "";
  }

  /** What may still become a line's end or a marker waits for what comes after it. */
  #append(news) {
    const { whole, rest } = readyPart(this.held + news);
    this.held = rest;
    if (!whole) return;
    paragraphsOf(whole).forEach((part, index) => {
      if (index > 0 || !this.said.lastElementChild) {
        this.said.append(document.createElement("p"));
      }
      this.said.lastElementChild.append(...markedUp(part));
    });
  }
}

/** Text nodes, and each marker as wide as it will be in the answer. */
function markedUp(text) {
  return text.split(/(\[\d{1,3}\])/).filter(Boolean).map((piece) => {
    const number = piece.match(/^\[(\d{1,3})\]$/)?.[1];
    if (!number) return document.createTextNode(piece);
    const marker = document.createElement("span");
    marker.className = "cite";
    marker.textContent = number;
    return marker;
  });
}
