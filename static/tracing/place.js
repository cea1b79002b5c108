// The address of a step: `#seq=25`, with the tab where it is not the first one. `#25`, `?step=25`
// and `?tab=raw` lead there as well.

const FIRST_TAB = "changed";

// What the address asks for: { place, tab }, each undefined where it says nothing of it.
export function asked(name, { hash, search } = location) {
  const inside = new URLSearchParams(/^#\d+$/.test(hash) ? `${name}=${hash.slice(1)}` : hash.slice(1));
  const query = new URLSearchParams(search);
  const found = inside.get(name) ?? query.get("step") ?? "";
  const tab = inside.get("tab") ?? query.get("tab") ?? undefined;
  return { place: /^\d{1,9}$/.test(found) ? Number(found) : undefined, tab };
}

export function hashOf(name, place, tab) {
  return `#${name}=${place}${tab && tab !== FIRST_TAB ? `&tab=${tab}` : ""}`;
}

// Writes the address once one stands still; history keeps one entry a page.
export class Address {
  constructor(name) {
    this.name = name;
  }

  remember(place, tab) {
    this.hash = hashOf(this.name, place, tab);
    clearTimeout(this.writing);
    this.writing = setTimeout(() => this.write(), 250);
  }

  write() {
    clearTimeout(this.writing);
    if (this.hash && this.hash !== location.hash) history.replaceState(null, "", location.pathname + this.hash);
  }

  // The address of the present step goes to the clipboard; the button says so for a moment.
  async copy(button) {
    this.write();
    let said = "Copied";
    try {
      await navigator.clipboard.writeText(location.href);
    } catch {
      said = "Copy it from the address bar";
    }
    button.dataset.word ??= button.textContent;
    button.textContent = said;
    setTimeout(() => (button.textContent = button.dataset.word), 2000);
  }
}
