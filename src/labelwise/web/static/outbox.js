// Answers that the server has not confirmed yet. They are in localStorage under one key per answer, so that tabs never
// overwrite each other's, and are sent in order and retried until confirmed. Every answer has an idempotency key: the
// server ignores what it has already, so sending twice is harmless.

import { post } from "./api.js";
import { uuid } from "./identity.js";
import { alone } from "./lock.js";

const LONGEST = 15_000; // milliseconds between retries
const FIRST = 500;
const PATHS = { tell: "/api/tell", skip: "/api/skip" };

/** The queue of answers; dispatches `kept`, `refused`, `waiting`, `signedout`, `elsewhere` and `change`. */
export class Outbox extends EventTarget {
  /** `scope` identifies assessment and labeller, so that nobody sends another person's answers. */
  constructor(scope) {
    super();
    this.prefix = `labelwise.outbox.${scope}.`;
    this.refusals = `labelwise.refused.${scope}.`; // rejected for good; kept until the person dismisses them
    this.lock = `labelwise-outbox-${scope}`;
    this.memory = new Map(); // fallback if localStorage is full or blocked
    this.n = 0;
    this.pause = FIRST;
    this.sending = null;
    this.wake = () => {};
    addEventListener("online", () => this.hurry());
    addEventListener("storage", (event) => event.key?.startsWith(this.prefix) && this.#changed());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
  }

  /** Store an answer, start sending, and return the answer's name. */
  add(kind, body, note = {}) {
    this.n += 1;
    const name = `${this.prefix}${String(Date.now()).padStart(15, "0")}.${String(this.n).padStart(6, "0")}.${uuid()}`;
    const entry = { kind, body: { ...body, key: uuid() }, note, tries: 0 };
    this.#put(name, entry);
    this.#changed();
    this.send();
    return name;
  }

  entries() {
    return this.#under(this.prefix);
  }

  /** Return the rejected answers, each with the reason. */
  refused() {
    return this.#under(this.refusals).map(([, entry]) => entry);
  }

  /** Delete the rejected answers. */
  forgetRefused() {
    for (const [name] of this.#under(this.refusals)) this.#drop(name);
  }

  #under(prefix) {
    const names = new Set([...this.memory.keys()].filter((name) => name.startsWith(prefix)));
    for (let i = 0; i < localStorage.length; i += 1) {
      const name = localStorage.key(i);
      if (name.startsWith(prefix)) names.add(name);
    }
    return [...names].sort().map((name) => [name, this.#read(name)]).filter(([, entry]) => entry !== null);
  }

  get size() {
    return this.entries().length;
  }

  tickets() {
    return this.entries().map(([, { body }]) => ({ ticket: body.ticket, item: body.item }));
  }

  has(ticket) {
    return this.tickets().some((one) => one.ticket === ticket);
  }

  /** Remove an answer that was never sent; resolve to false if it may have reached the server. */
  cancel(name) {
    return alone(this.lock, async () => {
      const entry = this.#read(name);
      if (entry === null || entry.tries > 0) return false;
      this.#drop(name);
      this.#changed();
      return true;
    });
  }

  /** Retry immediately. */
  hurry() {
    this.pause = FIRST;
    this.wake();
    this.send();
  }

  /** Send all answers; resolves when none is left, or when the person has to act first. */
  send() {
    this.sending ??= this.#sendAll().finally(() => { this.sending = null; });
    return this.sending;
  }

  async #sendAll() {
    while (this.size > 0) {
      let error = null;
      for (const [name] of this.entries()) {
        error = (await alone(this.lock, () => this.#sendOne(name))) ?? error;
        if (error?.isPassing || error?.isSignedOut || error?.isElsewhere) break; // after other errors, the remaining answers may still succeed
      }
      if (error === null) {
        this.pause = FIRST;
        continue;
      }
      if (error.isSignedOut) return this.#dispatch("signedout", { error });
      if (error.isElsewhere) return this.#dispatch("elsewhere", { error });
      this.#dispatch("waiting", { error });
      const time = Math.max(this.pause, 1000 * (error.wait ?? 0)) * (0.8 + 0.4 * Math.random());
      await new Promise((done) => {
        this.wake = done;
        setTimeout(done, time);
      });
      this.pause = Math.min(LONGEST, 2 * this.pause);
    }
  }

  /** Send one answer. Return the error if it stays in the queue: it leaves only when saved or rejected for good. */
  async #sendOne(name) {
    const entry = this.#read(name);
    if (entry === null) return null; // another tab has sent it
    this.#put(name, { ...entry, tries: entry.tries + 1 }); // before sending: the request may arrive even if the response does not
    try {
      const answer = await post(PATHS[entry.kind], entry.body);
      this.#drop(name);
      this.#dispatch("kept", { entry, answer });
    } catch (error) {
      if (!error.isFinal) return error;
      this.#put(name.replace(this.prefix, this.refusals), { ...entry, why: error.message });
      this.#drop(name);
      this.#dispatch("refused", { entry, error });
    }
    this.#changed();
    return null;
  }

  #put(name, entry) {
    try {
      localStorage.setItem(name, JSON.stringify(entry));
    } catch {
      this.memory.set(name, entry);
    }
  }

  #read(name) {
    try {
      return this.memory.get(name) ?? JSON.parse(localStorage.getItem(name));
    } catch {
      return null;
    }
  }

  #drop(name) {
    this.memory.delete(name);
    localStorage.removeItem(name);
  }

  #changed() {
    this.#dispatch("change", {});
  }

  #dispatch(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }
}
