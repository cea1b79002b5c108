// The files of the next question: chosen, dropped or pasted, with a chip each, read when they go.

import { ACCEPTED, bytesIn, chosen, nameOf, sizeOf, typeOf } from "./files.js";

const PREVIEW = 40; // px of a picture's preview, twice what it is shown at

export class Tray {
  /** `onChange()` when files came or went, `onProblem(words)` for one that may not be added. */
  constructor({ form, stage, limits, onChange, onProblem }) {
    Object.assign(this, { stage, limits, onChange, onProblem });
    this.list = form.querySelector(".files");
    this.input = form.querySelector("input[type='file']");
    this.items = [];
    this.input.accept = ACCEPTED;
    this.input.addEventListener("change", () => this.#picked());
    form.querySelector(".add").addEventListener("click", () => this.input.click());
    this.list.addEventListener("click", (event) => this.#clicked(event));
    form.addEventListener("paste", (event) => this.#pasted(event));
    this.#listenForDrops();
  }

  get isEmpty() {
    return this.items.length === 0;
  }

  add(files) {
    const { taken, problem } = chosen(files, this.items.length, this.limits);
    this.#set([...this.items, ...taken.map(itemOf)]);
    if (problem) this.#tell(problem);
  }

  /** Attachments that came back, as they were to be sent, before those that were added since. */
  putBack(attachments) {
    const back = attachments.map((sent) => ({ ...sent, size: bytesIn(sent.data) }));
    this.#set([...back, ...this.items]);
  }

  /** The files as they are sent; the tray is empty then. Null if one of them cannot be read. */
  async take() {
    const { items } = this;
    this.#set([]);
    try {
      return await Promise.all(items.map(sentOf));
    } catch {
      this.#set(items);
      this.#tell("A file could not be read. Remove it and add it again.");
      return null;
    }
  }

  #picked() {
    this.add([...this.input.files]);
    this.input.value = ""; // so that the same file can be chosen again
  }

  #tell(problem) {
    this.hasProblem = Boolean(problem);
    this.onProblem(problem);
  }

  /** Other files than before: what was wrong with one does not stand beside them. */
  #set(items) {
    if (this.hasProblem) this.#tell("");
    this.items = items;
    listFiles(this.list, items, { removable: true });
    this.onChange();
  }

  #clicked(event) {
    const button = event.target.closest("[data-remove]");
    if (!button) return;
    const at = [...this.list.children].indexOf(button.closest("li"));
    this.#set(this.items.toSpliced(at, 1));
    const next = this.list.querySelectorAll("[data-remove]");
    (next[Math.min(at, next.length - 1)] ?? this.input.form.querySelector(".add")).focus();
  }

  /** A cut of a table or a text comes with a picture of itself; its words are what is meant. */
  #pasted(event) {
    const { files, types } = event.clipboardData;
    const isCut = types.includes("text/plain") && types.includes("text/html");
    if (!files.length || isCut) return;
    event.preventDefault();
    this.add([...files]);
  }

  #listenForDrops() {
    const isFiles = (event) => event.dataTransfer?.types.includes("Files");
    const show = (over) => this.stage.classList.toggle("dropping", over);
    // Anywhere on the page, or a file that misses its place would open instead of it.
    addEventListener("dragover", (event) => {
      if (!isFiles(event)) return;
      event.preventDefault();
      show(true);
    });
    addEventListener("dragleave", (event) => event.relatedTarget ?? show(false));
    addEventListener("drop", (event) => {
      show(false);
      if (!isFiles(event)) return;
      event.preventDefault();
      this.add([...event.dataTransfer.files]);
    });
  }
}

/** Chips in a list: what a file is, its name, its size, and a way to take it out again. */
export function listFiles(list, files, { removable = false } = {}) {
  const mould = document.getElementById("file-template").content.firstElementChild;
  list.replaceChildren(...files.map((file) => chipOf(file, mould.cloneNode(true), removable)));
  list.hidden = files.length === 0;
}

function chipOf({ name, media_type, size, file }, chip, removable) {
  const button = chip.querySelector("[data-remove]");
  chip.title = name;
  chip.querySelector(".name").textContent = name;
  chip.querySelector(".size").textContent = sizeOf(size);
  button.setAttribute("aria-label", `Remove ${name}`);
  if (!removable) button.remove();
  if (file && media_type.startsWith("image/")) preview(file, chip.querySelector(".icon"));
  return chip;
}

/** A small picture in the sign's place, drawn here: nothing of it is loaded from anywhere. */
async function preview(file, sign) {
  try {
    const picture = await createImageBitmap(file);
    const canvas = document.createElement("canvas");
    const scale = PREVIEW / Math.min(picture.width, picture.height);
    const [width, height] = [picture.width * scale, picture.height * scale];
    canvas.width = canvas.height = PREVIEW;
    canvas.className = "preview";
    canvas.getContext("2d").drawImage(
      picture, (PREVIEW - width) / 2, (PREVIEW - height) / 2, width, height,
    );
    sign.replaceWith(canvas);
  } catch {
    // The server says so if it is no picture; here the sign stays.
  }
}

function itemOf(file) {
  return { name: nameOf(file), media_type: typeOf(file), size: file.size, file };
}

async function sentOf({ name, media_type, data, file }) {
  return { name, media_type, data: data ?? await base64Of(file) };
}

function base64Of(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.split(",")[1]);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
