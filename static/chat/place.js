// Which conversation this page shows: its address, its title, its line in the list, and what
// this tab remembers of it. A new one has no row yet, so its memory goes under "new".

import { recall, remember } from "./store.js";

export class Place {
  constructor(root, rail) {
    this.data = root.dataset;
    this.rail = rail;
    this.list = document.getElementById("rail-list");
    this.list.addEventListener("htmx:afterSwap", () => this.#takeTitle());
  }

  get exists() {
    return this.data.new === undefined;
  }

  remember(kind, value) {
    remember(this.#key(kind), value);
  }

  recall(kind) {
    return recall(this.#key(kind));
  }

  /** The conversation exists now: it gets its own address, so that a reload finds it. */
  settle() {
    if (this.exists) return;
    const text = this.recall("text");
    for (const kind of ["text", "ask"]) this.remember(kind, null);
    delete this.data.new;
    this.remember("text", text);
    history.replaceState(null, "", this.data.page);
  }

  /** The list has news: fetch it again. */
  refresh() {
    this.rail.refresh(this.data.conversation);
  }

  #key(kind) {
    return `${kind}:${this.exists ? this.data.conversation : "new"}`;
  }

  #takeTitle() {
    const title = this.list.querySelector("[aria-current]")?.textContent.trim();
    if (!title) return;
    document.getElementById("title").textContent = title;
    document.title = `${title} · Plumbline`;
  }
}
