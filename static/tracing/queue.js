// The page of the queue: it takes a turn as soon as it stands, answers are stored as they are given,
// and the next turn takes the place of the one before without a page being loaded. Without this
// script every form posts by itself.

import { Rows, actionOf, narrow } from "./queue_rows.js";

const HOLD_MS = 60_000; // how often one who is at work renews the lock
const PATIENCE_MS = 15_000; // for an answer of the server
const PART = { "X-Part": "1" };

const place = document.getElementById("queue");
const look = document.getElementById("look");
let rows = null;
let stored = Promise.resolve();
let busy = false;
let held = Date.now();

document.addEventListener("keydown", onKey);
place.addEventListener("submit", onSubmit);
place.addEventListener("click", onClick);
place.addEventListener("change", onChange);
for (const kind of ["keydown", "pointerdown", "wheel"]) document.addEventListener(kind, stay, { passive: true });
settle();
takeAtOnce();

function item() {
  return document.getElementById("item");
}

function form() {
  return document.getElementById("jobs");
}

// A page that was opened has taken nothing yet. Once only: what is refused waits for a key.
function takeAtOnce() {
  if (item()?.hasAttribute("data-take")) go(form().action, true);
}

// A new item stands on the page: the first open question has the focus.
function settle() {
  rows = form()?.querySelector(".row") ? new Rows(form()) : null;
  held = Date.now();
  if (form()) form().noValidate = true;
  if (!rows) return;
  rows.stand(rows.firstOpen === -1 ? 0 : rows.firstOpen, false);
}

function onKey(event) {
  if (look.open && /^[gj]$/i.test(event.key)) {
    event.preventDefault();
    look.close();
    return;
  }
  const action = actionOf(event, rows);
  if (!action || event.repeat) return;
  event.preventDefault();
  act(action);
}

function act(action) {
  const acts = {
    row: () => rows.stand(action.row),
    choose: () => rows.choose(action.row, action.digit),
    done: () => done(),
    skip: () => press("skip"),
    undo: () => press("undo"),
    note: () => form()?.querySelector("textarea")?.focus(),
    leave: () => (rows ? rows.stand(Math.max(0, rows.firstOpen)) : document.activeElement.blur()),
    marks: openMarks,
    path: () => inside("path"),
    log: () => inside("log"),
    help: () => document.getElementById("help").showModal(),
  };
  acts[action.do]?.();
}

function press(name) {
  const button = form()?.querySelector(`[data-do="${name}"]`);
  if (button && !button.disabled) go(button.formAction);
}

function openMarks() {
  const marks = form()?.querySelector(".marks");
  if (!marks) return;
  marks.open = !marks.open;
  if (marks.open) marks.querySelector("input, select")?.focus();
}

function onSubmit(event) {
  event.preventDefault();
  const name = event.submitter?.dataset.do ?? "done";
  if (name === "done") done();
  else press(name);
}

function onClick(event) {
  const wanted = event.target.closest("[data-do]")?.dataset.do;
  if (!["path", "log", "help"].includes(wanted)) return;
  event.preventDefault();
  act({ do: wanted });
}

function onChange(event) {
  if (event.target.type !== "radio" && event.target.tagName !== "SELECT") return;
  say("");
  const route = event.target.name === "needed";
  const answer = ["grounded", "correct"].every((name) => value(name));
  if (route || answer) store();
}

function value(name) {
  return form().querySelector(`[name="${name}"]:checked`)?.value ?? "";
}

// One after the other, so that the last one that was given is the last one that is stored.
function store() {
  const at = item();
  const data = new FormData(form());
  stored = stored.then(() => post(at.dataset.label, data)).then(async (answer) => {
    if (!answer || item() !== at) return;
    if (!answer.ok) return say(await messageOf(answer));
    const told = await answer.json();
    at.dataset.look = String(told.may_look);
    at.dataset.complete = String(told.complete);
    document.getElementById("seen").innerHTML = told.seen;
    for (const link of form().querySelectorAll(".ways a")) link.hidden = !told.may_look;
  });
}

async function done() {
  if (!rows) return go(item()?.hasAttribute("data-take") ? form().action : place.dataset.take);
  const open = rows.firstOpen;
  if (open !== -1) {
    say(`First: ${rows.sets[open].querySelector("legend").textContent}`);
    rows.stand(open);
    return;
  }
  await go(form().action);
}

// What comes back takes the place of the item. The address of the page stays if it names this turn.
async function go(address, stays = false) {
  if (busy) return;
  busy = true;
  place.setAttribute("aria-busy", "true");
  try {
    const data = new FormData(form());
    await stored;
    const answer = await post(address, data);
    if (!answer) return;
    if (!answer.ok) return say(await messageOf(answer), answer.status === 409);
    show(await answer.text(), stays);
  } finally {
    busy = false;
    place.removeAttribute("aria-busy");
  }
}

function show(html, stays) {
  place.innerHTML = html;
  if (!stays) document.querySelector(".told")?.remove();
  if (!stays && location.pathname !== place.dataset.next) history.replaceState(null, "", place.dataset.next);
  if (narrow()) window.scrollTo(0, 0);
  settle();
}

async function inside(name) {
  const at = item();
  if (!at?.dataset[name]) return;
  await stored;
  const answer = await get(at.dataset[name]);
  if (!answer) return;
  if (!answer.ok) return say(await messageOf(answer));
  const room = document.getElementById("look-in");
  if (name === "path") room.innerHTML = await answer.text();
  else room.replaceChildren(pre(await answer.text()));
  look.showModal();
}

function pre(text) {
  const node = document.createElement("pre");
  node.className = "log mono";
  node.tabIndex = 0;
  node.textContent = text;
  return node;
}

// At work: the lock is renewed once a minute, and only then.
async function stay() {
  const at = item();
  if (!at?.dataset.hold || Date.now() - held < HOLD_MS) return;
  held = Date.now();
  const answer = await post(at.dataset.hold, new FormData(form()));
  if (answer?.status === 409) say("The five minutes for this turn are over. What you say is stored if nobody else has it.");
}

function post(address, body) {
  return asked(address, { method: "POST", body });
}

function get(address) {
  return asked(address, {});
}

async function asked(address, options) {
  try {
    const answer = await fetch(address, { ...options, headers: PART, signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!answer.redirected) return answer;
    location.assign(answer.url); // signed out meanwhile
  } catch {
    say("The site did not answer. What you chose is still here; Enter tries again.");
  }
  return null;
}

async function messageOf(answer) {
  try {
    return (await answer.json()).message;
  } catch {
    return answer.status === 403 ? "This is not open to you any more." : "That did not work. Enter tries again.";
  }
}

// A refusal that stands: the turn is somebody else's by now, so Enter leads to the next.
function say(words, onwards = false) {
  const line = document.getElementById("wrong");
  if (!line) return;
  line.textContent = words ?? "";
  if (!onwards) return;
  rows = null;
  item().removeAttribute("data-take");
}
