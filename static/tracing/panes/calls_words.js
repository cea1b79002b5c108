// What one model call was given and what came back: fetched when it is opened, kept while it is read.

import { el, words } from "../words.js";
import { value } from "./values.js";

const memories = new WeakMap(); // by trace: which calls are open, and what was fetched

function memory(trace) {
  if (!memories.has(trace)) memories.set(trace, { open: new Set(), known: new Map() });
  return memories.get(trace);
}

export const isOpen = (trace, seq) => memory(trace).open.has(seq);

// The button of a call's row; `below` is the row that it opens.
export function opening(trace, seq, below) {
  const press = el("button", { type: "button", className: "linklike opening" });
  press.setAttribute("aria-controls", below.id);
  press.setAttribute("aria-expanded", String(!below.hidden));
  press.addEventListener("click", () => {
    below.hidden = !below.hidden;
    press.setAttribute("aria-expanded", String(!below.hidden));
    const { open } = memory(trace);
    if (below.hidden) open.delete(seq);
    else open.add(seq);
    if (!below.hidden) spoken(trace, seq, below);
  });
  return press;
}

// Fills the row below a call.
export async function spoken(trace, seq, below) {
  const cell = below.firstElementChild;
  const { known } = memory(trace);
  if (known.has(seq)) return cell.replaceChildren(...shown(known.get(seq)));
  cell.replaceChildren(el("p", { className: "muted" }, "Reading …"));
  try {
    const found = await trace.fetch(`calls/?from=${seq}&to=${seq}`);
    if (!found.why) known.set(seq, found);
    cell.replaceChildren(...shown(found));
  } catch {
    cell.replaceChildren(el("p", { className: "muted" }, "This could not be read just now."));
  }
}

function shown({ calls: [call], prompts, why }) {
  if (why) return [el("p", { className: "muted" }, why)];
  if (!call) {
    return [el("p", { className: "muted" }, "Nothing more is kept of this call.")];
  }
  return [
    part("Given", ...fields(call.given.task ?? call.given)),
    part(
      "Came back",
      call.fault ? el("p", { className: "signal failed" }, call.fault) : null,
      "came" in call ? told(call.came) : null,
      call.wrote ? field("written meanwhile", call.wrote) : null,
    ),
    part("Prompt", ...prompt(call.prompt, prompts[call.prompt])),
  ];
}

function prompt(name, { text, why }) {
  const version = name ? el("span", { className: "mono" }, name) : null;
  if (!text) return [version, el("p", { className: "muted" }, why)];
  const words = el("pre", { className: "words" }, text);
  return [el("details", { className: "prompt" }, el("summary", {}, version), words)];
}

const part = (title, ...content) => el("section", {}, el("h4", {}, title), ...content);

const isEmpty = (given) => given === null || given === "" || (Array.isArray(given) && !given.length);

// What is read first comes first; a row of the database keeps no order.
const FIRST = ["question", "text", "query", "label", "supported", "draft", "claims", "passages", "history"];

const place = (name) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);

const fields = (given) =>
  Object.entries(given)
    .filter(([, each]) => !isEmpty(each))
    .sort(([one], [other]) => place(one) - place(other))
    .map(([name, each]) => field(name, each));

const field = (name, given) => el("div", { className: "given" }, el("span", { className: "muted" }, words(name)), told(given));

// A value in the plainest form that it has: a text, a list, a passage's name, or fields.
function told(given) {
  if (typeof given === "boolean") return el("span", {}, given ? "yes" : "no");
  if (typeof given === "string") return text(given);
  if (typeof given === "number") return el("span", { className: "mono" }, String(Number(given.toFixed(4))));
  if (given === null) return el("span", { className: "muted" }, "nothing");
  if (Array.isArray(given)) return list(given);
  if (isPassage(given)) return el("span", { className: "mono" }, `${given.chunk}, version ${given.version}`);
  if (isTool(given)) return el("span", { className: "mono" }, given.name);
  return el("div", { className: "fields" }, ...fields(given));
}

const isPassage = ({ chunk, document, version }) => Boolean(chunk && document && version !== undefined);

const isTool = ({ name, parameters }) => Boolean(name && parameters);

const text = (words) => value({ text: words, plain: true, cut: false, length: words.length }, "told");

function list(given) {
  if (!given.length) return el("span", { className: "muted" }, "nothing");
  return el("ol", { className: "told" }, ...given.map((each) => el("li", {}, told(each))));
}
