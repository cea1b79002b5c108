// The draft as it came: the tokens up to a moment. What was withdrawn is struck out and cut off.

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

function cut(why) {
  return el("span", { className: "cut", role: "note" }, why);
}
