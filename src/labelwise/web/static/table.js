// Tables from rows.

import { make } from "./dom.js";

/** Columns are `{title, of, isNumber, isHead, kind}`; `of` gives a text or an element of a row. */
export function table(columns, rows, { isFilling = false, kindOf = () => null } = {}) {
  const kind = (column) => [column.isNumber ? "number" : "", column.kind ?? ""].join(" ").trim() || null;
  return make("table", { class: isFilling ? "fill" : null },
    make("thead", {}, make("tr", {}, columns.map((column) => column.title === ""
      ? make("td", { class: kind(column) }) : make("th", { scope: "col", class: kind(column) }, column.title)))),
    make("tbody", {}, rows.map((row) => make("tr", { class: kindOf(row) }, columns.map((column) => {
      const cell = column.of(row);
      return make(column.isHead ? "th" : "td", { class: kind(column), scope: column.isHead ? "row" : null, dir: column.isNumber ? null : "auto" }, cell instanceof Node ? cell : String(cell));
    })))));
}

export const empty = (text) => make("p", { class: "empty" }, text);
