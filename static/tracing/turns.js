// The list of turns says when there are new ones; it never moves by itself.

const list = document.getElementById("turns");
const news = document.getElementById("news");
const fresh = new Set();

const source = new EventSource(`${list.dataset.events}?types=turn_started,turn_finished`);

source.addEventListener("turn_started", (event) => {
  const { turn, data } = JSON.parse(event.data);
  if (data.kind === "lab" || list.querySelector(`[data-turn="${turn}"]`)) return;
  fresh.add(turn);
  tell();
});

source.addEventListener("turn_finished", (event) => {
  const { turn } = JSON.parse(event.data);
  if (!list.querySelector(`[data-turn="${turn}"] .signal.running`)) return;
  fresh.add(turn);
  tell();
});

news.addEventListener("click", () => {
  fresh.clear();
  news.hidden = true;
  document.querySelector(".filters").requestSubmit();
});

// The address says what is filtered, and nothing of what is not.
document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.elt.matches(".filters")) {
    for (const [name, value] of [...detail.formData]) if (!value) detail.formData.delete(name);
  }
});

// What was typed before the page was listening is looked for all the same.
window.addEventListener("load", () => {
  const words = document.getElementById("id_q");
  const asked = new URLSearchParams(location.search).get("q") ?? "";
  if (words.value !== asked) words.form.requestSubmit();
});

window.addEventListener("pagehide", () => source.close());

function tell() {
  news.hidden = false;
  news.textContent = fresh.size === 1 ? "1 turn is new or ended" : `${fresh.size} turns are new or ended`;
}
