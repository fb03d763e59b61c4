// Intervals of a few groups as lines on a common scale, drawn with plain elements.

import { make } from "./dom.js";
import { decimal, interval } from "./format.js";

/** Return a list with one row per group: name, line from low to high with a dot at the mean, and the numbers. */
export function whiskers(rows, named = []) {
  const ends = rows.flatMap(({ low, high }) => [low, high]).filter((x) => typeof x === "number");
  const [from, to] = [Math.min(...ends), Math.max(...ends)];
  const place = (x) => `${(100 * (x - from)) / Math.max(to - from, 1e-9)}%`;
  return make("ul", { class: "whiskers" }, rows.map((row) => {
    const line = make("span", { class: "whisker-line" });
    const dot = make("span", { class: "whisker-dot" });
    line.style.left = place(row.low);
    line.style.right = `calc(100% - ${place(row.high)})`;
    dot.style.left = place(row.mean);
    return make("li", { class: named.includes(row.group) ? "is-named" : null },
      make("span", { class: "whisker-name", dir: "auto" }, String(row.group)),
      make("span", { class: "whisker", "aria-hidden": "true" }, line, dot),
      make("span", { class: "number" }, decimal(row.mean), make("span", { class: "unseen" }, `, ${interval(row)}, ${row.labels} labels`)));
  }));
}
