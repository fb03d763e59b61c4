// The tickets held by this tab: the one on display and those that follow. They survive a reload.

import { get, post } from "./api.js";

const KEY = "labelwise.tickets";
const SCOPE = "labelwise.scope";
const AHEAD = 5; // the current ticket and four more, so that fast labellers do not wait for the network
const RENEW = 15_000; // milliseconds between renewals of the leases

/** Put a ticket first in the queue, from another page of the same tab; `isOwn` as returned by `claimTab`. */
export function putFirst(ticket, isOwn) {
  const kept = isOwn ? read().filter((one) => one.ticket !== ticket.ticket) : [];
  write([ticket, ...kept]);
}

/** Drop tickets that this tab held for another person or another assessment. */
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
    // Too large for the storage: keep ids and earlier answers, and fetch the content again after a reload.
    sessionStorage.setItem(KEY, JSON.stringify(tickets.map(({ ticket, id, was }) => ({ ticket, id, was, isBare: true }))));
  }
}

/** Identify a ticket in a request; with its item's id, the server detects tickets of another assessment. */
const reference = ({ ticket, id }) => ({ ticket, item: id });

/** A queue of tickets; dispatches `change` when its first ticket changes, `lost` when that lost its lease. */
export class Tickets extends EventTarget {
  constructor(tab, outbox) {
    super();
    this.tab = tab;
    this.outbox = outbox;
    this.line = [];
    this.why = "";
    this.asking = null;
    this.isReady = false;
    this.isDry = false; // the server has no more tickets for now
  }

  get first() {
    return this.line[0] ?? null;
  }

  /** Restore the tickets that this tab held before a reload. */
  async resume(isOwn) {
    if (!isOwn) write([]);
    const kept = read().filter(({ ticket, id }) => id !== undefined && !this.outbox.has(ticket));
    if (kept.length) {
      const { held } = await post("/api/renew", { tickets: kept.map(reference), tab: this.tab });
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

  /** Remove the first ticket, which has been answered. */
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

  /** Request more tickets, one request at a time. */
  refill() {
    this.asking ??= this.#ask().finally(() => { this.asking = null; });
    return this.asking;
  }

  async #ask() {
    while (this.line.length < AHEAD) {
      const wanted = AHEAD - this.line.length;
      let response;
      try {
        response = await post("/api/ask", { n: wanted, tab: this.tab });
      } catch (error) {
        this.dispatchEvent(new CustomEvent("trouble", { detail: error }));
        return;
      }
      const isEmpty = this.line.length === 0;
      const fresh = response.tickets.filter(({ ticket }) => !this.#knows(ticket));
      this.line.push(...fresh);
      this.why = response.why ?? "";
      this.isDry = this.line.length === 0;
      if (isEmpty) this.#changed();
      else write(this.line);
      this.dispatchEvent(new CustomEvent("asked", { detail: fresh }));
      if (response.tickets.length < wanted) return;
      if (fresh.length === 0) return; // only tickets we hold already: asking again would loop forever
    }
  }

  #knows(ticket) {
    return this.line.some((one) => one.ticket === ticket) || this.outbox.has(ticket);
  }

  /** Renew the leases, which also shows that the tab is alive, and drop tickets that were lost. */
  async renew() {
    if (!this.isReady) return;
    const tickets = [...this.line.map(reference), ...this.outbox.tickets()];
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
