// The live dashboard: the answer, then groups, charts and people. Updates without a reload.

import { get, post } from "./api.js";
import { agreementOf } from "./agreement.js";
import { Charts } from "./charts.js";
import { coalesce } from "./coalesce.js";
import { fill, find, make, say, show } from "./dom.js";
import { date, decimal, interval, many, percent, whole } from "./format.js";
import { groupTable } from "./groups.js";
import { labellerTable } from "./labellers.js";
import { Live } from "./live.js";
import { complain, dismiss, offerSignIn } from "./notice.js";
import { moreOf, showState, showTarget } from "./progress.js";
import { shareBox } from "./share.js";
import { empty, table } from "./table.js";

const KINDS = { credible: "credible", always_valid: "always valid", design_based: "design-based" };

class Dashboard {
  constructor(about) {
    this.about = about;
    this.isOwner = about.me?.role === "owner";
    this.version = null;
    this.charts = new Charts(find("charts"));
    this.live = new Live();
    this.refresh = coalesce(() => this.#refresh(), 300);
    this.people = coalesce(() => this.#people(), 1_000);
  }

  start() {
    this.live.addEventListener("progress", ({ detail }) => {
      showTarget(detail);
      this.progress = detail;
      if (this.version !== null) say(document.querySelector("#counts dd"), whole(detail.n_labels)); // immediately; the rest follows
      if (detail.version !== this.version) this.refresh();
    });
    this.live.addEventListener("state", ({ detail }) => showState(detail));
    this.live.addEventListener("signedout", () => offerSignIn());
    this.live.start();
    this.refresh();
    document.addEventListener("visibilitychange", () => document.hidden || this.refresh());
    if (this.isOwner) this.#tools();
  }

  async #refresh() {
    if (document.hidden && this.version !== null) return;
    try {
      const found = await get("/api/answer");
      this.version = found.version;
      this.#show(found);
      dismiss("error");
      this.charts.follow(found.version);
      this.people();
    } catch (error) {
      if (!error.isPassing) complain(error);
      throw error;
    }
  }

  #show(found) {
    const { answer, stop, forecast, labels, overall, notes, guarantees } = found;
    say(find("question"), found.question ?? "");
    say(find("sentence"), answer.sentence);
    const verdict = find("stop");
    show(verdict, true);
    verdict.classList.toggle("is-met", stop.is_met);
    const go = stop.is_met ? "Stop: " : stop.is_spent ? "No items are left to label, but " : "Go on: ";
    const more = forecast?.sentence ?? (stop.is_met ? "" : moreOf(this.progress ?? {}));
    say(verdict, `${go}${stop.sentence}. ${more ? `${more[0].toUpperCase()}${more.slice(1)}. ` : ""}Labelling stops when ${stop.rule}.`);
    fill(find("promises"), found.promises.map((sentence) => make("li", { dir: "auto" }, sentence)));
    const items = found.settings?.items ?? this.about.n_items;
    const counts = [
      [`labels of ${many(items, "item")}`, labels.told], ["being labelled", labels.out], ["skipped", labels.skipped], ["don’t know", labels.unknown], ["unlabelled", labels.open],
    ].filter(([, n], i) => i === 0 || n);
    fill(find("counts"), counts.map(([name, n]) => make("div", {}, make("dt", {}, name), make("dd", {}, whole(n)))));
    show(find("overall"), Boolean(overall));
    if (overall) say(find("overall"), this.#overall(found));
    fill(find("notes"), (notes ?? []).map((note) => make("li", { dir: "auto" }, note)));
    show(find("notes"), Boolean(notes?.length));
    fill(find("groups"), groupTable(found));
    const level = percent(this.about.level);
    const promises = Array.isArray(guarantees) ? guarantees : Object.entries(guarantees ?? {}).map(([kind, sentence]) => `${level} ${KINDS[kind] ?? kind}: ${sentence}.`);
    fill(find("guarantees"), promises.map((sentence) => make("li", {}, sentence)));
  }

  #overall({ overall, metric, labels }) {
    const parts = [`Overall ${metric}: ${decimal(overall.mean)}, ${interval(overall)} (credible, n = ${whole(labels.told)})`];
    if ("always_low" in overall) parts.push(`${interval(overall, "always_")} (always valid)`);
    if (overall.design) parts.push(`${decimal(overall.design.mean)}, ${interval(overall.design)} (design-based, no prior)`);
    return `${parts.join("; ")}.${overall.design_reason ? ` No design-based estimate: ${overall.design_reason}` : ""}`;
  }

  async #people() {
    const [{ labellers }, agreement, skipped] = await Promise.all([
      get("/api/labellers"), get("/api/agreement"), this.isOwner ? get("/api/skipped") : null]);
    fill(find("labellers"), labellerTable(labellers));
    fill(find("agreement"), agreementOf(agreement, this.isOwner));
    if (skipped) fill(find("skipped"), skippedTable(skipped.items));
  }

  #tools() {
    shareBox(find("share"));
    if (typeof this.about.seconds === "number") find("seconds").value = Math.round(100 * this.about.seconds);
    find("seconds-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        const { share } = await post("/api/seconds", { share: Number(find("seconds").value) / 100 });
        say(find("status"), `Saved: ${percent(share)} of items get a second opinion.`);
      } catch (error) {
        complain(error);
      }
    });
  }
}

function skippedTable(items) {
  if (!items.length) return empty("No items have been skipped.");
  return table([
    { title: "Item", of: (row) => row.id, isHead: true },
    { title: "Answer", of: (row) => (row.status === "unknown" ? "don’t know" : "skipped") },
    { title: "Reason", of: (row) => row.reason || "–" },
    { title: "By", of: (row) => row.labeller || "–" },
    { title: "When", of: (row) => date(row.at), isNumber: true },
  ], items, { isFilling: true });
}

try {
  new Dashboard(await get("/api/assessment")).start();
} catch (error) {
  complain(error);
}
