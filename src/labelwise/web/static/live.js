// Live progress. Browsers allow about six connections per host, so all tabs share one event stream: the tab that holds
// the lock (the leader) opens it and forwards its events to the others.

import { get } from "./api.js";
import { hasLocks } from "./lock.js";

const LOCK = "labelwise-stream";
const LONGEST = 4_000; // milliseconds between attempts to reopen the stream
const TIMEOUT = 2_000; // milliseconds for the leader to answer a ping
const PING = 20_000; // milliseconds between pings

/** Dispatches `progress` with the server's progress, `state` with `{isLive, since}`, and `signedout`. */
export class Live extends EventTarget {
  constructor() {
    super();
    this.channel = typeof BroadcastChannel === "function" ? new BroadcastChannel("labelwise") : null;
    this.latest = null;
    this.isLive = null;
    this.since = Date.now() / 1000;
    this.source = null;
    this.pause = 500;
    this.heard = 0;
    this.leads = false;
  }

  start() {
    this.channel?.addEventListener("message", ({ data }) => this.#hear(data ?? {}));
    this.refresh();
    if (hasLocks && this.channel) {
      this.#queue({});
      this.channel.postMessage({ ping: true }); // the leader replies with its state
      setInterval(() => document.hidden || this.#checkLeader(), PING);
    } else {
      this.#alone();
    }
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) return;
      this.refresh();
      if (hasLocks && this.channel) this.#checkLeader();
    });
    addEventListener("online", () => this.source === null && this.leads && this.#open());
    // A stream notices a lost network late, so reopen it now. That succeeds if the server runs on this machine.
    addEventListener("offline", () => this.leads && this.#open());
  }

  /** Request progress now, including `n_mine`, which the stream does not contain. */
  async refresh() {
    try {
      this.#progress(await get("/api/progress"));
    } catch (error) {
      if (error.isSignedOut) this.dispatchEvent(new CustomEvent("signedout"));
      else if (!this.source) this.#state(false);
    }
  }

  /** Wait for the lock; its holder is the leader until its page is closed or another tab steals the lock. */
  #queue(options) {
    navigator.locks.request(LOCK, options, () => new Promise(() => {
      this.leads = true;
      this.#open();
    })).catch(() => {
      this.leads = false;
      this.#close();
      this.#queue({});
    });
  }

  /** Ping the leader, and steal the lock if it does not answer: the browser may have frozen its tab. */
  #checkLeader() {
    if (this.leads) return;
    const pinged = Date.now();
    this.channel.postMessage({ ping: true });
    setTimeout(() => {
      if (this.leads || this.heard >= pinged || document.hidden) return;
      this.#queue({ steal: true });
    }, TIMEOUT);
  }

  /** Without locks, every visible tab opens its own stream. */
  #alone() {
    const check = () => {
      this.leads = !document.hidden;
      if (document.hidden) this.#close();
      else if (!this.source) this.#open();
    };
    document.addEventListener("visibilitychange", check);
    check();
  }

  #open() {
    this.#close();
    const source = new EventSource("/api/stream");
    this.source = source;
    source.addEventListener("progress", ({ data }) => {
      this.pause = 500;
      const progress = JSON.parse(data);
      this.#state(true);
      this.#progress(progress);
      this.channel?.postMessage({ progress });
    });
    source.addEventListener("open", () => {
      if (this.isLive === false) this.refresh(); // events may have been missed
      this.#state(true);
      this.channel?.postMessage({ state: { isLive: true } });
    });
    source.addEventListener("error", () => {
      if (this.source !== source) return;
      this.#close();
      this.#state(false);
      this.channel?.postMessage({ state: { isLive: false } });
      setTimeout(() => this.leads && !this.source && this.#open(), this.pause);
      if (this.pause > 1000) this.refresh(); // distinguishes a sign-out from an outage
      this.pause = Math.min(LONGEST, 2 * this.pause);
    });
  }

  #close() {
    this.source?.close();
    this.source = null;
  }

  #hear({ ping, progress, state }) {
    if (ping && this.leads) this.channel.postMessage({ state: { isLive: this.isLive === true } });
    if (this.leads) return;
    if (progress || state) this.heard = Date.now();
    if (progress) this.#state(true);
    if (progress) this.#progress(progress);
    if (state) {
      if (state.isLive && this.isLive === false) this.refresh();
      this.#state(state.isLive);
    }
  }

  #progress(progress) {
    if (this.latest && progress.version < this.latest.version && progress.at < this.latest.at) return; // an older response that arrived late
    this.latest = { ...progress, n_mine: progress.n_mine ?? this.latest?.n_mine };
    this.since = Date.now() / 1000;
    this.dispatchEvent(new CustomEvent("progress", { detail: this.latest }));
  }

  #state(isLive) {
    if (isLive === this.isLive) return;
    this.isLive = isLive;
    this.dispatchEvent(new CustomEvent("state", { detail: { isLive, since: this.since } }));
  }
}
