// The rows of a sheet: which questions there are, where one stands, and giving an answer by a key.

import { actionFor, after, open } from "./queue_keys.js";

const FIELDS = "textarea, select, input:not([type=radio]), [contenteditable]";
const PRESSED = "a, button, summary";

export class Rows {
  constructor(root) {
    this.sets = [...root.querySelectorAll(".row")];
  }

  get state() {
    return this.sets.map((set) => ({
      digits: radios(set).map((_, at) => at + 1),
      answered: radios(set).some((radio) => radio.checked),
    }));
  }

  get here() {
    return this.sets.findIndex((set) => set.contains(document.activeElement));
  }

  get firstOpen() {
    return open(this.state);
  }

  // A page that is longer than the screen follows, unless the item has only just come.
  stand(row, follow = true) {
    const set = this.sets[row];
    if (!set) return;
    const at = radios(set).find((radio) => radio.checked) ?? radios(set)[0];
    at.focus({ preventScroll: !follow || !narrow() });
  }

  choose(row, digit) {
    const radio = radios(this.sets[row])[digit - 1];
    radio.checked = true;
    radio.dispatchEvent(new Event("change", { bubbles: true }));
    this.stand(after(this.state, row));
  }
}

// The action of a key event, or null where the browser's own is wanted.
export function actionOf(event, rows) {
  return actionFor(event.key, {
    rows: rows?.state ?? [],
    row: rows?.here ?? -1,
    typing: Boolean(event.target.closest(FIELDS)),
    pressing: Boolean(event.target.closest(PRESSED)),
    open: Boolean(document.querySelector("dialog[open]")),
    held: event.ctrlKey || event.metaKey || event.altKey,
  });
}

export function narrow() {
  return matchMedia("(max-width: 900px)").matches;
}

function radios(set) {
  return [...set.querySelectorAll("input[type=radio]")];
}
