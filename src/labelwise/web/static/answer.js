// The answer next to the item, for people who may see it; hidden behind a button if the assessment is blind.

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
      ? "This assessment is blind: knowing the answer could bias your labels."
      : "Hidden because this assessment is blind: knowing the answer could bias your labels.");
    if (this.isOpen) this.refresh();
  }

  /** Reload if there are newer labels. */
  follow({ version }) {
    if (this.isOpen && version !== this.version) this.refresh();
  }

  async #load() {
    const found = await get("/api/answer");
    this.version = found.version;
    const { answer, stop, forecast, groups, metric, overall } = found;
    const first = groups.find((row) => row.group === answer.named?.[0]);
    const summary = first ? [`${first.group}: ${metric} ${decimal(first.mean)}`, `${interval(first)}, ${percent(this.level)} credible, ${many(first.labels, "label")}`]
      : overall ? [`Overall: ${metric} ${decimal(overall.mean)}`, `${interval(overall)}, ${percent(this.level)} credible, ${many(found.labels.told, "label")}`] : null;
    const shown = groups.slice(0, ROWS);
    fill(find("answer"),
      make("p", { class: "answer-sentence", dir: "auto" }, answer.sentence),
      summary ? make("p", {}, make("b", { dir: "auto" }, summary[0]), make("br"), make("span", { class: "small" }, summary[1])) : null,
      shown.length > 1 ? whiskers(shown, answer.named) : null,
      groups.length > shown.length ? make("p", { class: "small" }, `and ${many(groups.length - shown.length, "more group")}`) : null,
      make("p", { class: stop.is_met ? "verdict is-met" : "verdict" }, stop.is_met ? `Stop: ${stop.sentence}` : `Go on: ${stop.sentence}`),
      make("ul", { class: "small" }, ...found.promises.map((sentence) => make("li", { dir: "auto" }, sentence))),
      forecast ? make("p", { class: "small" }, forecast.sentence) : null);
  }
}
