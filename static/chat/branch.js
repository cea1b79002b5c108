// The turns on the page as one branch: its end, cutting it short, and showing another one.

const AGAIN = 3_000; // ms, more with each try, until a branch is fetched again

export class Branch {
  /** `page` is the conversation's address; `isFree()` says whether the turns may be swapped. */
  constructor(thread, { page, reader, isFree, onShown }) {
    Object.assign(this, { thread, page, reader, isFree, onShown });
    this.wanted = 0;
  }

  get turns() {
    return [...this.thread.querySelectorAll(":scope > .turn")];
  }

  get last() {
    return this.turns.at(-1);
  }

  /** The message down to which the page shows the conversation. */
  get leaf() {
    const said = this.last?.dataset;
    return said?.said || said?.asked || null;
  }

  /** The turn of a question, by its message. */
  turnOf(asked) {
    return this.turns.find((turn) => turn.dataset.asked === asked);
  }

  /** Take a turn and all after it off the page. What is returned puts them back. */
  cut(article) {
    const turns = this.turns;
    const gone = turns.slice(turns.indexOf(article));
    gone.forEach((turn) => turn.remove());
    return () => this.thread.append(...gone);
  }

  /** Show the branch that the server has selected; the newest call alone counts. */
  async reload(attempt = 1, wanted = ++this.wanted) {
    const html = await this.#fetched();
    if (wanted !== this.wanted || !this.isFree()) return;
    if (html === null) {
      setTimeout(() => this.reload(attempt + 1, wanted), attempt * AGAIN);
      return;
    }
    this.#swap(html);
    this.onShown(this.last);
  }

  async #fetched() {
    try {
      const answer = await fetch(this.page, { headers: { "HX-Request": "true" } });
      return answer.ok ? await answer.text() : null;
    } catch {
      return null; // no connection
    }
  }

  /** The first turn that differs stays where it stands, and so does all before it. */
  #swap(html) {
    const shown = this.turns;
    const parsed = new DOMParser().parseFromString(html, "text/html");
    const fresh = [...parsed.querySelectorAll(".turn")].map((turn) => document.adoptNode(turn));
    const differs = fresh.findIndex((turn, at) => turn.dataset.turn !== shown[at]?.dataset.turn);
    const anchor = differs < 0 ? fresh.length - 1 : differs;
    const focused = stopOf(document.activeElement, shown);
    this.reader.stay(() => this.turns[anchor], () => {
      shown.forEach((turn) => turn.remove());
      this.thread.append(...fresh);
    }, { news: false });
    focused?.(fresh);
  }
}

/** If a switch has the focus: what gives it to the same one among other turns. */
function stopOf(element, turns) {
  const article = element?.closest?.("[data-select]") && element.closest(".turn");
  if (!article) return null;
  const index = turns.indexOf(article);
  const part = element.closest(".asked") ? ".asked" : ".foot";
  return (fresh) => {
    const stops = [...fresh[index]?.querySelectorAll(`${part} [data-select]:enabled`) ?? []];
    const same = stops.find((stop) => stop.dataset.step === element.dataset.step);
    (same ?? stops[0])?.focus({ preventScroll: true });
  };
}
