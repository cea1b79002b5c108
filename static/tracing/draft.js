// The draft as it came: the tokens up to a moment; what was withdrawn is struck out.

import { el } from "./words.js";

export class Draft {
  constructor(root) {
    this.root = root;
  }

  show(tokens, step, ms) {
    const pieces = [];
    let text = "";
    for (const token of tokens) {
      if (token.seq > step.last || token.ms > ms) break;
      if (token.text === undefined) {
        if (text) pieces.push(el("s", {}, text), " ");
        text = "";
      } else if (token.offset <= text.length) {
        text += token.text.slice(text.length - token.offset);
      }
    }
    const isEmpty = !text && !pieces.length;
    this.root.classList.toggle("muted", isEmpty);
    this.root.replaceChildren(...pieces, isEmpty ? "Nothing was written yet." : text);
    const pane = this.root.parentElement;
    pane.scrollTop = step.type === "token" ? pane.scrollHeight : 0;
  }
}
