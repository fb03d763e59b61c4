// From a Vega-Lite description to a picture in the page, without styles or code made from text.

import { find } from "./dom.js";
import { plain } from "./format.js";
import { library } from "./vega.js";

const MARGIN = 24;

/** Draw into a box; the old picture stays until the new one is ready. Gives a function that ends the drawing. */
export async function draw(box, spec) {
  const { vega, vegaLite, expr } = await library();
  const sized = fitted(spec, box.clientWidth);
  const compiled = vegaLite.compile(sized, { logger: quiet }).spec;
  const place = document.createElement("div");
  const view = new vega.View(vega.parse(compiled, {}, { ast: true }), { expr, renderer: "svg", hover: true, logger: quiet, loader: noLoader(vega) });
  view.tooltip(showTip);
  await view.initialize(place).runAsync();
  const svg = place.querySelector("svg");
  svg.setAttribute("aria-hidden", "true"); // the words beside it say the same
  svg.setAttribute("focusable", "false");
  const isWide = Number(svg.getAttribute("width")) > 1.35 * box.clientWidth;
  box.classList.toggle("is-wide", isWide);
  box.replaceChildren(place);
  return () => view.finalize();
}

const quiet = { level: () => quiet, error: () => quiet, warn: () => quiet, info: () => quiet, debug: () => quiet };

/** Charts carry their data; nothing is to be fetched. */
function noLoader(vega) {
  const loader = vega.loader();
  loader.load = () => Promise.reject(new Error("Charts load nothing."));
  return loader;
}

/** Take the title out, which the page has in words, and let a single plot be as narrow as the page. */
function fitted(spec, width) {
  const { title, ...rest } = spec;
  const isPlain = !("hconcat" in spec || "vconcat" in spec || "concat" in spec || "facet" in spec);
  const isTooWide = typeof spec.width === "number" && spec.width + 160 > width;
  if (isPlain && isTooWide) return { ...rest, width: Math.max(240, width - MARGIN), autosize: { type: "fit-x", contains: "padding" } };
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
