// The table of groups: estimate, intervals and number of labels per group.

import { decimal, interval, whole } from "./format.js";
import { empty, table } from "./table.js";

export function groupTable({ groups, metric, question, answer }) {
  if (!groups.length) return empty("There are no groups yet.");
  const first = groups[0];
  const probability = (question ?? "").includes("best") ? "p_best" : "p_worst";
  const columns = [
    { title: "Group", of: (row) => row.group, isHead: true },
    "items" in first && { title: "Items", of: (row) => whole(row.items), isNumber: true },
    { title: "Labels (n)", of: (row) => whole(row.labels), isNumber: true },
    { title: capital(metric), of: (row) => decimal(row.mean), isNumber: true },
    { title: "Credible interval", of: (row) => interval(row), isNumber: true },
    "always_low" in first && { title: "Always valid", of: (row) => interval(row, "always_"), isNumber: true },
    "impact" in first && { title: "Impact", of: (row) => decimal(row.impact), isNumber: true },
    probability in first && { title: probability === "p_best" ? "P(best)" : "P(worst)", of: (row) => decimal(row[probability]), isNumber: true },
    "if_misses" in first && { title: "If skipped are all wrong to all right", of: (row) => `${decimal(row.if_misses)} to ${decimal(row.if_hits)}`, isNumber: true },
  ].filter(Boolean);
  return table(columns, groups, { isFilling: true, kindOf: (row) => (answer.named?.includes(row.group) ? "is-named" : null) });
}

const capital = (word) => (word ? word[0].toUpperCase() + word.slice(1) : "Value");
