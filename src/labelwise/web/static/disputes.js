// Items on which two labellers disagree, for the owner to settle.

import { get, post } from "./api.js";
import { Combobox } from "./combobox.js";
import { contentOf } from "./content.js";
import { fill, find, make, say } from "./dom.js";
import { date } from "./format.js";
import { uuid } from "./identity.js";
import { complain } from "./notice.js";
import { empty } from "./table.js";

const isSettled = ({ settled }) => settled !== null && settled !== undefined;

class Disputes {
  constructor(about) {
    this.about = about;
  }

  async load() {
    const { disputes } = await get("/api/disputes");
    const open = disputes.filter((one) => !isSettled(one));
    const settled = disputes.filter(isSettled);
    fill(find("disputes"),
      disputes.length ? null : empty("There are no disputes. They appear when a second opinion differs from the first."),
      [...open, ...settled].map((one) => this.#card(one)));
  }

  #card(dispute) {
    const names = [...new Set(dispute.opinions.map(({ label }) => label))].filter((label) => label !== null);
    const key = uuid(); // idempotency key, one per card: settling twice by accident counts once
    const settle = (label) => this.#settle(dispute, label, key);
    const state = make("p", { class: !isSettled(dispute) ? "small" : "verdict is-met" },
      !isSettled(dispute) ? `Current label: ${dispute.label ?? "no label"}` : `Settled: ${dispute.settled}`);
    const rest = this.about.classes.filter((name) => !names.includes(name));
    const other = rest.length > 20
      ? new Combobox(this.about.classes, { label: "Another class", onchoose: settle }).element
      : make("div", { class: "choices", role: "group", "aria-label": "Another class" }, rest.map((name) => choice(name, settle)));
    return make("article", { class: "dispute" },
      make("div", { class: "item" }, contentOf(dispute.content, { id: dispute.id })),
      make("div", { class: "dispute-side" },
        make("h2", {}, `Item ${dispute.id}`),
        make("ul", { class: "opinions" }, dispute.opinions.map(({ labeller, label, at }) => make("li", {},
          make("b", { dir: "auto" }, String(label ?? "don’t know")), " ", make("span", { class: "small", dir: "auto" }, `${labeller || "(no name)"}, ${date(at)}`)))),
        state,
        make("div", { class: "choices", role: "group", "aria-label": "Labels given" }, make("span", { class: "small" }, "Settle as"), names.map((name) => choice(name, settle, "strong"))),
        rest.length ? make("details", { class: "numbers" }, make("summary", {}, "Another class"), other) : null));
  }

  async #settle({ id }, label, key) {
    try {
      await post("/api/settle", { item: id, label, key: `${key}-${this.about.classes.indexOf(label)}` });
      say(find("status"), `Settled: ${id} is ${label}.`);
      await this.load();
    } catch (error) {
      complain(error);
    }
  }
}

const choice = (name, settle, kind = "") => make("button", { type: "button", class: `button ${kind}`.trim(), dir: "auto", onclick: () => settle(name) }, String(name));

try {
  await new Disputes(await get("/api/assessment")).load();
} catch (error) {
  complain(error);
}
