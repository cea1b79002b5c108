// What a turn asks of the person: a question with chips and a field, or a step that needs a yes.

import { untilOf } from "./words.js";

export class Pause {
  /** Of a turn's article, as the server rendered it or as the page's script paints it. */
  constructor(article) {
    this.article = article;
    this.form = article.querySelector(":scope > .pause");
    this.sent = null;
    if (this.form) tellUntil(this.form);
  }

  /** The person's reply is on its way. */
  get isSending() {
    return Boolean(this.form?.elements.all.disabled);
  }

  get action() {
    return this.form?.dataset.action;
  }

  /** Show what waits in this view, or nothing. True if it is news. */
  paint({ clarification, action }) {
    const asks = clarification ?? action;
    if ((asks?.expires_at ?? null) === (this.form?.dataset.key ?? null)) return false;
    this.end();
    if (!asks) return false;
    this.form = clarification ? questionOf(clarification) : stepOf(action);
    this.form.dataset.key = asks.expires_at;
    tellUntil(this.form);
    this.article.querySelector(".said").after(this.form);
    return true;
  }

  focus() {
    this.form?.elements.reply?.focus({ preventScroll: true });
  }

  /** A reply is on its way, or no longer wanted: it is not given twice. */
  lock(typed = null) {
    this.sent = typed;
    if (this.form) this.form.elements.all.disabled = true;
  }

  /** It is not known whether the reply arrived. It may be given again. */
  unlock() {
    if (this.form) this.form.elements.all.disabled = false;
  }

  /** The reply was not taken: the words stand where they were typed. */
  giveBack() {
    this.unlock();
    this.sent = null;
  }

  /** Nothing waits any more. Words that were typed and never sent are told, as `unsent`. */
  end() {
    const { form, sent, isSending } = this;
    this.form = this.sent = null;
    if (!form) return;
    const words = form.elements.reply?.value.trim();
    const hadFocus = form.contains(document.activeElement);
    form.remove();
    const detail = { words: isSending || words === sent ? "" : words, hadFocus };
    this.article.dispatchEvent(new CustomEvent("unsent", { bubbles: true, detail }));
  }
}

/**
 * Replies in the thread: `give(article, { text or approved, typed })` for each, `onBack()` to
 * leave for the composer. `typed` are words that would be lost with a reply that is not taken.
 */
export function listenForReplies(thread, { give, onBack }) {
  thread.addEventListener("click", ({ target }) => {
    const button = target.closest(".pause [data-reply], .pause [data-approved]");
    if (!button) return;
    const { reply, approved } = button.dataset;
    const said = reply === undefined ? { approved: approved === "yes" } : { text: reply };
    give(button.closest(".turn"), { ...said, typed: "" });
  });
  thread.addEventListener("submit", (event) => {
    const form = event.target.closest(".pause");
    if (!form) return;
    event.preventDefault();
    const text = form.elements.reply?.value.trim();
    if (text) give(form.closest(".turn"), { text, typed: text });
  });
  thread.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing || !event.target.closest(".pause")) return;
    event.stopPropagation();
    onBack();
  });
}

function questionOf({ question, options }) {
  const form = moulded("clarification-template");
  form.querySelector(".asks").textContent = question;
  const chips = form.querySelector(".replies");
  chips.replaceChildren(...options.map(chipOf));
  chips.hidden = options.length === 0;
  form.elements.reply.setAttribute("aria-label", question);
  if (options.length === 0) form.elements.reply.placeholder = "Your reply";
  return form;
}

function stepOf({ action, tool, summary, irreversible }) {
  const form = moulded("action-template");
  const yes = form.querySelector("[data-approved='yes']");
  form.dataset.action = action;
  form.querySelector(".asks").textContent = summary;
  form.querySelector(".signal").hidden = !irreversible;
  yes.textContent = JSON.parse(form.dataset.yes)[tool] ?? yes.textContent;
  return form;
}

function moulded(id) {
  return document.getElementById(id).content.firstElementChild.cloneNode(true);
}

function chipOf(words) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button";
  button.dataset.reply = button.textContent = words;
  return button;
}

function tellUntil(form) {
  const { key } = form.dataset;
  const time = form.querySelector("time");
  time.dateTime = key;
  time.textContent = untilOf(new Date(key), new Date());
}
