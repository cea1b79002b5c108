// The connection: opens, notices silence, comes back with growing pauses, counts its tries.
// It knows frames as JSON objects and nothing of what they mean.

export const PING_EVERY = 25_000;
export const SILENCE = 10_000; // ms that the server may take to answer a ping
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 20_000;
const FULL = 4429; // the code of a close because too many pages are open
const FULL_PAUSE = 40_000; // ms; a page that is one too many must not knock every second

/** The pause in ms before a try, counted from 1: doubling, the upper half of it at random. */
export function pauseBefore(attempt, random = Math.random) {
  const whole = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1));
  return whole / 2 + (whole / 2) * random();
}

/** The same where too many pages are open: long, and no longer with the tries. */
export function pauseWhenFull(random = Math.random) {
  return FULL_PAUSE / 2 + (FULL_PAUSE / 2) * random();
}

/** A path of this site as a socket's address. */
export function addressOf(path, { protocol, host } = location) {
  return `${protocol === "https:" ? "wss" : "ws"}://${host}${path}`;
}

export class ChatSocket {
  /**
   * `onFrame(frame)` for every frame; `onLost({ tries, pause, isFull })` when the connection is
   * gone, `tries` being the failed ones so far, `isFull` if the site has no room for one more page;
   * `onFound()` when the socket stands again.
   */
  constructor(url, { onFrame, onLost, onFound }, { Socket = WebSocket, random } = {}) {
    Object.assign(this, { url, onFrame, onLost, onFound, Socket, random });
    this.tries = 0;
    this.ended = false;
  }

  get isOpen() {
    return this.ws?.readyState === 1;
  }

  connect() {
    if (this.ended) return;
    clearTimeout(this.retry);
    this.#drop();
    const ws = new this.Socket(this.url);
    this.ws = ws;
    ws.onopen = () => this.#opened();
    ws.onmessage = (message) => this.#heard(message.data);
    ws.onclose = (event) => this.#lost(event?.code === FULL);
  }

  /** Try at once instead of waiting, unless the connection stands. */
  hurry() {
    if (!this.isOpen && this.ws?.readyState !== 0) this.connect();
  }

  /** Somebody comes back to the page, or the network does: no pause is worth keeping then. */
  hurryOnReturn() {
    for (const sign of ["online", "pageshow"]) addEventListener(sign, () => this.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
  }

  /** Send if the connection stands; says whether it did. */
  send(frame) {
    if (!this.isOpen) return false;
    this.ws.send(JSON.stringify(frame));
    return true;
  }

  end() {
    this.ended = true;
    clearTimeout(this.retry);
    this.#drop();
  }

  #opened() {
    this.tries = 0;
    this.beat = setInterval(() => this.#ping(), PING_EVERY);
    this.onFound();
  }

  #heard(text) {
    clearTimeout(this.silence);
    this.onFrame(JSON.parse(text));
  }

  /** While a large frame is still on its way out, a ping behind it would tell of no silence. */
  #ping() {
    if (this.ws?.bufferedAmount > 0) return;
    this.send({ type: "ping" });
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.#lost(), SILENCE);
  }

  #lost(isFull = false) {
    this.#drop();
    if (this.ended) return;
    this.tries += 1;
    const pause = isFull ? pauseWhenFull(this.random) : pauseBefore(this.tries, this.random);
    this.retry = setTimeout(() => this.connect(), pause);
    this.onLost({ tries: this.tries, pause, isFull });
  }

  /** Let go of the present socket without hearing from it again. */
  #drop() {
    clearInterval(this.beat);
    clearTimeout(this.silence);
    if (!this.ws) return;
    this.ws.onopen = this.ws.onmessage = this.ws.onclose = null;
    this.ws.close();
    this.ws = null;
  }
}
