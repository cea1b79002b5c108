// Copying an answer with its sources, as plain text.

const SHOWN = 1_600; // ms that the button says what became of it

/** Every copy button in the thread, now and later; `announce` reads out what became of it. */
export function listenForCopy(thread, announce) {
  thread.addEventListener("click", async (event) => {
    const button = event.target.closest(".copy");
    if (!button) return;
    const label = button.querySelector("span");
    const done = await write(plainText(button.closest(".turn")));
    label.textContent = done ? "Copied" : "Not copied";
    announce(label.textContent);
    setTimeout(() => { label.textContent = "Copy"; }, SHOWN);
  });
}

function plainText(turn) {
  const sources = [...turn.querySelectorAll(".sources a")].map((source) => {
    const [number, name] = source.children;
    const [section, document_] = name.children;
    return `[${number.textContent}] ${[section, document_].map((e) => e.textContent).filter(Boolean).join(", ")}`;
  });
  const answer = wordsOf(turn.querySelector(".said"), (number) => `[${number}]`);
  return sources.length ? `${answer}\n\n${sources.join("\n")}` : answer;
}

/** An answer's words with its markers as `marker` writes them. */
export function wordsOf(said, marker) {
  const markers = [...said.querySelectorAll("a.cite")];
  const numbers = markers.map((each) => each.textContent);
  markers.forEach((each, index) => { each.textContent = marker(numbers[index]); });
  const words = said.innerText.trim();
  markers.forEach((each, index) => { each.textContent = numbers[index]; });
  return words;
}

/** The clipboard is missing on plain http from another machine; a selection still copies there. */
async function write(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return writeBySelection(text);
  }
}

function writeBySelection(text) {
  const field = document.createElement("textarea");
  field.className = "unseen";
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}
