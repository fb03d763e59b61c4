// The classes to choose from: one button with a key per class, or a search field if there are too many.

import { Combobox } from "./combobox.js";
import { fill, make } from "./dom.js";

const FLASH = 200; // milliseconds
const RECENT = "labelwise.recent";

/** Fill the box and return `{choose(key), focus(), ready(), enable(isEnabled)}`. */
export function showClasses(box, about, onchoose) {
  return about.keys === null ? searchIn(box, about, onchoose) : buttonsIn(box, about, onchoose);
}

function buttonsIn(box, { classes, keys }, onchoose) {
  const keyOf = new Map(Object.entries(keys).map(([key, place]) => [place, key]));
  const longest = Math.max(...classes.map((name) => String(name).length));
  const buttons = classes.map((name, place) => {
    const key = keyOf.get(place) ?? "";
    return make("button", { type: "button", class: "class", "aria-keyshortcuts": key || null, onclick: () => onchoose(name) },
      make("span", { class: "class-name", dir: "auto" }, String(name)), key ? make("kbd", { "aria-hidden": "true" }, key) : null);
  });
  box.classList.add("buttons", longest <= 3 ? "short" : longest <= 14 ? "medium" : "long");
  fill(box, buttons);
  new ResizeObserver(() => balance(box, buttons.length)).observe(box);
  return {
    choose(key) {
      const place = keys[key];
      if (place === undefined) return false;
      flash(buttons[place]);
      onchoose(classes[place]);
      return true;
    },
    focus: () => false,
    ready() {},
    enable: (isEnabled) => buttons.forEach((button) => button.setAttribute("aria-disabled", String(!isEnabled))),
  };
}

/** Spread the buttons evenly: two rows of five rather than nine and one. */
function balance(box, n) {
  box.style.gridTemplateColumns = "";
  const n_fit = getComputedStyle(box).gridTemplateColumns.split(" ").length;
  const n_rows = Math.ceil(n / n_fit);
  if (n_rows > 1) box.style.gridTemplateColumns = `repeat(${Math.ceil(n / n_rows)}, minmax(0, 1fr))`;
}

function flash(button) {
  button.classList.add("chosen");
  setTimeout(() => button.classList.remove("chosen"), FLASH);
}

function searchIn(box, { classes }, onchoose) {
  const combobox = new Combobox(classes, {
    recent: kept(),
    onchoose(name) {
      try {
        sessionStorage.setItem(RECENT, JSON.stringify(combobox.recent));
      } catch {
        // recent classes are only a convenience
      }
      onchoose(name);
    },
  });
  box.classList.add("searching");
  fill(box, combobox.element);
  return {
    choose: () => false,
    focus() {
      combobox.focus();
      return true; // the browser then types the letter into the field
    },
    ready() {
      if (matchMedia("(pointer: fine)").matches) combobox.focus(); // a phone would open its keyboard
    },
    enable: (isEnabled) => { combobox.isDisabled = !isEnabled; },
  };
}

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(RECENT)) ?? [];
  } catch {
    return [];
  }
}
