// The list of conversations: a drawer on a narrow screen, arrow keys in the list, Ctrl+K to search.

const DRAWER = matchMedia("(max-width: 860px)");

export class Rail {
  constructor() {
    this.page = document.getElementById("chat");
    this.rail = document.getElementById("rail");
    this.stage = document.getElementById("stage");
    this.opener = document.getElementById("open-rail");
    this.search = document.getElementById("rail-search");
    this.opener.addEventListener("click", () => this.open());
    document.getElementById("close-rail").addEventListener("click", () => this.close());
    document.getElementById("veil").addEventListener("click", () => this.close());
    document.addEventListener("keydown", (event) => this.#key(event));
    this.rail.addEventListener("keydown", (event) => this.#arrows(event));
    DRAWER.addEventListener("change", () => this.close(false));
  }

  /** The list has news: fetch it again, with the search as it stands. */
  refresh(current) {
    document.getElementById("rail-current").value = current;
    htmx.trigger(document.body, "rail-changed");
  }

  /** What lies behind the drawer is inert, so focus stays inside. */
  open(focusOn = document.getElementById("close-rail")) {
    if (DRAWER.matches) {
      this.page.classList.add("drawer-open");
      this.stage.inert = true;
      this.opener.setAttribute("aria-expanded", "true");
    }
    focusOn.focus();
  }

  close(backToOpener = true) {
    if (!this.page.classList.contains("drawer-open")) return;
    this.page.classList.remove("drawer-open");
    this.stage.inert = false;
    this.opener.setAttribute("aria-expanded", "false");
    if (backToOpener) this.opener.focus();
  }

  #key(event) {
    if (event.key === "Escape") this.close();
    if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey) {
      event.preventDefault();
      this.open(this.search);
      this.search.select();
    }
  }

  #arrows(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const stops = [...this.rail.querySelectorAll(".line"), this.search];
    const at = stops.indexOf(document.activeElement);
    if (at < 0) return;
    event.preventDefault();
    stops[(at + step + stops.length) % stops.length].focus();
  }
}
