// The labelling page: shows the first ticket, puts the answer into the outbox, and moves on without waiting.

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

const POLL = 4_000; // milliseconds between requests for an item when there is none
const REMEMBERED = 100; // answers that can be undone without asking the server for their item

class LabelPage {
  constructor(about) {
    this.about = about;
    this.answered = []; // newest last: {name, ticket}
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
    this.count = coalesce(() => this.live.refresh(), 700); // the stream does not contain n_mine
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
    this.tickets.addEventListener("lost", () => say(find("status"), "The page was inactive for too long, so the item was returned to the pool. Here is another one."));
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

  /** Label the current item. */
  tell(label) {
    this.#answer("tell", { label }, String(label));
  }

  skip(reason, isUnknown = false) {
    this.#answer("skip", { reason, is_unknown: isUnknown }, isUnknown ? "don’t know" : "skipped");
  }

  #answer(kind, body, text) {
    const ticket = this.tickets?.first;
    if (!ticket || this.isUndoing || this.isElsewhere) return;
    const name = this.outbox.add(kind, { ticket: ticket.ticket, item: ticket.id, ...body }, { words: text });
    const status = kind === "tell" ? "told" : body.is_unknown ? "unknown" : "skipped";
    this.answered = [...this.answered, { name, ticket: { ...ticket, was: { label: body.label ?? null, status, reason: body.reason } } }].slice(-REMEMBERED);
    this.tickets.shift();
    say(find("status"), kind === "tell" ? `Labelled “${text}”.` : body.is_unknown ? "Answered “don’t know”." : "Skipped.");
  }

  async #askSkip() {
    if (!this.tickets?.first || this.isUndoing) return;
    const { ticket } = this.tickets.first;
    const reason = await this.askReason();
    if (reason !== null && this.tickets.first?.ticket === ticket) this.skip(reason);
    this.classes.ready();
  }

  /** Undo the newest answer: drop it from the outbox if it has not been sent, else ask the server to undo it. */
  undo() {
    this.undoing = this.undoing.then(() => this.#undoOne()); // one at a time, however fast the key is pressed
    return this.undoing;
  }

  async #undoOne() {
    if (!this.tickets?.isReady) return;
    this.isUndoing = true;
    try {
      const last = this.answered.pop();
      if (last && (await this.outbox.cancel(last.name))) {
        this.tickets.unshift(last.ticket);
      } else {
        if (this.outbox.size > 0 && !(await this.#drained())) {
          if (last) this.answered.push(last);
          say(find("status"), "Cannot undo yet: your last label has not been sent.");
          return;
        }
        this.tickets.unshift((await post("/api/undo", { tab: this.tickets.tab })).ticket);
      }
      say(find("status"), "Undone.");
      this.count();
    } catch (error) {
      if (error.status === 409) say(find("status"), error.message);
      else this.#trouble(error);
    } finally {
      this.isUndoing = false;
    }
  }

  /** Wait up to three seconds for the outbox to empty; return whether it did. */
  async #drained() {
    this.outbox.hurry();
    for (let i = 0; i < 30 && this.outbox.size > 0; i += 1) await new Promise((done) => setTimeout(done, 100));
    return this.outbox.size === 0;
  }

  /** Give the same answer again to an item whose answer was undone. */
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
    say(find("prediction"), `Predicted class: ${ticket.prediction}`);
    fill(box, contentOf(ticket.content, { id: ticket.id, onbroken: () => this.skip("image is broken") }));
    box.scrollTop = 0;
    preload(this.tickets.line.slice(1));
    if (!document.querySelector("dialog[open]")) this.classes.ready();
  }

  /** Describe the earlier answer to an item that is shown again. */
  #before({ label, status, labeller }) {
    const who = !labeller || labeller === this.about.me.name ? "You" : labeller;
    if (status === "told") return `${who} answered: ${label}`;
    return status === "unknown" ? `${who} answered: don’t know` : `${who} skipped it`;
  }

  #showNothing(box) {
    if (!this.tickets.isDry) {
      box.setAttribute("aria-busy", "true");
      return fill(box, make("p", { class: "loading" }, this.isAway ? "The next item loads when the connection is back." : "Loading the next item…"));
    }
    box.classList.add("is-empty");
    fill(box, make("div", { class: "end" },
      make("p", { class: "end-title" }, "No items to label right now"),
      make("p", { dir: "auto" }, this.tickets.why || "There is nothing for you to label at the moment."),
      make("p", { class: "small" }, "This page checks again every few seconds. Your answers are saved.")));
  }

  #asked() {
    this.isAway = false;
    dismiss("trouble");
    preload(this.tickets.line.slice(1));
    if (this.tickets.first === null) this.#show();
  }

  /** The page belongs to another assessment or person: keep unsent answers in this browser and accept no more. */
  #elsewhere(error) {
    this.isElsewhere = true;
    this.classes.enable(false);
    dismiss("trouble");
    const n = this.outbox.size;
    const unsent = n ? `${many(n, "unsent label")} will stay in this browser until ${this.about.me.name} labels “${this.about.name}” here again.` : "";
    notify("elsewhere", "bad", error.message, unsent,
      make("button", { type: "button", class: "button small-button", onclick: () => location.reload() }, "Reload"));
  }

  #trouble(error) {
    if (error.isSignedOut) return offerSignIn("Your answers are stored in this browser and will be sent when you sign in again.");
    if (error.isElsewhere) return this.#elsewhere(error);
    if (error.isPassing) {
      this.isAway = true;
      if (this.tickets?.first === null) this.#showNothing(find("item"));
      notify("trouble", "warn", error.status === 0 ? "No connection." : error.message, "You can keep labelling the items already loaded; your labels are stored and will be sent later.");
    } else complain(error);
  }

  /** Show the answers that the server rejected for good, and offer them as a download. */
  #refused() {
    const entries = this.outbox.refused();
    if (!entries.length) return dismiss("refused");
    const { body, why } = entries.at(-1);
    const [title, text] = entries.length === 1
      ? [`Your label for ${body.item} was rejected.`, why]
      : [`${many(entries.length, "label")} of yours were rejected.`, `The last one, for ${body.item}: ${why}`];
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
    if (isWaiting) say(box, `${navigator.onLine ? "" : "Offline: "}${many(n, "label")} waiting to be sent. ${n === 1 ? "It is" : "They are"} stored on this device.`);
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
      say(find("status"), `Saved: ${detail.entry.note.words}.`);
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
    this.#refused(); // from an earlier visit
    const onClick = (name, act) => find(name).addEventListener("click", (event) => event.currentTarget.getAttribute("aria-disabled") !== "true" && act());
    const actions = {
      s: () => this.#askSkip(), d: () => this.skip("", true), u: () => this.undo(), "Shift+U": () => this.redo(),
      g: () => this.toggleGuide(), "?": () => find("help-dialog").showModal(), h: () => find("help-dialog").showModal(),
      z: () => zoom(find("item")),
    };
    for (const [name, key] of [["skip", "s"], ["unknown", "d"], ["undo", "u"], ["redo", "Shift+U"], ["help", "?"]]) onClick(name, actions[key]);
    document.addEventListener("keydown", (event) => {
      const key = keyOf(event);
      if (key === null) return;
      if (this.classes.choose(key)) event.preventDefault();
      else if (actions[key]) {
        event.preventDefault(); // else the key would be typed into the dialog that it opens
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
