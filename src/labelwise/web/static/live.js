// Progress as it happens. Browsers allow six streams a host, so the tabs share one: whoever holds the lock opens it
// and passes on what it hears.

import { get } from "./api.js";
import { hasLocks } from "./lock.js";

const LOCK = "labelwise-stream";
const LONGEST = 4_000; // milliseconds until the stream is opened again
const PATIENCE = 2_000; // for the tab that has the stream to answer
const LOOK = 20_000; // between two looks whether it still does

/** Says `progress` with what the server knows, and `state` with `{isLive, since}`. */
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
      this.channel.postMessage({ ping: true }); // the tab that has the stream says how it stands
      setInterval(() => document.hidden || this.#look(), LOOK);
    } else {
      this.#alone();
    }
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) return;
      this.refresh();
      if (hasLocks && this.channel) this.#look();
    });
    addEventListener("online", () => this.source === null && this.leads && this.#open());
    // Without a network the stream may notice much later, unless the server is on this very machine: try, and see.
    addEventListener("offline", () => this.leads && this.#open());
  }

  /** Ask for progress now; its `n_mine` is not in the stream. */
  async refresh() {
    try {
      this.#progress(await get("/api/progress"));
    } catch (error) {
      if (error.isSignedOut) this.dispatchEvent(new CustomEvent("signedout"));
      else if (!this.source) this.#state(false);
    }
  }

  /** Wait for the lock; whoever has it leads until its page is closed or another takes the lock away. */
  #queue(how) {
    navigator.locks.request(LOCK, how, () => new Promise(() => {
      this.leads = true;
      this.#open();
    })).catch(() => {
      this.leads = false;
      this.#close();
      this.#queue({});
    });
  }

  /** See whether the leading tab still answers; a frozen one loses its lead. */
  #look() {
    if (this.leads) return;
    const asked = Date.now();
    this.channel.postMessage({ ping: true });
    setTimeout(() => {
      if (this.leads || this.heard >= asked || document.hidden) return;
      this.#queue({ steal: true });
    }, PATIENCE);
  }

  /** Without locks every tab that is seen has a stream of its own. */
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
      if (this.isLive === false) this.refresh(); // something may have been missed
      this.#state(true);
      this.channel?.postMessage({ state: { isLive: true } });
    });
    source.addEventListener("error", () => {
      if (this.source !== source) return;
      this.#close();
      this.#state(false);
      this.channel?.postMessage({ state: { isLive: false } });
      setTimeout(() => this.leads && !this.source && this.#open(), this.pause);
      if (this.pause > 1000) this.refresh(); // tells a sign-out from an outage
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
    if (this.latest && progress.version < this.latest.version && progress.at < this.latest.at) return; // overtaken
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
