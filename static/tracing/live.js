// Follows a turn that still runs: a frame of the stream says that there is more to read.

const EVERY = 300; // ms between two looks at the outline

export class Live {
  constructor(address, types, { onnews, onend, onstate }) {
    this.address = address;
    this.types = types;
    this.onnews = onnews;
    this.onend = onend;
    this.onstate = onstate;
  }

  start(after) {
    this.source = new EventSource(`${this.address}events/?after=${after}`);
    this.source.addEventListener("open", () => this.onstate("live"));
    // A stored event of the type `error` has data; a broken line has none.
    for (const type of this.types) {
      this.source.addEventListener(type, (event) => event.data && this.heard(type));
    }
    this.source.addEventListener("error", (event) => event.data || this.broken());
  }

  heard(type) {
    this.onstate("live");
    if (type === "turn_finished") {
      this.source.close();
      this.isOver = true;
    }
    this.lookSoon();
  }

  // What is heard during a look may have come too late for it: then there is another one.
  lookSoon() {
    this.hasMore = true;
    this.timer ??= setTimeout(() => this.look(), this.isOver ? 0 : EVERY);
  }

  async look() {
    this.hasMore = false;
    await this.onnews();
    this.timer = undefined;
    if (this.hasMore) this.lookSoon();
    else if (this.isOver) this.onend();
  }

  // The browser comes back by itself; it gives up only when the server says that all is sent.
  broken() {
    if (this.source.readyState !== EventSource.CLOSED) {
      this.onstate("lost");
      return;
    }
    if (this.isOver) return;
    this.isOver = true;
    this.lookSoon();
  }
}
