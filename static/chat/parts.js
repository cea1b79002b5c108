// The parts of the chat page, each made once and told whom to call.

import { announcer } from "./announce.js";
import { Branch } from "./branch.js";
import { Composer } from "./composer.js";
import { Follower } from "./follower.js";
import { OfflineBar } from "./offline.js";
import { Hearing } from "./hearing.js";
import { Place } from "./place.js";
import { Rail } from "./rail.js";
import { Reader } from "./scroll.js";
import { addressOf, ChatSocket } from "./socket.js";
import { StatusLine } from "./status.js";

const byId = (id) => document.getElementById(id);

/** Fills `page` with its parts. What they call on it later are its own methods. */
export function makeParts(page, root) {
  const { data } = page;
  page.thread = byId("thread");
  page.template = byId("turn-template");
  page.empty = byId("empty");
  page.announce = announcer(byId("announcer"));
  page.reader = new Reader(byId("scroll"), byId("below"));
  page.status = new StatusLine(byId("status"), {
    announce: page.announce,
    before: () => (page.socket.isOpen ? "Sending" : "Waiting for the connection"),
  });
  page.place = new Place(root, new Rail());
  page.composer = composerOf(page);
  page.offline = new OfflineBar(byId("offline"), () => page.socket.hurry());
  const hearing = new Hearing(page);
  page.socket = new ChatSocket(addressOf(data.socket), {
    onFrame: (frame) => hearing.hear(frame),
    onLost: (news) => page.offline.lost(news),
    onFound: () => page.offline.found(),
  });
  page.follower = followerOf(page);
  page.branch = new Branch(page.thread, {
    page: data.page,
    reader: page.reader,
    isFree: () => page.follower.isFree,
    onShown: (last) => page.shown(last),
  });
}

function composerOf(page) {
  const { data, status } = page;
  return new Composer(byId("composer"), {
    limit: Number(data.limit),
    files: { most: Number(data.files), largest: Number(data.fileBytes) },
    stage: byId("stage"),
    onAsk: (text, attachments) => page.ask(text, attachments),
    onStop: () => page.stop(),
    onBusy: () => page.isBusy(),
    onHint: (words, refused) => status.say(words, { refused }),
    onChange: (text) => page.typed(text),
  });
}

function followerOf(page) {
  const { thread, reader, status, composer, announce } = page;
  return new Follower(thread, {
    page: page.data.page,
    ...{ reader, status, composer, announce },
    resume: (turn) => page.resume(turn),
    onOver: () => page.over(),
    onAsked: (turn) => page.asked(turn),
  });
}
