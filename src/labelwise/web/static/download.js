// Files that the page itself makes.

/** Offer a text as a file to keep. */
export function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Labels that were not taken, as `labelwise tell` reads them, and why they were not. */
export function refusedTable(entries, assessment) {
  const rows = entries.map(({ body, why }) => [body.ticket, body.item, assessment, body.label ?? "", body.label === undefined ? (body.is_unknown ? "unknown" : body.reason || "skipped") : "", why]);
  return [["ticket", "id", "assessment", "label", "skip", "why"], ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** A cell that no spreadsheet takes for a formula. */
function cell(value) {
  const text = String(value);
  const harmless = /^[=+\-@\t\r\n]/.test(text) && typeof value === "string" ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
