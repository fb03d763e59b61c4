// Inter-annotator agreement: how often two people give an item the same label.

import { make } from "./dom.js";
import { decimal, interval, many, whole } from "./format.js";
import { empty, table } from "./table.js";

export function agreementOf({ n_twice: nTwice, n_agree: nAgree, share, kappa, guarantee, pairs, n_disputes: nDisputes }, isOwner) {
  if (!nTwice) return [empty("No item has been labelled twice yet. Request second opinions to measure agreement.")];
  const facts = [
    ["agreements", `${whole(nAgree)} of ${whole(nTwice)}`, "items labelled twice"],
    share && ["agreement rate", decimal(share.mean), interval(share)],
    kappa && [`${kappa.name}’s kappa`, decimal(kappa.value), interval(kappa)],
    ["disputes", whole(nDisputes), "still open"],
  ].filter(Boolean);
  const rows = [...(pairs ?? [])];
  return [
    make("dl", { class: "counts" }, facts.map(([name, value, more]) => make("div", {}, make("dt", {}, `${name}${more ? `, ${more}` : ""}`), make("dd", {}, value)))),
    guarantee ? make("p", { class: "small" }, `${guarantee.replace(/\.?$/, ".")} n = ${many(nTwice, "item")}.`) : null,
    rows.length ? make("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Agreement by pair of labellers" }, table([
      { title: "Labeller", of: (row) => row.one, isHead: true },
      { title: "Other labeller", of: (row) => row.other },
      { title: "Items (n)", of: (row) => whole(row.n), isNumber: true },
      { title: "Agree", of: (row) => whole(row.n_agree), isNumber: true },
      { title: "Kappa", of: (row) => decimal(row.kappa), isNumber: true },
    ], rows)) : null,
    isOwner && nDisputes ? make("p", {}, make("a", { class: "button", href: "/disputes" }, "Settle disputes")) : null,
  ];
}
