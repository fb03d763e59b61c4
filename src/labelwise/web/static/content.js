// An item's content as DOM elements: text, images, values and JSON.

import { make } from "./dom.js";
import { plain } from "./format.js";

const PIECE = 20_000; // characters per block of text; blocks out of view are not laid out
const LARGEST = 5; // maximum enlargement of a small image
const images = new Map(); // preloaded images by URL

/** Load the images of upcoming tickets. */
export function preload(tickets) {
  for (const { content } of tickets) {
    for (const { kind, value } of content) {
      if (kind === "image" && !images.has(value)) images.set(value, make("img", { src: value, alt: "" }));
    }
  }
  for (const address of [...images.keys()].slice(0, -200)) images.delete(address);
}

/** Return an item's elements; with `onbroken`, an image that fails to load offers a button that calls it. */
export function contentOf(content, { id = "", onbroken = null } = {}) {
  const isAlone = content.length === 1;
  const parts = [];
  let list = null;
  for (const { name, kind, value } of content) {
    if (kind === "value") {
      if (list === null) parts.push((list = make("dl", { class: "row-values" })));
      list.append(make("div", {}, make("dt", { dir: "auto" }, name), make("dd", { dir: "auto" }, plain(value))));
      continue;
    }
    list = null;
    const label = isAlone ? "" : name;
    if (kind === "image") parts.push(named(label, imageOf(value, `${name} of item ${id}`, onbroken)));
    else if (kind === "json") parts.push(named(label, textOf(JSON.stringify(value, null, 2), `${name} of item ${id}`, "text json")));
    else parts.push(named(label, textOf(String(value ?? ""), `${name} of item ${id}`, "text")));
  }
  return parts;
}

function named(name, element) {
  return name ? make("div", { class: "part" }, make("p", { class: "part-name", dir: "auto" }, name), element) : element;
}

function textOf(text, name, kind) {
  const isCode = kind.includes("json");
  const box = make("div", { class: kind, dir: isCode ? "ltr" : "auto", tabindex: 0, role: "group", "aria-label": name });
  for (const piece of pieces(text)) box.append(make("div", { class: "piece" }, piece));
  return box;
}

/** Split a long text at line breaks (or between words if there are none), so that each piece is laid out separately. */
function pieces(text) {
  const found = [];
  let rest = text;
  while (rest.length > PIECE) {
    const line = rest.lastIndexOf("\n", PIECE);
    const word = rest.lastIndexOf(" ", PIECE);
    const end = line > 0 ? line : word > 0 ? word : PIECE;
    found.push(rest.slice(0, end));
    rest = rest.slice(line > 0 || word > 0 ? end + 1 : end);
  }
  return [...found, rest];
}

function imageOf(address, alt, onbroken) {
  const ready = images.get(address);
  images.delete(address);
  const image = ready && !(ready.complete && ready.naturalWidth === 0) ? ready : make("img", { src: address });
  image.alt = alt;
  image.draggable = false;
  const button = make("button", { type: "button", class: "zoom", "aria-pressed": "false", title: "Fit or actual size (z)" }, image);
  const frame = make("div", { class: "image" }, button);
  const limit = () => {
    if (!image.naturalWidth) return;
    button.style.setProperty("--widest", `${LARGEST * image.naturalWidth}px`);
    button.style.setProperty("--ratio", `${image.naturalWidth} / ${image.naturalHeight}`);
  };
  if (image.complete) limit();
  image.addEventListener("load", limit);
  const again = () => frame.replaceWith(imageOf(address, alt, onbroken));
  image.addEventListener("error", () => frame.replaceChildren(broken(onbroken, again)));
  button.addEventListener("click", () => toggle(button));
  return frame;
}

function toggle(button) {
  const isActual = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(isActual));
  button.parentElement.classList.toggle("actual", isActual);
}

/** Switch the first image of an item between fit and actual size. */
export function zoom(item) {
  const button = item.querySelector(".zoom");
  if (button) toggle(button);
}

function broken(onbroken, again) {
  const box = make("div", { class: "broken" },
    make("p", {}, make("b", {}, "This image cannot be shown.")),
    make("p", { class: "small" }, "It is missing or damaged, or failed to load."),
    make("div", { class: "row" },
      onbroken ? make("button", { type: "button", class: "button", onclick: onbroken }, "Skip: image is broken") : null,
      make("button", { type: "button", class: "button plain", onclick: again }, "Try again")));
  return box;
}
