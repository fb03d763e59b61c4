// Building tables.

import { make } from "./dom.js";

/** Columns are `{title, of, isNumber, isHead, kind}`; `of` maps a row to a text or an element. */
export function table(columns, rows, { isFilling = false, isStacking = false, kindOf = () => null } = {}) {
  const kind = (column) => [column.isNumber ? "number" : "", column.kind ?? ""].join(" ").trim() || null;
  // Stacking rows on a phone changes their CSS display, which drops the implicit ARIA roles: set them explicitly.
  const role = (name) => (isStacking ? { role: name } : {});
  const head = ({ title, ...column }) => (title === "" ? make("td", { class: kind(column), ...role("cell") })
    : make("th", { scope: "col", class: kind(column), ...role("columnheader") }, title));
  const body = (column, cell) => make(column.isHead ? "th" : "td", {
    class: kind(column), scope: column.isHead ? "row" : null, dir: column.isNumber ? null : "auto", ...role(column.isHead ? "rowheader" : "cell"),
  }, cell instanceof Node ? cell : String(cell));
  return make("table", { class: [isFilling ? "fill" : "", isStacking ? "stack" : ""].join(" ").trim() || null, ...role("table") },
    make("thead", role("rowgroup"), make("tr", role("row"), columns.map(head))),
    make("tbody", role("rowgroup"), rows.map((row) => make("tr", { class: kindOf(row), ...role("row") }, columns.map((column) => body(column, column.of(row)))))));
}

export const empty = (text) => make("p", { class: "empty" }, text);
