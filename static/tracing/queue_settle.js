// Settling by keyboard: the same rows and digits as in the queue.

import { Rows, actionOf } from "./queue_rows.js";

const form = document.getElementById("jobs");
const rows = form.querySelector(".row") ? new Rows(form) : null;
let sent = false;

form.noValidate = true;
rows?.stand(0, false);

document.addEventListener("keydown", (event) => {
  const action = actionOf(event, rows);
  if (!action || event.repeat) return;
  const acts = {
    row: () => rows.stand(action.row),
    choose: () => rows.choose(action.row, action.digit),
    done: settle,
    undo: () => form.querySelector('[data-do="undo"]').click(),
    note: () => form.querySelector("textarea")?.focus(),
    leave: () => rows?.stand(Math.max(0, rows.firstOpen)),
    help: () => document.getElementById("help").showModal(),
  };
  if (!acts[action.do]) return;
  event.preventDefault();
  acts[action.do]();
});

form.addEventListener("click", (event) => {
  if (event.target.closest('[data-do="help"]')) document.getElementById("help").showModal();
});

form.addEventListener("submit", (event) => {
  if (event.submitter?.dataset.do === "undo") return; // it posts by itself
  event.preventDefault();
  settle();
});

function settle() {
  if (!rows || sent) return;
  const open = rows.firstOpen;
  if (open !== -1) {
    document.getElementById("wrong").textContent = `First: ${rows.sets[open].querySelector("legend").textContent}`;
    rows.stand(open);
    return;
  }
  sent = true; // the page that comes tells what became of it
  form.submit();
}
