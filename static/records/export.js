// Checks the record that stands in this page: hashes its texts anew, follows its chain to the head,
// and holds what is shown against what was sealed. Needs no network and asks nobody.

const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const sha256 = async (text) => hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));

/** What does not hold, as sentences; nothing if everything does. */
async function faultsOf(proof) {
  const faults = [];
  const own = proof.chain.find((link) => link.number === proof.number);
  if (!own) return ["The record is not in its chain."];
  const says = read(own.text);
  if (!says) return ["The text of the record cannot be read."];
  if (proof.facts && (await sha256(proof.facts)) !== says.facts) faults.push("The facts are not those that were sealed.");
  if (!proof.facts && typeof says.facts === "string") faults.push("The facts are missing.");
  if (proof.content) {
    if ((await sha256(proof.salt + proof.content)) !== says.content) faults.push("What was said is not what was sealed.");
  } else if (!proof.erased_at) {
    faults.push("What was said is missing.");
  }
  return [...faults, ...(await chainFaults(proof, says.conversation))];
}

/** From what was purged, or from the first record, to the head. */
async function chainFaults(proof, conversation) {
  let number = 0;
  let digest = "";
  for (const anchor of proof.anchors) {
    if (anchor.first !== number + 1 || anchor.last < anchor.first) return ["What stands for purged records does not fit."];
    [number, digest] = [anchor.last, anchor.digest];
  }
  for (const link of proof.chain) {
    const says = read(link.text);
    number += 1;
    if (link.number !== number || says?.number !== number) return [`Record ${number} of the chain is missing.`];
    if ((await sha256(link.text)) !== link.digest) return [`Record ${number} of the chain was changed.`];
    if (says.previous !== digest) return [`Record ${number} does not follow the record before it.`];
    if (says.conversation !== conversation) return [`Record ${number} is of another conversation.`];
    digest = link.digest;
  }
  if (proof.head_count !== number) return ["Records are missing at the end of the chain."];
  return proof.head_digest === digest ? [] : ["The head does not fit the last record."];
}

/** What is shown and was not sealed so; each is marked. */
function shownFaults(proof) {
  const record = read(proof.chain.find((link) => link.number === proof.number)?.text) ?? {};
  const texts = { record, facts: proof.facts ? read(proof.facts) : record.facts, content: proof.content ? read(proof.content) : {} };
  const wrong = [...document.querySelectorAll("[data-says]")].filter((element) => {
    const sealed = shown(read(element.dataset.says).reduce((at, part) => at?.[part], texts));
    const spoken = "spoken" in element.dataset ? sealed.replaceAll("_", " ") : sealed;
    return !same(element.textContent, spoken.replace(/\r\n?/g, "\n")); // as a page keeps line ends
  });
  for (const element of wrong) element.classList.add("wrong");
  return wrong.map((element) => `Shown and not sealed: “${element.textContent.slice(0, 80)}”`);
}

// Numbers are compared as numbers: 5.0 and 5 are one, however they were written.
const same = (text, expected) => text === expected || (expected !== "" && text.trim() !== "" && Number(text) === Number(expected));
const shown = (value) => (value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value));

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function tell(kind, words, more, faults = []) {
  const verdict = document.getElementById("verdict");
  verdict.className = `verdict ${kind}`;
  const [signal, line] = verdict.querySelectorAll("p");
  [signal.textContent, line.textContent] = [words, more];
  const list = document.getElementById("faults");
  list.hidden = faults.length === 0;
  list.replaceChildren(...faults.map((fault) => Object.assign(document.createElement("li"), { textContent: fault })));
}

async function check() {
  if (!globalThis.crypto?.subtle) {
    tell("open", "Not checked", "This browser cannot hash here. The texts and digests at the end can be hashed by hand.");
    return;
  }
  const proof = read(document.getElementById("proof").textContent);
  if (!proof) {
    tell("broken", "Does not hold", "The data of this page cannot be read.");
    return;
  }
  const faults = [...(await faultsOf(proof)), ...shownFaults(proof)];
  if (faults.length) {
    tell("broken", "Does not hold", "What follows is not as it was sealed.", faults);
  } else {
    const erased = proof.erased_at ? "What was said was erased; its digest is part of the chain. " : "";
    tell("holds", "Holds", `${erased}Record ${proof.number} is as it was sealed, and the chain is whole up to its head, record ${proof.head_count}.`);
  }
}

check().catch(() => tell("broken", "Does not hold", "The check could not be finished."));
