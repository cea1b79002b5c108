// A turn as the page knows it: the outline whole, details of steps as they are asked for.

const WINDOW = 40; // steps of one request
const LATEST = 100; // entries of one type in one answer, as the server gives them
const FIELDS = ["first", "last", "type", "band", "visit", "pass", "ms", "until"];

export class Trace {
  constructor(address) {
    this.address = address;
    this.steps = [];
    this.visits = [];
    this.passes = [];
    this.waits = [];
    this.course = { read: [], route: [], covered: [] };
    this.budget = { limits: {}, spent: [], toolCosts: new Map(), ended: null };
    this.finished = false;
    this.tokens = [];
    this.entries = new Map();
    this.ofTypes = new Map();
    this.byType = new Map();
    this.asked = new Map();
  }

  get length() {
    return this.steps.length;
  }

  async refresh() {
    const outline = await this.fetch("outline/");
    this.steps = outline.steps.map((row) => stepOf(row, outline));
    this.byType.clear();
    this.visits = outline.visits.map(([node, first, last, pass, number, ms, paused]) => ({
      node, first, last, pass, number, ms, paused,
    }));
    this.passes = outline.passes.map(([number, first, last]) => ({ number, first, last }));
    this.waits = outline.waits.map(([after, kind, ms, until]) => ({ after, for: kind, ms, until }));
    this.course = { read: outline.read, route: outline.route, covered: outline.covered };
    this.budget = budgetOf(outline);
    this.finished = outline.finished;
  }

  async refreshTokens() {
    const after = this.tokens.length ? this.tokens.at(-1).seq : 0;
    const { tokens } = await this.fetch(`tokens/?after=${after}`);
    const known = new Set(this.tokens.map((token) => token.seq));
    for (const [seq, ms, offset, text] of tokens) {
      if (!known.has(seq)) this.tokens.push({ seq, ms, offset, text });
    }
  }

  // The step that covers an event's number, or the one before it.
  indexOf(seq) {
    let low = 0;
    let high = this.steps.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.steps[middle].first <= seq) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  visitOf(index) {
    const step = this.steps[index];
    return step && step.visit >= 0 ? this.visits[step.visit] : null;
  }

  known(index) {
    const step = this.steps[index];
    return step && this.entries.get(keyOf(step));
  }

  // The places of the steps of a type between two event numbers, both included.
  placesOf(type, first, last) {
    const places = [];
    for (let place = this.indexOf(first); this.steps[place]?.first <= last; place += 1) {
      if (this.steps[place].type === type && this.steps[place].first >= first) places.push(place);
    }
    return places;
  }

  // The details of a step; its neighbours come along.
  async entry(index) {
    const found = this.known(index);
    if (found) return found;
    const start = Math.floor(index / WINDOW) * WINDOW;
    const end = Math.min(start + WINDOW, this.steps.length) - 1;
    await this.range(this.steps[start].first, this.steps[end].last);
    return this.known(index);
  }

  async range(first, last) {
    const key = `${first}-${last}`;
    if (!this.asked.has(key)) {
      this.asked.set(key, this.read(first, last).finally(() => this.asked.delete(key)));
    }
    for (const entry of await this.asked.get(key)) this.entries.set(keyOf(entry), entry);
  }

  // The entries of one type up to a step, and how many there are; only the last ones come. They are
  // fetched in blocks, so that stepping on asks for another one only once in a hundred.
  async ofType(type, index) {
    const all = this.stepsOf(type);
    const seq = this.steps[index]?.last ?? 0;
    const number = countWhile(all, (step) => step.first <= seq);
    if (!number) return { count: 0, entries: [] };
    const first = Math.max(Math.floor((number - LATEST) / LATEST), 0);
    const last = Math.floor((number - 1) / LATEST);
    const blocks = await Promise.all(range(first, last).map((place) => this.block(type, all, place)));
    const entries = blocks.flat().filter((entry) => entry.first <= seq);
    return { count: number, entries: entries.slice(-LATEST) };
  }

  stepsOf(type) {
    if (!this.byType.has(type)) this.byType.set(type, this.steps.filter((step) => step.type === type));
    return this.byType.get(type);
  }

  // A block that is full is never asked for again; the last one of a turn that runs grows.
  async block(type, all, place) {
    const steps = all.slice(place * LATEST, (place + 1) * LATEST);
    const key = `${type} ${place} ${steps.length}`;
    if (!this.ofTypes.has(key)) {
      const found = this.fetch(`latest/?type=${type}&to=${steps.at(-1).first}`);
      this.ofTypes.set(key, found);
      found.catch(() => this.ofTypes.delete(key));
    }
    const { entries } = await this.ofTypes.get(key);
    return entries.filter((entry) => entry.first >= steps[0].first);
  }

  async read(first, last) {
    const entries = [];
    for (let from = first; from !== null; ) {
      const page = await this.fetch(`details/?from=${from}&to=${last}`);
      entries.push(...page.entries);
      from = page.next;
    }
    return entries;
  }

  async whole(step) {
    const page = await this.fetch(`details/?from=${step.first}&to=${step.last}&full=1`);
    return page.entries[0];
  }

  state(seq) {
    return this.fetch(`state/?seq=${seq}`);
  }

  passage(chunk) {
    return this.fetch(`passage/?chunk=${encodeURIComponent(chunk)}`);
  }

  async fetch(path) {
    const response = await fetch(this.address + path);
    if (!response.ok) throw new Error(`${path} gave ${response.status}`);
    return response.json();
  }
}

function budgetOf({ limits, spent, tool_costs: toolCosts, ended }) {
  const rows = spent.map(([seq, passes, rewrites, tokens, cost, tools]) => ({
    seq, passes, rewrites, tokens, cost, tools,
  }));
  return { limits, spent: rows, toolCosts: new Map(toolCosts), ended };
}

function stepOf(row, outline) {
  const step = Object.fromEntries(FIELDS.map((name, place) => [name, row[place]]));
  step.type = outline.types[step.type];
  step.band = outline.bands[step.band];
  return step;
}

function countWhile(steps, fits) {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(steps[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}

const range = (first, last) => Array.from({ length: last - first + 1 }, (_, place) => first + place);

const keyOf = (step) => `${step.first}-${step.last}`;
