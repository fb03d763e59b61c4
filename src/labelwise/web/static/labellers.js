// The table of labellers and how many items each has labelled.

import { date, whole } from "./format.js";
import { empty, table } from "./table.js";

export function labellerTable(labellers) {
  if (!labellers.length) return empty("Nobody has labelled yet.");
  return table([
    { title: "Name", of: (row) => row.name || "(no name)", isHead: true },
    { title: "Labels", of: (row) => whole(row.n_labels), isNumber: true },
    { title: "Second opinions", of: (row) => whole(row.n_second), isNumber: true },
    { title: "Skipped", of: (row) => whole(row.n_skipped), isNumber: true },
    { title: "Don’t know", of: (row) => whole(row.n_unknown), isNumber: true },
    { title: "Last active", of: (row) => date(row.newest), isNumber: true },
  ], labellers, { isFilling: true });
}
