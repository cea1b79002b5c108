// The drawn graph: lights the path up to a step. The drawing itself comes with the page.

import { duration } from "./words.js";

export class Graph {
  constructor(root, choose) {
    this.root = root;
    this.plates = new Map();
    this.wires = new Map();
    this.laps = new Map();
    for (const plate of root.querySelectorAll(".plate")) {
      this.plates.set(plate.dataset.node, plate);
      plate.addEventListener("click", () => choose(plate.dataset.node));
      plate.addEventListener("keydown", (event) => {
        if (event.key === "Enter") choose(plate.dataset.node);
      });
      plate.addEventListener("pointerenter", () => this.showNear(plate.dataset.node));
      plate.addEventListener("pointerleave", () => this.showNear(null));
    }
    for (const wire of root.querySelectorAll(".wire")) this.wires.set(nameOf(wire.dataset), wire);
    for (const lap of root.querySelectorAll(".lap")) this.laps.set(nameOf(lap.dataset), lap);
  }

  show(trace, index) {
    const here = trace.steps[index]?.visit ?? -1;
    if (here === this.here && trace.visits === this.visits) return; // most steps stay in their node
    this.here = here;
    this.visits = trace.visits;
    this.showPlates(trace.visits, here);
    this.showWires(trace.visits, here);
  }

  showPlates(visits, here) {
    const stays = new Map();
    visits.forEach((visit, place) => {
      const stay = stays.get(visit.node) ?? { ms: null, count: 0, reached: false };
      stay.count = visit.number;
      stay.waits = visit.paused && place === visits.length - 1;
      stay.ms = visit.ms === null ? stay.ms : (stay.ms ?? 0) + visit.ms;
      stay.reached ||= place <= here;
      stays.set(visit.node, stay);
    });
    for (const [node, plate] of this.plates) {
      const stay = stays.get(node);
      const isPresent = visits[here]?.node === node;
      plate.classList.toggle("reached", Boolean(stay?.reached));
      plate.classList.toggle("later", Boolean(stay && !stay.reached));
      plate.classList.toggle("present", isPresent);
      plate.classList.toggle("waits", Boolean(stay?.waits));
      plate.setAttribute("tabindex", stay ? "0" : "-1");
      plate.querySelector(".time").textContent = timeOf(stay);
      if (isPresent) this.reveal(plate);
    }
  }

  showWires(visits, here) {
    const taken = new Map();
    for (let place = 1; place < visits.length; place += 1) {
      const name = nameOf({ from: visits[place - 1].node, to: visits[place].node });
      const laps = taken.get(name) ?? { reached: false, numbers: [] };
      if (place <= here) {
        laps.reached = true;
        laps.numbers.push(lapOf(visits[place]));
      }
      taken.set(name, laps);
    }
    for (const [name, wire] of this.wires) {
      const laps = taken.get(name);
      const isTaken = Boolean(laps?.reached);
      if (isTaken && !wire.classList.contains("taken")) wire.parentElement.append(wire);
      wire.classList.toggle("taken", isTaken);
      wire.classList.toggle("later", Boolean(laps && !laps.reached));
    }
    for (const [name, lap] of this.laps) this.showLap(lap, taken.get(name)?.numbers ?? []);
  }

  // The ways into and out of a node, while one points at it.
  showNear(node) {
    for (const wire of this.wires.values()) {
      const isNear = wire.dataset.from === node || wire.dataset.to === node;
      wire.classList.toggle("near", isNear);
      if (isNear && !wire.classList.contains("taken")) wire.parentElement.append(wire);
    }
  }

  showLap(lap, numbers) {
    lap.classList.toggle("taken", numbers.length > 0);
    lap.querySelector("text").textContent = numbers.join(" ");
    const width = Math.max(16, 8 + numbers.join(" ").length * 7);
    const box = lap.querySelector("rect");
    box.setAttribute("width", width);
    box.setAttribute("x", -width / 2);
  }

  // On a narrow screen the drawing is wider than its pane: the present node is kept in sight.
  reveal(plate) {
    const pane = this.root.parentElement;
    const box = plate.getBoundingClientRect();
    const view = pane.getBoundingClientRect();
    if (box.left < view.left || box.right > view.right) {
      pane.scrollLeft += box.left + box.width / 2 - (view.left + view.width / 2);
    }
    if (pane.scrollHeight > pane.clientHeight && (box.top < view.top || box.bottom > view.bottom)) {
      pane.scrollTop += box.top + box.height / 2 - (view.top + view.height / 2);
    }
  }
}

function timeOf(stay) {
  if (!stay) return "";
  if (stay.waits) return "waits";
  const time = stay.ms === null ? "" : duration(stay.ms);
  return stay.count > 1 ? `${time} · ${stay.count}×` : time;
}

// A loop that leads to a search counts passes, any other the stays in its node.
const lapOf = (visit) => visit.pass || visit.number;

const nameOf = ({ from, to }) => `${from} ${to}`;
