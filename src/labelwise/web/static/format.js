// Formatting of numbers and times.

const count = new Intl.NumberFormat("en-GB");
const fine = new Intl.NumberFormat("en-GB", { maximumSignificantDigits: 4 });
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

export const whole = (n) => (n === null || n === undefined ? "–" : count.format(n));

/** "1 label", "2,000 labels". */
export const many = (n, one, more = `${one}s`) => `${whole(n)} ${n === 1 ? one : more}`;

export const decimal = (x, digits = 3) => (typeof x === "number" ? x.toFixed(digits) : "–");

export const percent = (x) => (typeof x === "number" ? `${+(100 * x).toFixed(1)} %` : "–");

export const interval = (row, prefix = "") =>
  typeof row?.[`${prefix}low`] === "number" ? `${decimal(row[`${prefix}low`])} to ${decimal(row[`${prefix}high`])}` : "–";

/** Format a value of unknown type. */
export function plain(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number") return Number.isInteger(value) ? whole(value) : fine.format(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const moment = (at) => (typeof at === "number" ? new Date(at * 1000) : new Date(at));

export const time = (at) => clock.format(moment(at));

export function date(at) {
  const parsed = moment(at);
  return at === null || at === undefined || Number.isNaN(parsed.getTime()) ? "–" : day.format(parsed);
}
