// Editing a question where it stands: its panel becomes a field, and comes back on Escape.

/** `onEdit(article, text)` for a question that was changed and sent; says whether it was taken. */
export function listenForEdits(thread, { limit, onEdit }) {
  thread.addEventListener("click", (event) => {
    const button = event.target.closest(".edit");
    if (button) openEditor(button.closest(".turn"), { limit, onEdit });
  });
}

/** Turn a question's panel into a field; `text` is what stands in it if not the question. */
export function openEditor(article, { limit, onEdit, text = null }) {
  const panel = article.querySelector(".asked h2");
  const button = article.querySelector(".edit");
  if (panel.hidden) return;
  const question = panel.querySelector(".question").textContent;
  const form = formOf(text ?? question);
  const field = form.querySelector("textarea");
  const close = () => {
    form.remove();
    panel.hidden = button.hidden = false;
    button.focus({ preventScroll: true });
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const said = field.value.trim();
    if (!said || [...said].length > limit) return;
    if (said === question || onEdit(article, said)) close();
  });
  form.addEventListener("keydown", (event) => onKey(event, { form, field, close }));
  form.querySelector("[data-cancel]").addEventListener("click", close);
  panel.hidden = button.hidden = true;
  panel.after(form);
  grow(field);
  field.focus({ preventScroll: true });
  field.setSelectionRange(field.value.length, field.value.length);
}

function onKey(event, { form, field, close }) {
  // While an input method composes, its keys are its own.
  if (event.isComposing || event.keyCode === 229) return;
  if (event.key === "Escape") {
    event.stopPropagation();
    close();
  } else if (event.key === "Enter" && !event.shiftKey && event.target === field) {
    event.preventDefault();
    form.requestSubmit();
  }
}

function formOf(text) {
  const form = document.createElement("form");
  form.className = "editing";
  const field = document.createElement("textarea");
  field.rows = 1;
  field.value = text;
  field.enterKeyHint = "send";
  field.setAttribute("aria-label", "Edit your question");
  field.addEventListener("input", () => grow(field));
  const cancel = buttonOf("Cancel", "button");
  cancel.dataset.cancel = "";
  form.append(field, cancel, buttonOf("Send", "submit"));
  return form;
}

function buttonOf(words, type) {
  const button = document.createElement("button");
  button.type = type;
  button.className = `button small${type === "submit" ? "" : " quiet"}`;
  button.textContent = words;
  return button;
}

function grow(field) {
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight + 2}px`; // and its border
}
