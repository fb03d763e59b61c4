// The labelling page: shows the first ticket, takes what is said about it, and moves on at once.

import { AnswerPane } from "./answer.js";
import { get, post } from "./api.js";
import { showClasses } from "./classes.js";
import { coalesce } from "./coalesce.js";
import { contentOf, preload, zoom } from "./content.js";
import { download, refusedTable } from "./download.js";
import { fill, find, make, say, show } from "./dom.js";
import { many } from "./format.js";
import { guidelines } from "./guidelines.js";
import { fillHelp } from "./help.js";
import { keyOf } from "./keys.js";
import { Live } from "./live.js";
import { complain, dismiss, notify, offerSignIn } from "./notice.js";
import { Outbox } from "./outbox.js";
import { ProgressPane, showState } from "./progress.js";
import { skipDialog } from "./skip.js";
import { claimTab } from "./tab.js";
import { forgetOthers, Tickets } from "./tickets.js";

const POLL = 4_000; // milliseconds between two looks for an item when there is none
const REMEMBERED = 100; // answers whose item can be shown again without the server

class LabelPage {
  constructor(about) {
    this.about = about;
    this.sent = []; // newest last: {name, ticket}
    this.isUndoing = false;
    this.undoing = Promise.resolve();
    this.scope = [about.id, about.me.name].map(encodeURIComponent).join(".");
    this.outbox = new Outbox(this.scope);
    this.live = new Live();
    this.pane = new ProgressPane(find("progress"));
    this.answer = about.can_see_answer && find("answer") ? new AnswerPane(about) : null;
    this.askReason = skipDialog(about.reasons ?? []);
    this.toggleGuide = guidelines(about.guidelines);
    this.classes = showClasses(find("classes"), about, (name) => this.tell(name));
    this.count = coalesce(() => this.live.refresh(), 700); // my own count is not in the stream
    fillHelp(about);
  }

  async start() {
    this.#listen();
    this.live.start();
    const { tab, isOwn } = await claimTab();
    forgetOthers(this.scope);
    this.tickets = new Tickets(tab, this.outbox);
    this.tickets.addEventListener("change", () => this.#show());
    this.tickets.addEventListener("asked", () => this.#asked());
    this.tickets.addEventListener("lost", () => say(find("status"), "The item went back to the others, because the page was away for too long. Here is another one."));
    this.tickets.addEventListener("trouble", ({ detail }) => this.#trouble(detail));
    this.outbox.send();
    for (;;) {
      try {
        await this.tickets.resume(isOwn);
        break;
      } catch (error) {
        this.#trouble(error);
        await new Promise((done) => setTimeout(done, POLL));
      }
    }
    setInterval(() => this.tickets.first === null && this.tickets.refill(), POLL);
  }

  /** Say what the item is. */
  tell(label) {
    this.#answer("tell", { label }, String(label));
  }

  skip(reason, isUnknown = false) {
    this.#answer("skip", { reason, is_unknown: isUnknown }, isUnknown ? "don’t know" : "skipped");
  }

  #answer(kind, body, words) {
    const ticket = this.tickets?.first;
    if (!ticket || this.isUndoing || this.isElsewhere) return;
    const name = this.outbox.add(kind, { ticket: ticket.ticket, item: ticket.id, ...body }, { words });
    const status = kind === "tell" ? "told" : body.is_unknown ? "unknown" : "skipped";
    this.sent = [...this.sent, { name, ticket: { ...ticket, was: { label: body.label ?? null, status, reason: body.reason } } }].slice(-REMEMBERED);
    this.tickets.shift();
    say(find("status"), kind === "tell" ? `Said “${words}”.` : body.is_unknown ? "Said “don’t know”." : "Skipped.");
  }

  async #askSkip() {
    if (!this.tickets?.first || this.isUndoing) return;
    const { ticket } = this.tickets.first;
    const reason = await this.askReason();
    if (reason !== null && this.tickets.first?.ticket === ticket) this.skip(reason);
    this.classes.ready();
  }

  /** Take back the newest: what was never sent is simply not sent, the rest the server takes back. */
  undo() {
    this.undoing = this.undoing.then(() => this.#undoOne()); // one after the other, however fast the key
    return this.undoing;
  }

  async #undoOne() {
    if (!this.tickets?.isReady) return;
    this.isUndoing = true;
    try {
      const last = this.sent.pop();
      if (last && (await this.outbox.takeBack(last.name))) {
        this.tickets.unshift(last.ticket);
      } else {
        if (this.outbox.size > 0 && !(await this.#drained())) {
          if (last) this.sent.push(last);
          say(find("status"), "Undo has to wait: your last label is not sent yet.");
          return;
        }
        this.tickets.unshift((await post("/api/undo", { tab: this.tickets.tab })).ticket);
      }
      say(find("status"), "Taken back.");
      this.count();
    } catch (error) {
      if (error.status === 409) say(find("status"), error.message);
      else this.#trouble(error);
    } finally {
      this.isUndoing = false;
    }
  }

  /** Wait a moment for everything to be sent. */
  async #drained() {
    this.outbox.hurry();
    for (let i = 0; i < 30 && this.outbox.size > 0; i += 1) await new Promise((done) => setTimeout(done, 100));
    return this.outbox.size === 0;
  }

  /** Say the same again about an item that was taken back. */
  redo() {
    const was = this.tickets?.first?.was;
    if (!was) return;
    if (was.status === "told") this.tell(was.label);
    else this.skip(was.reason ?? "", was.status === "unknown");
  }

  #show() {
    const ticket = this.tickets.first;
    const box = find("item");
    this.classes.enable(ticket !== null && !this.isElsewhere);
    for (const name of ["skip", "unknown"]) find(name).setAttribute("aria-disabled", String(ticket === null));
    show(find("redo"), Boolean(ticket?.was));
    show(find("was"), Boolean(ticket?.was));
    show(find("prediction"), Boolean(ticket) && ticket.prediction !== null && ticket.prediction !== undefined);
    box.setAttribute("aria-busy", "false");
    if (ticket === null) {
      say(find("item-heading"), "Item");
      return this.#showNothing(box);
    }
    box.classList.remove("is-empty");
    say(find("item-heading"), `Item ${ticket.id}`);
    if (ticket.was) say(find("was"), this.#before(ticket.was));
    say(find("prediction"), `The classifier said: ${ticket.prediction}`);
    fill(box, contentOf(ticket.content, { id: ticket.id, onbroken: () => this.skip("image is broken") }));
    box.scrollTop = 0;
    preload(this.tickets.line.slice(1));
    if (!document.querySelector("dialog[open]")) this.classes.ready();
  }

  /** What was said about an item that has come back. */
  #before({ label, status, labeller }) {
    const who = !labeller || labeller === this.about.me.name ? "You" : labeller;
    if (status === "told") return `${who} said: ${label}`;
    return status === "unknown" ? `${who} said: don’t know` : `${who} skipped it`;
  }

  #showNothing(box) {
    if (!this.tickets.isDry) {
      box.setAttribute("aria-busy", "true");
      return fill(box, make("p", { class: "loading" }, this.isAway ? "The next item comes when the connection is back." : "The next item is on its way."));
    }
    box.classList.add("is-empty");
    fill(box, make("div", { class: "end" },
      make("p", { class: "end-title" }, "No item for you right now"),
      make("p", { dir: "auto" }, this.tickets.why || "There is nothing to label at the moment."),
      make("p", { class: "small" }, "This page looks again every few seconds. Whatever you said is kept.")));
  }

  #asked() {
    this.isAway = false;
    dismiss("trouble");
    preload(this.tickets.line.slice(1));
    if (this.tickets.first === null) this.#show();
  }

  /** This page is of another assessment or another person: what was said stays here, and nothing more can be said. */
  #elsewhere(error) {
    this.isElsewhere = true;
    this.classes.enable(false);
    dismiss("trouble");
    const n = this.outbox.size;
    const kept = n ? ` ${many(n, "label")} that ${n === 1 ? "is" : "are"} not sent yet ${n === 1 ? "stays" : "stay"} in this browser, until ${this.about.me.name} labels “${this.about.name}” here again.` : "";
    notify("elsewhere", "bad", error.message, kept.trim(),
      make("button", { type: "button", class: "button small-button", onclick: () => location.reload() }, "Load again"));
  }

  #trouble(error) {
    if (error.isSignedOut) return offerSignIn("What you said is kept here and is sent once you are back.");
    if (error.isElsewhere) return this.#elsewhere(error);
    if (error.isPassing) {
      this.isAway = true;
      if (this.tickets?.first === null) this.#showNothing(find("item"));
      notify("trouble", "warn", error.status === 0 ? "No connection." : error.message, "You can go on with the items that are here; your labels are kept and sent later.");
    } else complain(error);
  }

  /** Show what the server can never take, and let the person keep it. */
  #refused() {
    const entries = this.outbox.refused();
    if (!entries.length) return dismiss("refused");
    const { body, why } = entries.at(-1);
    const [title, text] = entries.length === 1
      ? [`Your label of ${body.item} was not taken.`, why]
      : [`${many(entries.length, "label")} of yours were not taken.`, `The last one, of ${body.item}: ${why}`];
    const forget = () => {
      this.outbox.forgetRefused();
      dismiss("refused");
    };
    notify("refused", "warn", title, text,
      make("button", { type: "button", class: "button small-button", onclick: () => download("labels-not-taken.csv", refusedTable(entries, this.about.id)) }, "Download"),
      make("button", { type: "button", class: "button small-button", onclick: forget }, "Close"));
  }

  #queued() {
    const n = this.outbox.size;
    const box = find("queue");
    const isWaiting = n > 0 && (this.isWaiting || n > 5);
    show(box, isWaiting);
    if (isWaiting) say(box, `${navigator.onLine ? "" : "Offline: "}${many(n, "label")} waiting to be sent. ${n === 1 ? "It is" : "They are"} kept on this device.`);
  }

  #listen() {
    const { outbox, live } = this;
    live.addEventListener("progress", ({ detail }) => {
      this.pane.show(detail);
      this.answer?.follow(detail);
    });
    live.addEventListener("state", ({ detail }) => showState(detail));
    live.addEventListener("signedout", () => this.#trouble({ isSignedOut: true }));
    outbox.addEventListener("change", () => this.#queued());
    outbox.addEventListener("kept", ({ detail }) => {
      this.isWaiting = false;
      this.isAway = false;
      dismiss("trouble");
      dismiss("signedout");
      if (this.tickets && this.tickets.line.length < 2) this.tickets.refill();
      say(find("status"), `Kept: ${detail.entry.note.words}.`);
      this.count();
    });
    outbox.addEventListener("waiting", ({ detail }) => {
      this.isWaiting = true;
      this.#queued();
      this.#trouble(detail.error);
    });
    outbox.addEventListener("signedout", ({ detail }) => this.#trouble(detail.error));
    outbox.addEventListener("elsewhere", ({ detail }) => this.#trouble(detail.error));
    outbox.addEventListener("refused", () => this.#refused());
    this.#refused(); // of an earlier visit
    const act = (name, what) => find(name).addEventListener("click", (event) => event.currentTarget.getAttribute("aria-disabled") !== "true" && what());
    const actions = {
      s: () => this.#askSkip(), d: () => this.skip("", true), u: () => this.undo(), "Shift+U": () => this.redo(),
      g: () => this.toggleGuide(), "?": () => find("help-dialog").showModal(), h: () => find("help-dialog").showModal(),
      z: () => zoom(find("item")),
    };
    for (const [name, key] of [["skip", "s"], ["unknown", "d"], ["undo", "u"], ["redo", "Shift+U"], ["help", "?"]]) act(name, actions[key]);
    document.addEventListener("keydown", (event) => {
      const key = keyOf(event);
      if (key === null) return;
      if (this.classes.choose(key)) event.preventDefault();
      else if (actions[key]) {
        event.preventDefault(); // the key opens a dialog: it must not be typed there
        actions[key]();
      } else if (/^[\p{L}\p{N}]$/u.test(key)) this.classes.focus();
    });
  }
}

try {
  const about = await get("/api/assessment");
  await new LabelPage(about).start();
} catch (error) {
  complain(error);
}
