// The list of keys.

import { fill, find, make } from "./dom.js";

const ACTIONS = [
  ["s", "Skip, with a reason"], ["d", "Don’t know"], ["u", "Undo: take back the newest"], ["Shift u", "Say the same again after an undo"],
  ["z", "Image in actual size, or fitted"], ["g", "Guidelines"], ["? or h", "This list"],
];
const SEARCH = [
  ["any letter", "Search for a class"], ["↓ ↑", "Move in the list"], ["Enter", "Take the marked class"],
  ["Esc", "Clear the search, then leave it"],
];

export function fillHelp({ classes, keys, guidelines }) {
  const own = keys === null ? SEARCH : Object.entries(keys).sort(([, a], [, b]) => a - b).map(([key, place]) => [key, String(classes[place])]);
  const actions = ACTIONS.filter(([key]) => key !== "g" || guidelines);
  fill(find("help-keys"), part(keys === null ? "Finding a class" : "Classes", own), part("Everything else", actions));
}

function part(title, rows) {
  return make("section", {}, make("h3", {}, title), make("dl", { class: "keys" },
    rows.map(([key, words]) => make("div", {}, make("dt", {}, make("kbd", {}, key)), make("dd", { dir: "auto" }, words)))));
}
