// The list of keyboard shortcuts.

import { fill, find, make } from "./dom.js";

const ACTIONS = [
  ["s", "Skip, with a reason"], ["d", "Don’t know"], ["u", "Undo the last answer"], ["Shift u", "Redo: give the same answer again"],
  ["z", "Image: actual size or fit"], ["g", "Guidelines"], ["? or h", "This list"],
];
const SEARCH = [
  ["any letter", "Search for a class"], ["↓ ↑", "Move in the list"], ["Enter", "Choose the selected class"],
  ["Esc", "Clear the search, then leave the field"],
];

export function fillHelp({ classes, keys, guidelines }) {
  const own = keys === null ? SEARCH : Object.entries(keys).sort(([, a], [, b]) => a - b).map(([key, place]) => [key, String(classes[place])]);
  const actions = ACTIONS.filter(([key]) => key !== "g" || guidelines);
  fill(find("help-keys"), part(keys === null ? "Finding a class" : "Classes", own), part("Actions", actions));
}

function part(title, rows) {
  return make("section", {}, make("h3", {}, title), make("dl", { class: "keys" },
    rows.map(([key, text]) => make("div", {}, make("dt", {}, make("kbd", {}, key)), make("dd", { dir: "auto" }, text)))));
}
