// A progress bar with its goal marked.

import { make, say } from "./dom.js";
import { decimal, percent, whole } from "./format.js";

const FALLING = new Set(["width", "gain", "price"]); // lower is better

export class Meter {
  constructor() {
    this.name = make("span");
    this.value = make("span", { class: "number" });
    this.part = make("div", { class: "meter-part" });
    this.goal = make("div", { class: "meter-goal" });
    this.bar = make("div", { class: "meter", role: "meter", "aria-valuemin": 0, "aria-valuemax": 100 }, this.part, this.goal);
    this.element = make("div", { class: "meter-box" }, make("div", { class: "meter-words" }, this.name, this.value), this.bar);
  }

  /** Show a figure `{name, title, value, goal}`; null hides the bar. */
  set(figure) {
    this.element.hidden = !figure || typeof figure.value !== "number";
    if (this.element.hidden) return;
    const { name, title, value, goal } = figure;
    const isFalling = figure.is_falling ?? FALLING.has(name);
    const end = name === "probability" ? 1 : Math.max(goal, isFalling ? 0 : value);
    const part = isFalling ? Math.min(1, goal / Math.max(value, 1e-12)) : Math.min(1, value / Math.max(end, 1e-12));
    const mark = isFalling ? 1 : goal / Math.max(end, 1e-12);
    const shown = name === "probability" ? percent : name === "labels" ? whole : decimal;
    const text = `${shown(value)}, goal ${shown(goal)}`;
    say(this.name, title);
    say(this.value, text);
    this.part.style.width = `${100 * part}%`;
    this.goal.style.left = `${100 * mark}%`;
    this.bar.setAttribute("aria-label", title);
    this.bar.setAttribute("aria-valuenow", Math.round(100 * part));
    this.bar.setAttribute("aria-valuetext", text);
    this.bar.classList.toggle("is-reached", isFalling ? value <= goal : value >= goal);
  }
}
