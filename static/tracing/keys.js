// The keyboard and the buttons of the replay.

const isField = (node) => node.closest("input:not([type=radio]), textarea, select, [contenteditable]");
const opensByItself = (node) => node.closest("button, a, summary, [role=button]");

export function listen(replay) {
  document.addEventListener("keydown", (event) => onKey(replay, event));
  document.querySelector(".dock").addEventListener("click", (event) => onClick(replay, event));
  document.querySelector(".speeds").addEventListener("change", (event) => {
    replay.player.speed = event.target.value;
  });
  document.querySelector(".asked").addEventListener("click", (event) => {
    const opener = event.target.closest("[data-opens]");
    if (!opener || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openDialog(opener.dataset.opens);
  });
  window.addEventListener("hashchange", () => replay.goToAddress());
}

// What a dialog shows may be fetched when it opens for the first time.
function openDialog(id) {
  const dialog = document.getElementById(id);
  dialog.showModal();
  dialog.dispatchEvent(new Event("opened"));
}

function onKey(replay, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return;
  if (document.querySelector("dialog[open]") || !replay.trace.length) return;
  const act = actionOf(replay, event);
  if (!act) return;
  event.preventDefault();
  act();
}

function actionOf(replay, event) {
  const jump = event.shiftKey;
  switch (event.key) {
    case "ArrowRight":
      return () => (jump ? replay.jumpPass(1) : replay.step(1));
    case "ArrowLeft":
      return () => (jump ? replay.jumpPass(-1) : replay.step(-1));
    case "Home":
      return () => replay.take(0);
    case "End":
      return () => replay.take(replay.trace.length - 1);
    case " ":
      return opensByItself(event.target) ? null : () => replay.player.toggle();
    case "?":
      return () => document.getElementById("help").showModal();
    case "w":
      return document.getElementById("what-if") ? () => openDialog("what-if") : null;
    default:
      return /^[1-5]$/.test(event.key) ? () => replay.inspector.pick(Number(event.key) - 1) : null;
  }
}

function onClick(replay, event) {
  const button = event.target.closest("[data-do]");
  if (!button || (!replay.trace.length && button.dataset.do !== "help")) return;
  const actions = {
    first: () => replay.take(0),
    back: () => replay.step(-1),
    play: () => replay.player.toggle(),
    on: () => replay.step(1),
    last: () => replay.take(replay.trace.length - 1),
    end: () => replay.take(replay.trace.length - 1),
    copy: () => replay.address.copy(button),
    help: () => document.getElementById("help").showModal(),
    scale: () => {
      replay.timeline.byTime = !replay.timeline.byTime;
      button.setAttribute("aria-pressed", String(replay.timeline.byTime));
      replay.timeline.draw(replay.trace);
    },
  };
  actions[button.dataset.do]?.();
}
