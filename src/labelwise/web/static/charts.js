// The dashboard's charts, each with a title, a caption and its data. Visible charts are redrawn when there are new
// labels, the others when they scroll into view.

import { get } from "./api.js";
import { coalesce } from "./coalesce.js";
import { draw } from "./drawing.js";
import { make, say } from "./dom.js";
import { plain } from "./format.js";
import { table } from "./table.js";

const ROWS = 500; // shown in the table of a chart's data
const LIST = 2_000; // milliseconds between requests for the list of charts

const isDark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
};

class Figure {
  constructor({ kind, title, reading, alt }) {
    this.kind = kind;
    this.drawn = null; // version, theme and width of the chart on the page
    this.isSeen = false;
    this.end = () => {};
    this.title = make("h3", {}, title);
    this.subtitle = make("p", { class: "small", hidden: true });
    this.box = make("div", { class: "chart-box", role: "img", "aria-label": alt ?? title });
    this.reading = make("p", { class: "small" }, reading ?? "");
    this.numbers = make("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": `Data: ${title}` });
    this.details = make("details", { class: "numbers" }, make("summary", {}, "Data"), this.numbers);
    this.element = make("figure", { class: "chart", "data-kind": kind },
      this.title, this.subtitle, this.box, make("figcaption", {}, this.reading), this.details);
    this.details.addEventListener("toggle", () => this.#fillNumbers());
  }

  async refresh(version) {
    const theme = isDark() ? "dark" : "light";
    const wanted = `${version} ${theme} ${Math.round(this.box.clientWidth / 20)}`;
    if (this.drawn === wanted) return;
    const found = await get(`/api/charts/${encodeURIComponent(this.kind)}?theme=${theme}`);
    say(this.title, found.title);
    say(this.reading, found.reading ?? "");
    const subtitle = [found.spec.title?.subtitle ?? []].flat().join(" ");
    say(this.subtitle, subtitle);
    this.subtitle.hidden = !subtitle;
    this.box.setAttribute("aria-label", found.alt);
    const old = this.end;
    this.end = await draw(this.box, { ...found.spec, background: "transparent" });
    old();
    this.rows = found.rows;
    this.#fillNumbers();
    this.drawn = wanted;
  }

  #fillNumbers() {
    if (!this.details.open || !this.rows) return;
    const names = [...new Set(this.rows.flatMap((row) => Object.keys(row)))];
    const isNumber = (name) => this.rows.every((row) => row[name] === null || row[name] === undefined || typeof row[name] === "number");
    const columns = names.map((name, i) => ({ title: name.replaceAll("_", " "), of: (row) => plain(row[name]), isNumber: isNumber(name), isHead: i === 0 }));
    const more = this.rows.length - ROWS;
    this.numbers.replaceChildren(table(columns, this.rows.slice(0, ROWS)),
      ...(more > 0 ? [make("p", { class: "small" }, `${more} more rows are in the report.`)] : []));
  }
}

export class Charts {
  constructor(box) {
    this.box = box;
    this.figures = new Map();
    this.version = null;
    this.listed = 0; // time of the last request for the list
    this.listedVersion = null;
    this.refresh = coalesce(() => this.#refresh(), 400);
    this.seen = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) this.figures.get(target.dataset.kind).isSeen = isIntersecting;
      if (entries.some((entry) => entry.isIntersecting)) this.refresh();
    }, { rootMargin: "800px" });
    document.addEventListener("themechange", () => this.refresh());
    addEventListener("resize", () => this.refresh());
  }

  follow(version) {
    this.version = version;
    this.refresh();
  }

  async #refresh() {
    if (this.version === null || document.hidden) return;
    const isOld = performance.now() - this.listed > LIST && this.listedVersion !== this.version;
    if (this.figures.size === 0 || isOld) {
      const { version, charts } = await get("/api/charts");
      this.#list(charts);
      this.listed = performance.now();
      this.listedVersion = version;
    }
    for (const figure of this.figures.values()) {
      if (figure.isSeen) await figure.refresh(this.version);
    }
  }

  /** Add and remove figures to match the server's list, in its order. */
  #list(charts) {
    const kinds = charts.map(({ kind }) => kind);
    for (const [kind, figure] of this.figures) {
      if (kinds.includes(kind)) continue;
      figure.element.remove();
      this.figures.delete(kind);
    }
    charts.forEach((chart, i) => {
      if (!this.figures.has(chart.kind)) {
        const figure = new Figure(chart);
        this.figures.set(chart.kind, figure);
        this.seen.observe(figure.element);
      }
      const { element } = this.figures.get(chart.kind);
      if (this.box.children[i] !== element) this.box.insertBefore(element, this.box.children[i] ?? null);
    });
    if (!charts.length) say(this.box, "Charts appear once there are labels.");
  }
}
