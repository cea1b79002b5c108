// The connection with a socket and a clock that the test moves.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import {
  addressOf, ChatSocket, pauseBefore, pauseWhenFull, PING_EVERY, SILENCE,
} from "../../static/chat/socket.js";

class FakeSocket {
  static made = [];

  constructor(url) {
    this.url = url;
    this.readyState = 0;
    this.sent = [];
    FakeSocket.made.push(this);
  }

  open() {
    this.readyState = 1;
    this.onopen();
  }

  say(frame) {
    this.onmessage({ data: JSON.stringify(frame) });
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  fail(code = 1006) {
    this.readyState = 3;
    this.onclose?.({ code });
  }

  close() {
    this.readyState = 3;
  }
}

const last = () => FakeSocket.made.at(-1);
let heard;
let socket;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  FakeSocket.made = [];
  heard = { frames: [], lost: [], found: 0 };
  socket = new ChatSocket("ws://site/ws/", {
    onFrame: (frame) => heard.frames.push(frame),
    onLost: (news) => heard.lost.push(news),
    onFound: () => { heard.found += 1; },
  }, { Socket: FakeSocket, random: () => 1 });
  socket.connect();
});

test("the address takes the page's scheme and host", () => {
  assert.equal(addressOf("/ws/", { protocol: "http:", host: "a:1" }), "ws://a:1/ws/");
  assert.equal(addressOf("/ws/", { protocol: "https:", host: "a" }), "wss://a/ws/");
});

test("frames reach the page as objects", () => {
  last().open();
  last().say({ type: "hello" });
  assert.deepEqual(heard.frames, [{ type: "hello" }]);
  assert.equal(heard.found, 1);
});

test("nothing is sent while the connection is not there", () => {
  assert.equal(socket.send({ type: "ask" }), false);
  last().open();
  assert.equal(socket.send({ type: "ask" }), true);
  assert.deepEqual(last().sent, [{ type: "ask" }]);
});

test("pauses double up to a bound and keep their lower half", () => {
  assert.equal(pauseBefore(1, () => 1), 500);
  assert.equal(pauseBefore(1, () => 0), 250);
  assert.equal(pauseBefore(3, () => 1), 2_000);
  assert.equal(pauseBefore(40, () => 1), 20_000);
});

test("a lost connection is tried again, and the tries are counted", () => {
  last().open();
  last().fail();
  assert.deepEqual(heard.lost, [{ tries: 1, pause: 500, isFull: false }]);
  mock.timers.tick(500);
  last().fail();
  assert.deepEqual(heard.lost.at(-1), { tries: 2, pause: 1_000, isFull: false });
  mock.timers.tick(1_000);
  last().open();
  last().fail();
  assert.equal(heard.lost.at(-1).tries, 1, "a connection that stood starts the count anew");
});

test("where too many pages are open, one more knocks seldom and not in step with the others", () => {
  assert.equal(pauseWhenFull(() => 1), 40_000);
  assert.equal(pauseWhenFull(() => 0), 20_000);
  last().open();
  last().say({ type: "refused", code: "too_many_sockets" });
  last().fail(4429);
  assert.deepEqual(heard.lost, [{ tries: 1, pause: 40_000, isFull: true }]);
  mock.timers.tick(39_999);
  assert.equal(FakeSocket.made.length, 1);
  mock.timers.tick(1);
  assert.equal(FakeSocket.made.length, 2);
  last().open();
  last().fail();
  assert.equal(heard.lost.at(-1).pause, 500, "any other loss is tried again at once");
});

test("a full site is tried at once when the person asks for it", () => {
  last().open();
  last().fail(4429);
  socket.hurry();
  assert.equal(FakeSocket.made.length, 2);
});

test("a ping goes out and its answer keeps the connection", () => {
  last().open();
  mock.timers.tick(PING_EVERY);
  assert.deepEqual(last().sent, [{ type: "ping" }]);
  last().say({ type: "pong" });
  mock.timers.tick(SILENCE);
  assert.equal(heard.lost.length, 0);
});

test("a server that stays silent after a ping counts as lost", () => {
  last().open();
  mock.timers.tick(PING_EVERY);
  mock.timers.tick(SILENCE);
  assert.equal(heard.lost.length, 1);
  assert.equal(FakeSocket.made[0].readyState, 3, "the deaf socket is closed");
});

test("a large frame that is still going out is no silence", () => {
  last().open();
  last().bufferedAmount = 9_000_000;
  mock.timers.tick(PING_EVERY * 2 + SILENCE);
  assert.deepEqual(last().sent, []);
  assert.equal(heard.lost.length, 0);
  last().bufferedAmount = 0;
  mock.timers.tick(PING_EVERY);
  assert.deepEqual(last().sent, [{ type: "ping" }]);
});

test("a hurried try replaces the waiting one and disturbs no good connection", () => {
  last().fail();
  socket.hurry();
  assert.equal(FakeSocket.made.length, 2);
  last().open();
  socket.hurry();
  mock.timers.tick(60_000);
  assert.equal(FakeSocket.made.length, 2);
});

test("an ended connection stays ended", () => {
  last().open();
  socket.end();
  mock.timers.tick(60_000);
  socket.connect();
  assert.equal(FakeSocket.made.length, 1);
  assert.equal(heard.lost.length, 0);
});
