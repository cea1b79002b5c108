// Votes on an answer. A vote against it opens a line for what was wrong, which may be left alone.

/** `send(frame)` says whether the frame went out; `announce` reads out what became of it. */
export function listenForVotes(thread, { send, announce }) {
  const give = (turn, vote, words = {}) => {
    const sent = send({ type: "feedback", turn: turn.dataset.turn, vote, ...words });
    if (sent) announce("Noted");
    return sent;
  };
  thread.addEventListener("click", (event) => {
    const button = event.target.closest("[data-vote], [data-reason]");
    if (!button) return;
    const turn = button.closest(".turn");
    if (button.dataset.reason) pickReason(turn, button, give);
    else pressVote(turn, button, give);
  });
  thread.addEventListener("submit", (event) => {
    const form = event.target.closest(".wrong");
    if (!form) return;
    event.preventDefault();
    const turn = form.closest(".turn");
    if (give(turn, "down", wordsOf(form))) open(turn, false);
  });
  thread.addEventListener("keydown", (event) => {
    const inside = event.target.closest(".wrong, [data-vote='down']");
    if (event.key === "Escape" && inside && !event.isComposing) open(inside.closest(".turn"), false);
  });
}

function pressVote(turn, button, give) {
  const { vote } = button.dataset;
  if (isPressed(button)) {
    if (vote === "down") open(turn, turn.querySelector(".wrong").hidden);
    return;
  }
  if (!give(turn, vote)) return;
  for (const each of turn.querySelectorAll("[data-vote]")) press(each, each === button);
  clear(turn.querySelector(".wrong"));
  open(turn, vote === "down");
}

/** One reason at a time; pressing it again takes it back. */
function pickReason(turn, button, give) {
  const form = button.closest(".wrong");
  const reason = isPressed(button) ? "" : button.dataset.reason;
  if (!give(turn, "down", { ...wordsOf(form), reason })) return;
  for (const each of form.querySelectorAll("[data-reason]")) {
    press(each, each.dataset.reason === reason);
  }
}

function wordsOf(form) {
  const reason = form.querySelector("[data-reason][aria-pressed='true']")?.dataset.reason ?? "";
  return { reason, note: form.elements.note.value.trim() };
}

function clear(form) {
  form.elements.note.value = "";
  for (const each of form.querySelectorAll("[data-reason]")) press(each, false);
}

/** Open or close the line. Closing gives a focus that was inside back to the vote. */
function open(turn, isOpen) {
  const form = turn.querySelector(".wrong");
  const button = turn.querySelector("[data-vote='down']");
  const hadFocus = form.contains(document.activeElement);
  form.hidden = !isOpen;
  button.setAttribute("aria-expanded", String(isOpen));
  if (!isOpen && hadFocus) button.focus({ preventScroll: true });
}

function isPressed(button) {
  return button.getAttribute("aria-pressed") === "true";
}

function press(button, pressed) {
  button.setAttribute("aria-pressed", String(pressed));
}
