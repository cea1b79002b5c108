// The citation card: the passage beside its marker, the focus inside, and back when it closes.

const GAP = 8; // px between the marker and the card, and from the window's edge
const NARROW = "(max-width: 640px)"; // where the card is a sheet at the bottom instead

export class Card {
  constructor(element, within) {
    this.element = element;
    within.addEventListener("click", (event) => this.#clicked(event));
    document.addEventListener("click", (event) => {
      if (!element.hidden && !element.contains(event.target)) this.close();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
    document.getElementById("scroll").addEventListener("scroll", () => this.#place());
    addEventListener("resize", () => this.#place());
    element.addEventListener("click", (event) => {
      if (event.target.closest(".close-card")) this.close();
    });
    element.addEventListener("focusout", (event) => {
      if (event.relatedTarget && !element.contains(event.relatedTarget)) this.close(false);
    });
  }

  close(backToMarker = true) {
    if (this.element.hidden) return;
    this.element.hidden = true;
    this.marker?.setAttribute("aria-expanded", "false");
    if (backToMarker) this.marker?.focus({ preventScroll: true });
    this.marker = null;
  }

  #clicked(event) {
    const marker = event.target.closest("a.cite, a.source-link");
    if (!marker || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    event.stopPropagation();
    const again = marker === this.marker;
    this.close(false);
    if (!again) this.#open(marker);
  }

  async #open(marker) {
    this.marker = marker;
    marker.setAttribute("aria-expanded", "true");
    this.element.replaceChildren();
    await htmx.ajax("GET", marker.href, { target: this.element, swap: "innerHTML" });
    if (this.marker !== marker) return;
    if (!this.element.childElementCount) this.#unreachable();
    this.element.hidden = false;
    this.#place();
    this.element.focus({ preventScroll: true });
  }

  #unreachable() {
    const words = document.createElement("p");
    words.className = "notice";
    words.textContent = "The passage could not be fetched. Try again when the connection is back.";
    this.element.append(words);
  }

  /** Under the marker, or over it where there is more room; a sheet needs no place. */
  #place() {
    if (this.element.hidden || !this.marker) return;
    const { style } = this.element;
    if (matchMedia(NARROW).matches) {
      style.left = style.top = "";
      return;
    }
    const at = this.marker.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = this.element;
    const below = innerHeight - at.bottom > offsetHeight + 2 * GAP || at.top < innerHeight / 2;
    const top = below ? at.bottom + GAP : at.top - offsetHeight - GAP;
    const edge = document.getElementById("thread").getBoundingClientRect().right;
    const left = Math.min(at.left, edge - offsetWidth);
    style.top = `${Math.max(GAP, Math.min(top, innerHeight - offsetHeight - GAP))}px`;
    style.left = `${Math.max(GAP, left)}px`;
  }
}
