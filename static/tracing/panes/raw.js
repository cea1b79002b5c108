// Raw: the frame as it was stored and sent.

import { el } from "../words.js";
import { lead } from "./values.js";

export async function raw(trace, index) {
  const entry = await trace.entry(index);
  const joined = entry.first === entry.last ? "" : ` to #${entry.last}, joined`;
  return [
    lead(el("b", { className: "mono" }, entry.type), ` · #${entry.first}${joined}`),
    el("pre", {}, JSON.stringify(entry.wire, null, 2)),
  ];
}
