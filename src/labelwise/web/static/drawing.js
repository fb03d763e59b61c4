// From a Vega-Lite description to a picture in the page, without styles or code made from text.

import { find } from "./dom.js";
import { plain } from "./format.js";

const AXIS = 110; // pixels beside a plot
const HOW = {
  mode: "vega-lite", renderer: "svg", ast: true, // expressions are read, not compiled: the page allows no code from text
  actions: false, defaultStyle: false, tooltip: showTip, hover: true, logLevel: 0,
  loader: { load: nothing, sanitize: nothing, http: nothing, file: nothing },
};
let bundle = null;

/** Charts carry their data; nothing is to be fetched. */
function nothing() {
  return Promise.reject(new Error("Charts load nothing."));
}

/** Fetch the chart library when the first chart is wanted. */
async function library() {
  bundle ??= import("/vega.js").catch((error) => {
    bundle = null;
    throw error;
  });
  await bundle;
  return window.vegaEmbed;
}

/** Draw into a box; the old picture stays until the new one is ready. Gives a function that ends the drawing. */
export async function draw(box, spec) {
  const embed = await library();
  const place = document.createElement("div");
  Object.defineProperty(place, "innerHTML", { set() {} }); // the library empties its box as markup, which the page forbids
  const { finalize } = await embed(place, fitted(spec, box.clientWidth), HOW);
  const svg = place.querySelector("svg");
  svg.setAttribute("aria-hidden", "true"); // the words beside it say the same
  svg.setAttribute("focusable", "false");
  const isWide = Number(svg.getAttribute("width")) > 1.35 * box.clientWidth;
  box.classList.toggle("is-wide", isWide);
  if (isWide) box.setAttribute("tabindex", 0); // it scrolls, also by keyboard
  else box.removeAttribute("tabindex");
  box.replaceChildren(place);
  return finalize;
}

/** Take the title out, which the page has in words, and let a single plot be as narrow as the page. */
function fitted(spec, width) {
  const { title, ...rest } = spec;
  const isPlain = !("hconcat" in spec || "vconcat" in spec || "concat" in spec || "facet" in spec);
  const isTooWide = typeof spec.width === "number" && spec.width + AXIS > width;
  if (isPlain && isTooWide) return { ...rest, width: Math.max(200, width - AXIS) };
  return rest;
}

function showTip(_handler, event, _item, value) {
  const tip = find("tip");
  if (!tip) return;
  const isShown = value !== null && value !== undefined && value !== "";
  tip.hidden = !isShown;
  if (!isShown) return;
  tip.textContent = typeof value === "object" ? Object.entries(value).map(([name, one]) => `${name}: ${plain(one)}`).join("\n") : String(value);
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(8, Math.min(event.clientX + 14, innerWidth - width - 8))}px`;
  tip.style.top = `${Math.max(8, event.clientY + 18 + height > innerHeight ? event.clientY - height - 12 : event.clientY + 18)}px`;
}
