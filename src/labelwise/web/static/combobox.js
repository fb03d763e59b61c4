// A search field for many classes: filters while typing, prefixes first; arrow keys move, Enter selects.

import { fill, make } from "./dom.js";
import { whole } from "./format.js";

const ROWS = 50;
let n_made = 0;

const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Return how well a name matches, 0 being best; -1 if it does not. */
function rank(name, wanted) {
  const at = name.indexOf(wanted);
  if (at < 0) return -1;
  if (at === 0) return name.length === wanted.length ? 0 : 1;
  return name.includes(` ${wanted}`) ? 2 : 3;
}

/** Return the indices of the matching names, best first. */
export function matches(folded, wanted) {
  const ranks = [[], [], [], []];
  for (let i = 0; i < folded.length; i += 1) {
    const found = rank(folded[i], wanted);
    if (found >= 0) ranks[found].push(i);
  }
  return ranks.flat();
}

export class Combobox {
  /** `onchoose` is called with the name of a class. */
  constructor(classes, { label = "Class", onchoose, recent = [] }) {
    n_made += 1;
    this.classes = classes;
    this.folded = classes.map((name) => fold(String(name)));
    this.onchoose = onchoose;
    this.recent = recent;
    this.found = [];
    this.at = -1;
    const list = `list-${n_made}`;
    const count = `count-${n_made}`;
    this.input = make("input", {
      id: `search-${n_made}`, class: "search", type: "text", role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false",
      "aria-controls": list, "aria-describedby": count, autocomplete: "off", autocapitalize: "none", spellcheck: "false",
      enterkeyhint: "done", placeholder: "Type to find a class",
    });
    this.count = make("span", { id: count, class: "small" });
    this.list = make("ul", { id: list, class: "options", role: "listbox", "aria-label": label });
    this.element = make("div", { class: "combobox" },
      make("div", { class: "search-head" }, make("label", { for: this.input.id }, label), this.count), this.input, this.list);
    this.input.addEventListener("input", () => this.#filter());
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.list.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
    this.list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.#choose(this.found[Number(option.dataset.at)]);
    });
    this.#filter();
  }

  focus() {
    this.input.focus({ preventScroll: true });
  }

  clear() {
    this.input.value = "";
    this.#filter();
  }

  set isDisabled(value) {
    this.input.readOnly = value;
    this.disabled = value;
  }

  #filter() {
    const wanted = fold(this.input.value.trim());
    const all = wanted ? matches(this.folded, wanted) : this.#usual();
    this.found = all.slice(0, ROWS);
    this.at = wanted && this.found.length ? 0 : -1; // nothing is selected in an empty field, so a second Enter is harmless
    const total = wanted ? all.length : this.classes.length;
    const more = total > this.found.length ? `, first ${this.found.length} shown` : "";
    this.count.textContent = wanted ? `${whole(total)} of ${whole(this.classes.length)}${more}` : `${whole(total)} classes`;
    fill(this.list, this.found.map((place, i) => make("li", {
      id: `${this.list.id}-${i}`, role: "option", class: "option", "data-at": i, "aria-selected": String(i === this.at), dir: "auto",
    }, String(this.classes[place]))), this.found.length ? null : make("li", { class: "option none", role: "option", "aria-disabled": "true", "aria-selected": "false" }, "No class matches"));
    this.input.setAttribute("aria-expanded", "true");
    this.list.scrollTop = 0;
    this.#mark();
  }

  /** Return what to list while nothing is typed: recently used classes first. */
  #usual() {
    const places = this.recent.map((name) => this.classes.indexOf(name)).filter((place) => place >= 0);
    const others = Array.from({ length: Math.min(ROWS, this.classes.length) }, (_, i) => i).filter((i) => !places.includes(i));
    return [...places, ...others];
  }

  #mark() {
    const options = this.list.children;
    for (let i = 0; i < this.found.length; i += 1) options[i].setAttribute("aria-selected", String(i === this.at));
    if (this.at < 0) return this.input.removeAttribute("aria-activedescendant");
    this.input.setAttribute("aria-activedescendant", options[this.at].id);
    const option = options[this.at];
    const below = option.offsetTop + option.offsetHeight - this.list.clientHeight;
    if (this.list.scrollTop < below) this.list.scrollTop = below; // only the list scrolls, never the page
    if (this.list.scrollTop > option.offsetTop) this.list.scrollTop = option.offsetTop;
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    const last = this.found.length - 1;
    const moves = { ArrowDown: this.at >= last ? 0 : this.at + 1, ArrowUp: this.at <= 0 ? last : this.at - 1,
      PageDown: Math.min(last, this.at + 8), PageUp: Math.max(0, this.at - 8) };
    if (event.key in moves && last >= 0) {
      event.preventDefault();
      this.at = moves[event.key];
      this.#mark();
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (this.at >= 0 && !event.repeat) this.#choose(this.found[this.at]);
    } else if (event.key === "Escape") {
      event.stopPropagation();
      if (this.input.value) this.clear();
      else this.input.blur();
    }
  }

  #choose(place) {
    if (this.disabled) return;
    const name = this.classes[place];
    this.recent = [name, ...this.recent.filter((one) => one !== name)].slice(0, 8);
    this.clear();
    this.onchoose(name);
  }
}
