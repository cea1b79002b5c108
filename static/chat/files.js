// Which files may come with a question, and their sizes in words. Pure, so that it can be tested
// without a page; the server checks again.

const MB = 1024 * 1024;
const LONGEST_NAME = 120; // characters that the server keeps

/** Media types by the ending of a name. Browsers know Markdown by no type, or by several. */
const TYPES = {
  pdf: "application/pdf",
  txt: "text/plain",
  text: "text/plain",
  log: "text/plain",
  md: "text/markdown",
  markdown: "text/markdown",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
};
const KNOWN = new Set(Object.values(TYPES));
const ENDING_OF = { "image/png": ".png", "image/jpeg": ".jpg", "application/pdf": ".pdf" };

/** What a file chooser offers. */
export const ACCEPTED = [...Object.keys(TYPES).map((ending) => `.${ending}`), ...KNOWN].join(",");

/** The media type that a file is sent as, or null if it may not be added. */
export function typeOf({ name, type }) {
  const ending = name.includes(".") ? name.split(".").at(-1).toLowerCase() : "";
  return TYPES[ending] ?? (!ending && KNOWN.has(type) ? type : null);
}

/**
 * Of these files, those that may join `present` others, and why the first of the rest may not.
 * `most` files may go with a question, each of `largest` bytes.
 */
export function chosen(files, present, { most, largest }) {
  const taken = [];
  let problem = "";
  for (const file of files) {
    const why = whyNot(file, { largest, isFull: present + taken.length >= most });
    if (why) problem ||= why;
    else taken.push(file);
  }
  return { taken, problem };
}

function whyNot(file, { largest, isFull }) {
  const name = `“${short(file.name)}” was not added`;
  if (!typeOf(file)) return `${name}: only PDF, text, Markdown, PNG and JPEG can be read.`;
  if (file.size > largest) return `${name}: it is larger than ${largest / MB} MB.`;
  if (file.size === 0) return `${name}: it is empty.`;
  return isFull ? `${name}: a question has room for no more files.` : "";
}

/** A name that the server keeps whole: its end says what it is, so it is cut before that. */
export function nameOf({ name, type }) {
  const plain = name.replace(/[\u0000-\u001f\u007f-\u009f/\\]/g, "_") || "file";
  const whole = plain.includes(".") ? plain : `${plain}${ENDING_OF[type] ?? ""}`;
  const letters = [...whole];
  if (letters.length <= LONGEST_NAME) return whole;
  return `${letters.slice(0, LONGEST_NAME - 13).join("")}…${letters.slice(-12).join("")}`;
}

/** A size for a person: 640 B, 12 KB, 1.4 MB. */
export function sizeOf(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < MB) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / MB).toFixed(1)} MB`;
}

/** How many bytes a base64 text stands for. */
export function bytesIn(base64) {
  return (base64.length / 4) * 3 - (base64.match(/=+$/)?.[0].length ?? 0);
}

function short(name) {
  const letters = [...name];
  return letters.length > 40 ? `${letters.slice(0, 39).join("")}…` : name;
}
