// Retrieved: the last search up to this step, a row a chunk, with its verdict once there is one.

import { duration, el, svg, words } from "../words.js";
import { lead, nothing } from "./values.js";

const SIGNALS = {
  ANSWERS: ["supported", "answers"],
  SUPPORTS: ["partly", "supports"],
  IRRELEVANT: ["unchecked", "irrelevant"],
  UNGRADED: ["failed", "not graded"],
};
const DEEPEST = 20; // ranks that a list holds

export async function retrieved(trace, index) {
  const place = lastBefore(trace, index, "retrieval");
  if (place < 0) return nothing("Nothing was searched up to this step.");
  const search = (await trace.entry(place)).wire.data;
  const graded = lastBefore(trace, index, "verdicts");
  const verdicts = graded > place ? (await trace.entry(graded)).wire.data.chunks : [];
  const labels = new Map(verdicts.map((verdict) => [verdict.chunk, verdict]));
  return [
    lead(el("b", {}, `Pass ${search.pass}`), ` · ${search.hits.length} of ${search.asked} asked for · ${duration(search.ms)}`),
    el("p", { className: "query" }, `“${search.query}”`),
    await rewritten(trace, place),
    ...search.hits.map((hit) => row(trace, hit, labels.get(hit.chunk))),
  ].filter(Boolean);
}

function lastBefore(trace, index, type) {
  for (let place = index; place >= 0; place -= 1) {
    if (trace.steps[place].type === type) return place;
  }
  return -1;
}

async function rewritten(trace, place) {
  const rewrite = lastBefore(trace, place, "rewrite");
  if (rewrite < 0) return null;
  const { before, drift } = (await trace.entry(rewrite)).wire.data;
  const far = drift === null ? "" : `, ${drift.toFixed(2)} away from the question`;
  return el("p", { className: "lead" }, `Rewritten from “${before}”${far}`);
}

function row(trace, hit, verdict) {
  const [signal, label] = verdict ? SIGNALS[verdict.label] : ["unchecked", "not graded yet"];
  return el(
    "div",
    { className: "hit" },
    el(
      "div",
      { className: "name" },
      el("span", {}, hit.chunk),
      el("span", { className: `signal ${signal}` }, label),
    ),
    el(
      "div",
      { className: "marks" },
      rank("vector", hit.vector_rank),
      rank("text", hit.text_rank),
      el("span", { className: "figure", title: "Cosine to the query" }, figure("cos", hit.cosine, 2)),
      el("span", { className: "figure", title: "What the list is ordered by" }, figure("score", hit.score, 4)),
    ),
    verdict?.reason ? el("p", { className: "why" }, words(verdict.reason)) : null,
    passage(trace, hit.chunk),
  );
}

const figure = (name, number, digits) => `${name} ${number === null ? "–" : number.toFixed(digits)}`;

function rank(name, place) {
  const length = place === null ? 0 : Math.max(DEEPEST + 1 - place, 1) * (100 / DEEPEST);
  const bar = svg(
    "svg",
    { viewBox: "0 0 100 5", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "track", width: 100, height: 5 }),
    svg("rect", { class: "length", width: length, height: 5 }),
  );
  return el("span", { className: "rank" }, `${name} ${place ?? "–"}`, bar);
}

function passage(trace, chunk) {
  const box = el("details", {}, el("summary", {}, "Passage"));
  box.addEventListener("toggle", async () => {
    if (!box.open || box.childElementCount > 1) return;
    box.append(await quoted(trace, chunk));
  });
  return box;
}

async function quoted(trace, chunk) {
  try {
    const found = await trace.passage(chunk);
    const source = `${found.heading || found.title}, version ${found.version}`;
    return el(
      "blockquote",
      {},
      el("p", { className: "words value" }, found.text),
      el("a", { href: found.href, className: "small" }, source),
    );
  } catch {
    return el("p", { className: "muted small" }, "The passage is not in the index any more.");
  }
}
