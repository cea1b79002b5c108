// A turn as the page knows it: the outline whole, details of steps as they are asked for.

const WINDOW = 40; // steps of one request
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
    this.asked = new Map();
  }

  get length() {
    return this.steps.length;
  }

  async refresh() {
    const outline = await this.fetch("outline/");
    this.steps = outline.steps.map((row) => stepOf(row, outline));
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

  // The entries of one type up to a step, and how many there are; only the last ones come.
  async ofType(type, index) {
    const places = this.steps.slice(0, index + 1).filter((step) => step.type === type);
    if (!places.length) return { count: 0, entries: [] };
    const until = places.at(-1).first;
    const key = `${type} ${until}`;
    if (!this.ofTypes.has(key)) {
      const { entries } = await this.fetch(`latest/?type=${type}&to=${until}`);
      this.ofTypes.set(key, entries);
    }
    return { count: places.length, entries: this.ofTypes.get(key) };
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
    const response = await fetch(this.address + path, { headers: { Accept: "application/json" } });
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

const keyOf = (step) => `${step.first}-${step.last}`;
