// The items this tab holds: the one that is shown and those that come next. They outlive a reload.

import { get, post } from "./api.js";

const KEY = "labelwise.tickets";
const SCOPE = "labelwise.scope";
const AHEAD = 5; // the one that is shown, and four more: fast hands outrun the network
const RENEW = 15_000; // milliseconds

/** Put a ticket first in line for the labelling page, from another page of the same tab; `isOwn` as of the tab's name. */
export function putFirst(ticket, isOwn) {
  const kept = isOwn ? read().filter((one) => one.ticket !== ticket.ticket) : [];
  write([ticket, ...kept]);
}

/** Drop tickets of another person or another assessment that this tab had before. */
export function forgetOthers(scope) {
  const before = sessionStorage.getItem(SCOPE);
  if (before !== null && before !== scope) write([]);
  sessionStorage.setItem(SCOPE, scope);
}

function read() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

function write(tickets) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(tickets));
  } catch {
    // Too large for the storage: keep the numbers and what was said, the server gives the rest again.
    sessionStorage.setItem(KEY, JSON.stringify(tickets.map(({ ticket, id, was }) => ({ ticket, id, was, isBare: true }))));
  }
}

/** A ticket as the server wants it named: with its item, so that a ticket of another assessment is noticed. */
const named = ({ ticket, id }) => ({ ticket, item: id });

/** A line of tickets; says `change` when the first is another one, `lost` when it was taken away. */
export class Tickets extends EventTarget {
  constructor(tab, outbox) {
    super();
    this.tab = tab;
    this.outbox = outbox;
    this.line = [];
    this.why = "";
    this.asking = null;
    this.isReady = false;
    this.isDry = false; // the server was asked and had nothing
  }

  get first() {
    return this.line[0] ?? null;
  }

  /** Take up what this tab held before it was loaded again. */
  async resume(isOwn) {
    if (!isOwn) write([]);
    const kept = read().filter(({ ticket, id }) => id !== undefined && !this.outbox.has(ticket));
    if (kept.length) {
      const { held } = await post("/api/renew", { tickets: kept.map(named), tab: this.tab });
      const ours = kept.filter((one) => held.includes(one.ticket));
      this.line = await Promise.all(ours.map(async ({ isBare, ...one }) => (isBare ? { ...(await get(`/api/tickets/${one.ticket}`)), was: one.was } : one)));
    }
    this.isReady = true;
    this.#changed();
    setInterval(() => this.renew(), RENEW);
    addEventListener("pageshow", (event) => event.persisted && this.renew());
    document.addEventListener("visibilitychange", () => document.hidden || this.renew());
    await this.refill();
  }

  /** Take the first one away: it has been answered. */
  shift() {
    const ticket = this.line.shift();
    this.#changed();
    this.refill();
    return ticket;
  }

  unshift(ticket) {
    this.line = [ticket, ...this.line.filter((one) => one.ticket !== ticket.ticket)];
    this.#changed();
  }

  /** Ask for more, once at a time. */
  refill() {
    this.asking ??= this.#ask().finally(() => { this.asking = null; });
    return this.asking;
  }

  async #ask() {
    while (this.line.length < AHEAD) {
      const wanted = AHEAD - this.line.length;
      let given;
      try {
        given = await post("/api/ask", { n: wanted, tab: this.tab });
      } catch (error) {
        this.dispatchEvent(new CustomEvent("trouble", { detail: error }));
        return;
      }
      const isEmpty = this.line.length === 0;
      const fresh = given.tickets.filter(({ ticket }) => !this.#knows(ticket));
      this.line.push(...fresh);
      this.why = given.why ?? "";
      this.isDry = this.line.length === 0;
      if (isEmpty) this.#changed();
      else write(this.line);
      this.dispatchEvent(new CustomEvent("asked", { detail: fresh }));
      if (given.tickets.length < wanted) return;
      if (fresh.length === 0) return; // nothing but what we hold: do not ask in circles
    }
  }

  #knows(ticket) {
    return this.line.some((one) => one.ticket === ticket) || this.outbox.has(ticket);
  }

  /** Keep the leases, tell that the tab lives, and let go of what was taken away. */
  async renew() {
    if (!this.isReady) return;
    const tickets = [...this.line.map(named), ...this.outbox.tickets()];
    try {
      const { lost } = await post("/api/renew", { tickets: tickets.slice(0, 200), tab: this.tab });
      const first = this.first;
      this.line = this.line.filter((one) => !lost.includes(one.ticket));
      if (first !== this.first) {
        this.dispatchEvent(new CustomEvent("lost", { detail: first }));
        this.#changed();
      } else write(this.line);
      if (this.line.length < AHEAD) await this.refill();
    } catch (error) {
      this.dispatchEvent(new CustomEvent("trouble", { detail: error }));
    }
  }

  #changed() {
    write(this.line);
    this.dispatchEvent(new CustomEvent("change"));
  }
}
