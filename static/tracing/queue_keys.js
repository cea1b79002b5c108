// What a key means on a sheet of the queue. Pure, so that it is tested as data.
//
// `rows` are the questions as [{ digits, answered }], `row` is the one that one stands at, -1 for
// none. `typing` is in a field, `pressing` on a button or a link, `open` while a sheet lies above.

const LETTERS = { s: "skip", u: "undo", n: "note", m: "marks", g: "path", j: "log", "?": "help" };

export function actionFor(key, { rows = [], row = -1, typing = false, pressing = false, open = false, held = false } = {}) {
  if (typing) return inField(key, held);
  if (held || open) return null;
  if (key === "Enter") return pressing ? null : { do: "done" };
  if (key === "ArrowDown" || key === "ArrowUp") return moved(key === "ArrowDown" ? 1 : -1, rows, row);
  if (/^[1-9]$/.test(key)) return chosen(Number(key), rows, row);
  const name = LETTERS[key.length === 1 ? key.toLowerCase() : key];
  return name ? { do: name } : null;
}

// The question that comes after an answer was given: the next open one, else one stays.
export function after(rows, row) {
  const next = rows.findIndex((one, at) => at > row && !one.answered);
  return next === -1 ? row : next;
}

// The first question without an answer; -1 if all have one.
export function open(rows) {
  return rows.findIndex((one) => !one.answered);
}

function inField(key, held) {
  if (key === "Escape") return { do: "leave" };
  return key === "Enter" && held ? { do: "done" } : null;
}

function moved(by, rows, row) {
  if (!rows.length) return null;
  const from = row === -1 ? (by > 0 ? -1 : rows.length) : row;
  return { do: "row", row: Math.min(rows.length - 1, Math.max(0, from + by)) };
}

function chosen(digit, rows, row) {
  const at = row === -1 ? Math.max(0, open(rows)) : row;
  return rows[at]?.digits.includes(digit) ? { do: "choose", row: at, digit } : null;
}
