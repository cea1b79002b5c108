// One turn on the page: its view, its draft painted once a frame, and its settling in place.

import { Pause } from "./pause.js";
import { apply, emptyView, leavesHole, textOf, waits } from "./protocol.js";
import { listFiles } from "./tray.js";
import { paragraphsOf, readyPart } from "./words.js";

const DRAFTED = "Draft, being checked";
const LEAVING = 120; // ms that a withdrawn draft takes to fade
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

export class Turn {
  constructor(article) {
    this.adopt(article);
    this.view = { ...emptyView(), ...this.#stored() };
    if (this.isRunning) this.#paint();
  }

  /** A turn that was only just asked: nothing of it is known to the server yet. */
  static asked(template, question, { forked = false, files = [] } = {}) {
    const turn = new Turn(template.content.firstElementChild.cloneNode(true));
    turn.article.querySelector(".question").textContent = question;
    listFiles(turn.article.querySelector(".files"), files);
    turn.article.classList.toggle("forked", forked);
    return turn;
  }

  adopt(article) {
    this.article = article;
    this.said = article.querySelector(".said");
    this.pause = new Pause(article);
    this.painted = "";
    this.held = "";
  }

  get id() {
    return this.article.dataset.turn;
  }

  get question() {
    return this.article.querySelector(".question").textContent;
  }

  get isRunning() {
    return this.article.classList.contains("running");
  }

  get isOver() {
    return this.view.finished !== null;
  }

  get waits() {
    return !this.isOver && waits(this.view);
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
    this.#paintPause();
    const text = textOf(this.view);
    if (this.painted && !text) this.#withdraw();
    else if (text && !(this.painted && text.startsWith(this.painted))) this.#clear();
    this.#append(text.slice(this.painted.length));
    this.painted = text;
    const label = this.article.querySelector(".drafted");
    label.hidden = !text || this.waits;
  }

  /** What was asked of the person before, and what waits for them now. */
  #paintPause() {
    const { article, view } = this;
    article.classList.toggle("waiting", this.waits);
    if (this.waits) article.removeAttribute("aria-busy");
    else article.setAttribute("aria-busy", "true");
    const list = article.querySelector(".exchanges");
    list.replaceChildren(...view.exchanges.flatMap(([asked, label]) => [
      partOf("dt", asked), partOf("dd", label),
    ]));
    list.hidden = view.exchanges.length === 0;
    if (this.pause.paint(view)) this.onAsked?.();
  }

  /** The draft fades out. */
  #withdraw() {
    const { said } = this;
    const gone = document.createElement("div");
    gone.className = "gone";
    gone.ariaHidden = "true";
    const words = [...said.childNodes];
    this.#clear();
    gone.append(...words);
    said.append(gone);
    const fade = gone.animate({ opacity: [1, 0] }, STILL.matches ? 0 : LEAVING);
    fade.onfinish = () => gone.remove();
  }

  /** What was painted goes; its place is kept, so that nothing jumps. */
  #clear() {
    if (this.painted) this.said.style.minHeight = `${this.said.offsetHeight}px`;
    this.said.replaceChildren();
    this.painted = this.held = "";
  }

  /** What may still become a line's end or a marker waits for what comes after it. */
  #append(news) {
    const { whole, rest } = readyPart(this.held + news);
    this.held = rest;
    if (!whole) return;
    paragraphsOf(whole).forEach((part, index) => {
      if (index > 0 || this.said.lastElementChild?.tagName !== "P") {
        this.said.append(document.createElement("p"));
      }
      this.said.lastElementChild.append(...markedUp(part));
    });
  }
}

function partOf(name, words) {
  const part = document.createElement(name);
  part.textContent = words;
  return part;
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
