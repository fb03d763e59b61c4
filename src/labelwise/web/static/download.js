// Files created in the browser.

/** Download a text as a CSV file. */
export function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Return rejected labels as CSV that `labelwise tell` can read, with the reason for each rejection. */
export function refusedTable(entries, assessment) {
  const rows = entries.map(({ body, why }) => [body.ticket, body.item, assessment, body.label ?? "", body.label === undefined ? (body.is_unknown ? "unknown" : body.reason || "skipped") : "", why]);
  return [["ticket", "id", "assessment", "label", "skip", "why"], ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** Quote a cell, with a leading apostrophe if a spreadsheet would read it as a formula. */
function cell(value) {
  const text = String(value);
  const harmless = /^[=+\-@\t\r\n]/.test(text) && typeof value === "string" ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
