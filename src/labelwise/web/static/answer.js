// The answer beside the item, for those who may see it; behind a switch when the assessment is blind.

import { get } from "./api.js";
import { coalesce } from "./coalesce.js";
import { fill, find, make, say, show } from "./dom.js";
import { decimal, interval, many, percent } from "./format.js";
import { whiskers } from "./whiskers.js";

const OPEN = "labelwise.answer";
const ROWS = 6;

export class AnswerPane {
  constructor({ is_blind: isBlind, level }) {
    this.level = level;
    this.version = null;
    this.isBlind = isBlind;
    this.isOpen = !isBlind || sessionStorage.getItem(OPEN) === "yes";
    this.refresh = coalesce(() => this.#load(), 500);
    const toggle = find("answer-toggle");
    show(toggle, isBlind);
    toggle.addEventListener("click", () => {
      this.isOpen = !this.isOpen;
      sessionStorage.setItem(OPEN, this.isOpen ? "yes" : "no");
      this.#open();
    });
    this.#open();
  }

  #open() {
    const toggle = find("answer-toggle");
    toggle.setAttribute("aria-expanded", String(this.isOpen));
    say(toggle, this.isOpen ? "Hide the answer" : "Show the answer");
    show(find("answer"), this.isOpen);
    show(find("answer-warning"), this.isBlind);
    say(find("answer-warning"), this.isOpen
      ? "This assessment is blind: who knows the answer may label towards it."
      : "Closed, because this assessment is blind: who knows the answer may label towards it.");
    if (this.isOpen) this.refresh();
  }

  /** Follow the labels: load again if there are newer ones. */
  follow({ version }) {
    if (this.isOpen && version !== this.version) this.refresh();
  }

  async #load() {
    const found = await get("/api/answer");
    this.version = found.version;
    const { answer, stop, forecast, groups, metric, overall } = found;
    const first = groups.find((row) => row.group === answer.named?.[0]);
    const words = first ? [`${first.group}: ${metric} ${decimal(first.mean)}`, `${interval(first)}, ${percent(this.level)} credible, ${many(first.labels, "label")}`]
      : overall ? [`Overall: ${metric} ${decimal(overall.mean)}`, `${interval(overall)}, ${percent(this.level)} credible, ${many(found.labels.told, "label")}`] : null;
    const shown = groups.slice(0, ROWS);
    fill(find("answer"),
      make("p", { class: "answer-sentence", dir: "auto" }, answer.sentence),
      words ? make("p", {}, make("b", { dir: "auto" }, words[0]), make("br"), make("span", { class: "small" }, words[1])) : null,
      shown.length > 1 ? whiskers(shown, answer.named) : null,
      groups.length > shown.length ? make("p", { class: "small" }, `and ${many(groups.length - shown.length, "more group")}`) : null,
      make("p", { class: stop.is_met ? "verdict is-met" : "verdict" }, stop.is_met ? `Stop: ${stop.sentence}` : `Go on: ${stop.sentence}`),
      forecast ? make("p", { class: "small" }, forecast.sentence) : null);
  }
}
