// What was said and not yet kept by the server. It lives in localStorage, one entry a key, so that tabs never
// overwrite each other; it is sent in order, again and again until the server has it. Every entry has a key of its
// own by which the server knows what it has heard already: sending twice is harmless.

import { post } from "./api.js";
import { uuid } from "./identity.js";
import { alone } from "./lock.js";

const LONGEST = 15_000; // milliseconds between two tries
const FIRST = 500;
const PATHS = { tell: "/api/tell", skip: "/api/skip" };

/** The line of answers to send; says `kept`, `refused`, `waiting`, `signedout`, `elsewhere` and `change`. */
export class Outbox extends EventTarget {
  /** `scope` names assessment and labeller: nobody sends what another person said. */
  constructor(scope) {
    super();
    this.prefix = `labelwise.outbox.${scope}.`;
    this.refusals = `labelwise.refused.${scope}.`; // what the server can never take, until the person lets go of it
    this.lock = `labelwise-outbox-${scope}`;
    this.memory = new Map(); // where localStorage is full or forbidden
    this.n = 0;
    this.pause = FIRST;
    this.sending = null;
    this.wake = () => {};
    addEventListener("online", () => this.hurry());
    addEventListener("storage", (event) => event.key?.startsWith(this.prefix) && this.#changed());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
  }

  /** Keep an answer and send it as soon as it can be; gives its name. */
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

  /** What was not taken, and why: for the person to read, write down or download. */
  refused() {
    return this.#under(this.refusals).map(([, entry]) => entry);
  }

  /** Let go of what was not taken. */
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

  /** Take an answer back that was never sent; false if it may have reached the server. */
  takeBack(name) {
    return alone(this.lock, async () => {
      const entry = this.#read(name);
      if (entry === null || entry.tries > 0) return false;
      this.#drop(name);
      this.#changed();
      return true;
    });
  }

  /** Try again at once. */
  hurry() {
    this.pause = FIRST;
    this.wake();
    this.send();
  }

  /** Send everything there is; resolves when there is nothing left, or nothing that can be sent. */
  send() {
    this.sending ??= this.#sendAll().finally(() => { this.sending = null; });
    return this.sending;
  }

  async #sendAll() {
    while (this.size > 0) {
      let error = null;
      for (const [name] of this.entries()) {
        error = (await alone(this.lock, () => this.#sendOne(name))) ?? error;
        if (error?.isPassing || error?.isSignedOut || error?.isElsewhere) break; // else the others may still get through
      }
      if (error === null) {
        this.pause = FIRST;
        continue;
      }
      if (error.isSignedOut) return this.#tell("signedout", { error });
      if (error.isElsewhere) return this.#tell("elsewhere", { error });
      this.#tell("waiting", { error });
      const time = Math.max(this.pause, 1000 * (error.wait ?? 0)) * (0.8 + 0.4 * Math.random());
      await new Promise((done) => {
        this.wake = done;
        setTimeout(done, time);
      });
      this.pause = Math.min(LONGEST, 2 * this.pause);
    }
  }

  /** Send one; gives the error if it has to stay. It leaves the line only if it was kept, or can never be. */
  async #sendOne(name) {
    const entry = this.#read(name);
    if (entry === null) return null; // another tab has sent it
    this.#put(name, { ...entry, tries: entry.tries + 1 }); // before sending: it may arrive though no answer does
    try {
      const answer = await post(PATHS[entry.kind], entry.body);
      this.#drop(name);
      this.#tell("kept", { entry, answer });
    } catch (error) {
      if (!error.isFinal) return error;
      this.#put(name.replace(this.prefix, this.refusals), { ...entry, why: error.message });
      this.#drop(name);
      this.#tell("refused", { entry, error });
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
    this.#tell("change", {});
  }

  #tell(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }
}
