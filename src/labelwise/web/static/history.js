// Answers, newest first; each can be withdrawn, or corrected on the labelling page.

import { get, post } from "./api.js";
import { fill, find, make, say, show } from "./dom.js";
import { date } from "./format.js";
import { complain } from "./notice.js";
import { claimTab } from "./tab.js";
import { empty, table } from "./table.js";
import { putFirst } from "./tickets.js";

const PAGE = 50;
const FEWEST = 25; // rows to add per click, if there are that many
const ANSWERS = new Set(["told", "skipped", "unknown", "withdrawn", "imported", "seconded", "opinion", "settled"]);
const KINDS = { told: "", skipped: "skipped", unknown: "don’t know", withdrawn: "withdrawn", imported: "imported", seconded: "second opinion", opinion: "second opinion", settled: "settled" };

class History {
  constructor() {
    this.rows = [];
    this.before = null;
    find("older").addEventListener("click", () => this.load());
  }

  async load() {
    try {
      const n_before = this.rows.length;
      do {
        const from = this.before === null ? "" : `&before=${this.before}`;
        const { rows, before } = await get(`/api/history?limit=${PAGE}${from}`);
        this.rows.push(...rows.filter(({ kind }) => ANSWERS.has(kind))); // other events, such as handing out a ticket, are not answers
        this.before = before;
      } while (this.before !== null && this.rows.length - n_before < FEWEST);
      this.#show();
    } catch (error) {
      complain(error);
    }
  }

  #show() {
    show(find("older"), this.before !== null);
    if (!this.rows.length) return fill(find("rows"), empty("No answers yet."));
    fill(find("rows"), table([
      { title: "Item", of: (row) => row.id ?? row.item ?? "–", isHead: true },
      { title: "Answer", of: (row) => answerOf(row) },
      { title: "By", of: (row) => row.labeller || "–" },
      { title: "When", of: (row) => date(row.at) },
      { title: "", of: (row) => this.#tools(row), kind: "tools" },
    ], this.rows, { isFilling: true, isStacking: true, kindOf: (row) => (row.kind === "withdrawn" ? "is-gone" : null) }));
  }

  #tools(row) {
    if (!row.can_withdraw) return document.createTextNode("");
    const about = row.id ?? row.item;
    return make("span", {},
      make("button", { type: "button", class: "button small-button", "aria-label": `Correct ${about}`, onclick: () => this.#correct(row) }, "Correct"), " ",
      make("button", { type: "button", class: "button small-button", "aria-label": `Withdraw ${about}`, onclick: () => this.#withdraw(row) }, "Withdraw"));
  }

  async #withdraw(row) {
    try {
      await post("/api/withdraw", { ticket: row.ticket, item: row.id ?? row.item, again: false });
      Object.assign(row, { kind: "withdrawn", can_withdraw: false });
      this.#show();
      say(find("status"), `Withdrawn: ${row.id ?? row.item}.`);
      find("rows").focus({ preventScroll: true });
    } catch (error) {
      complain(error);
    }
  }

  async #correct(row) {
    try {
      const { tab, isOwn } = await claimTab(); // the item must go to this tab, even if it has not been used for labelling yet
      const { ticket } = await post("/api/withdraw", { ticket: row.ticket, item: row.id ?? row.item, again: true, tab });
      if (ticket) putFirst({ ...ticket, was: ticket.was && { ...ticket.was, labeller: row.labeller } }, isOwn);
      location.assign("/");
    } catch (error) {
      complain(error);
    }
  }
}

function answerOf(row) {
  const kind = row.is_unknown ? "unknown" : row.kind;
  const words = [row.label, KINDS[kind] ?? kind, row.reason].filter((word) => word !== null && word !== undefined && word !== "");
  return make("span", {}, make("span", { class: "said", dir: "auto" }, String(words[0] ?? "–")), words.length > 1 ? make("span", { class: "small" }, ` ${words.slice(1).join(", ")}`) : null);
}

new History().load();
