// The draft as it came: the tokens up to a moment. What was withdrawn is struck out and cut off.

import { el } from "./words.js";

export class Draft {
  constructor(root) {
    this.root = root;
  }

  show(tokens, step, ms) {
    const shown = countUpTo(tokens, step.last, ms);
    if (shown === this.shown) return; // nothing was written in between, so nothing moves
    this.shown = shown;
    const pieces = [];
    let text = "";
    for (const token of tokens.slice(0, shown)) {
      if (token.offset === null) {
        if (text) pieces.push(el("s", {}, text), cut(token.text));
        text = "";
      } else if (token.offset <= text.length) {
        text += token.text.slice(text.length - token.offset);
      }
    }
    const isEmpty = !text && !pieces.length;
    this.root.classList.toggle("muted", isEmpty);
    this.root.replaceChildren(...pieces, isEmpty ? "Nothing was written yet." : text);
    const pane = this.root.parentElement;
    pane.scrollTop = step.type === "token" || pieces.length ? pane.scrollHeight : 0;
  }
}

// How many tokens there were by a step and a moment; both rise with them.
function countUpTo(tokens, seq, ms) {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tokens[middle].seq > seq || tokens[middle].ms > ms) high = middle;
    else low = middle + 1;
  }
  return low;
}

function cut(why) {
  return el("span", { className: "cut", role: "note" }, why);
}
