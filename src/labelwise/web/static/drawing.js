// Rendering Vega-Lite specifications under a content security policy without inline styles or eval.

import { find } from "./dom.js";
import { plain } from "./format.js";

const AXIS = 110; // pixels for axis and labels next to a plot
const OPTIONS = {
  mode: "vega-lite", renderer: "svg", ast: true, // interpret expressions: compiling them needs eval
  actions: false, defaultStyle: false, tooltip: showTip, hover: true, logLevel: 0,
  loader: { load: refuse, sanitize: refuse, http: refuse, file: refuse },
};
let bundle = null;

/** Charts contain their data, so nothing may be fetched. */
function refuse() {
  return Promise.reject(new Error("Charts must not load external data."));
}

/** Load the chart library when the first chart is drawn. */
async function library() {
  bundle ??= import("/vega.js").catch((error) => {
    bundle = null;
    throw error;
  });
  await bundle;
  return window.vegaEmbed;
}

/** Draw into a box, keeping the old chart until the new one is ready. Return a function that frees the chart. */
export async function draw(box, spec) {
  const embed = await library();
  const place = document.createElement("div");
  Object.defineProperty(place, "innerHTML", { set() {} }); // the library clears its container with innerHTML, which trusted types forbid
  const { finalize } = await embed(place, fitted(spec, box.clientWidth), OPTIONS);
  const svg = place.querySelector("svg");
  svg.setAttribute("aria-hidden", "true"); // the aria-label and the caption describe it
  svg.setAttribute("focusable", "false");
  const isWide = Number(svg.getAttribute("width")) > 1.35 * box.clientWidth;
  box.classList.toggle("is-wide", isWide);
  if (isWide) box.setAttribute("tabindex", 0); // so that it can be scrolled with the keyboard
  else box.removeAttribute("tabindex");
  box.replaceChildren(place);
  return finalize;
}

/** Remove the title, which the page shows itself, and shrink a single plot to the width of the page. */
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
