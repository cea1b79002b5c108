// While a run goes on its cells are filled in place: nothing moves, and what is open stays open.
// The form offers what can be run, and says roughly what that would cost.

const EVERY = 1_000;
const LONGEST = 15_000;

const run = document.getElementById("run");
const line = document.getElementById("run-line");
let wait = EVERY;

if (run && "open" in run.dataset) later();

const form = document.querySelector("form.choice");
const estimate = document.getElementById("estimate");

form.addEventListener("change", offer);
offer();
document.body.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.xhr.responseURL.includes("/login/")) location.reload(); // signed out
});
for (const fault of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) {
  form.addEventListener(fault, () => {
    estimate.textContent = "Connection lost: what this would cost is not known.";
  });
}

/** Stand-ins have three rewrites a question: what is hidden then is not sent either. */
function offer() {
  const { questions, retrieval, bounds } = form.elements;
  const most = questions.value === "golden" && retrieval.value === "lexical" ? 3 : 6;
  for (const bound of bounds) bound.disabled = Number(bound.value) > most;
}

function later() {
  setTimeout(look, wait);
}

async function look() {
  const fresh = await fetched();
  if (fresh === null) {
    wait = Math.min(wait * 2, LONGEST);
    say("Connection lost, trying again.");
    return later();
  }
  if (!fresh.getElementById("run")) return location.reload(); // signed out, most likely
  wait = EVERY;
  say("");
  fill(fresh);
  if ("open" in fresh.getElementById("run").dataset) return later();
  end(fresh);
}

async function fetched() {
  try {
    const answer = await fetch(run.dataset.address, {
      headers: { "HX-Request": "true" },
      signal: AbortSignal.timeout(LONGEST),
    });
    if (!answer.ok) return null;
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    return null;
  }
}

function fill(fresh) {
  for (const now of fresh.querySelectorAll("[data-live]")) {
    const before = document.getElementById(now.id);
    if (!before || (before.innerHTML === now.innerHTML && before.className === now.className)) continue;
    before.className = now.className;
    before.innerHTML = now.innerHTML;
  }
}

function end(fresh) {
  delete run.dataset.open;
  document.getElementById("run-stop")?.remove();
  const listed = document.getElementById("run-status");
  if (listed) listed.textContent = fresh.getElementById("run").dataset.status;
  const spent = document.getElementById("run-spent");
  if (spent) spent.textContent = fresh.getElementById("run").dataset.spent;
  const there = document.getElementById("run-asked");
  if (!("there" in there.dataset)) there.replaceWith(fresh.getElementById("run-asked"));
}

function say(words) {
  line.textContent = words;
  line.hidden = !words;
}
