// Retrieved: every search of the pass that the step is in, a row a chunk, with its verdict.

import { count, duration, el, svg, words } from "../words.js";
import { lead, nothing } from "./values.js";

const SIGNALS = {
  ANSWERS: ["supported", "answers"],
  SUPPORTS: ["partly", "supports"],
  IRRELEVANT: ["unchecked", "irrelevant"],
  UNGRADED: ["failed", "not graded"],
};
const DEEPEST = 20; // ranks that a list holds

export async function retrieved(trace, index) {
  const pass = passAt(trace, trace.steps[index].last);
  if (!pass) return nothing("Nothing was searched up to this step.");
  const seen = Math.min(pass.last, trace.steps[index].last);
  const searches = await Promise.all(searchesOf(trace, pass).map((place) => trace.entry(place)));
  const graded = await entries(trace, "verdicts", pass.first, seen);
  const labels = new Map(graded.flatMap((entry) => entry.wire.data.chunks).map((one) => [one.chunk, one]));
  const rewrites = await rewritesBefore(trace, pass);
  return [
    heading(pass, searches),
    ...searches.flatMap((entry) => search(trace, entry, searches.length > 1, rewrites, labels)),
    ...(await failures(trace, pass.first, seen)),
  ];
}

const searchesOf = (trace, pass) => trace.placesOf("retrieval", pass.first, pass.last);

// The last pass that has searched by then: searches of one pass run side by side.
function passAt(trace, seq) {
  return trace.passes.findLast((pass) => {
    const first = searchesOf(trace, pass)[0];
    return first !== undefined && trace.steps[first].first <= seq;
  });
}

function entries(trace, type, first, last) {
  return Promise.all(trace.placesOf(type, first, last).map((place) => trace.entry(place)));
}

function heading(pass, searches) {
  const found = searches.map((entry) => entry.wire.data);
  const hits = found.reduce((sum, one) => sum + one.hits.length, 0);
  const asked = found.reduce((sum, one) => sum + one.asked, 0);
  const ms = Math.max(...found.map((one) => one.ms));
  const many = found.length > 1 ? ` · ${count(found.length, "search", "searches")}` : "";
  return lead(el("b", {}, `Pass ${pass.number}`), `${many} · ${hits} of ${asked} asked for · ${duration(ms)}`);
}

function search(trace, entry, isOneOfMany, rewrites, labels) {
  const { query, hits, asked } = entry.wire.data;
  const items = (entry.items ?? []).filter((item) => item !== query);
  const one = isOneOfMany ? ` · ${hits.length} of ${asked}` : "";
  return [
    el("p", { className: "query" }, `“${query}”`, el("span", { className: "muted small" }, one)),
    items.length ? lead(`For ${items.map((item) => `“${item}”`).join(", ")}`) : null,
    rewritten(rewrites.get(query)),
    ...hits.map((hit) => row(trace, hit, labels.get(hit.chunk))),
    hits.length ? null : el("p", { className: "muted" }, "Nothing was found with these words."),
  ].filter(Boolean);
}

// The rewrites between the pass before and this one, by the words that they led to.
async function rewritesBefore(trace, pass) {
  const before = trace.passes.findLast((other) => other.first < pass.first);
  if (!before) return new Map();
  const found = await entries(trace, "rewrite", before.first, pass.last);
  return new Map(found.map((entry) => [entry.wire.data.after, entry.wire.data]));
}

function rewritten(rewrite) {
  if (!rewrite || rewrite.before === rewrite.after) return null;
  const far = rewrite.drift === null ? "" : `, ${rewrite.drift.toFixed(2)} away from the question`;
  return lead(`Rewritten from “${rewrite.before}”${far}`);
}

async function failures(trace, first, last) {
  const failed = await entries(trace, "error", first, last);
  return failed.map((entry) => el("p", { className: "signal failed" }, entry.wire.data.message));
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
