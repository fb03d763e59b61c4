// Labelling progress: counts, the stopping rule's quantity and its goal, and the forecast.

import { fill, find, make, say } from "./dom.js";
import { many, time, whole } from "./format.js";
import { Meter } from "./meter.js";
import { dismiss, notify } from "./notice.js";

export class ProgressPane {
  constructor(box) {
    this.labels = make("span", { class: "big number" });
    this.of = make("span", { class: "small" });
    this.mine = make("span", { class: "big number" });
    this.more = make("p", { class: "more" });
    this.rule = make("p", { class: "small" });
    this.meter = new Meter();
    this.box = box;
    box.hidden = true; // until the first progress arrives
    fill(box,
      make("div", { class: "tallies" },
        make("p", {}, this.labels, " ", this.of),
        make("p", { class: "tally-mine" }, this.mine, " ", make("span", { class: "small" }, "by you"))),
      this.meter.element, this.more, this.rule);
  }

  show(progress) {
    this.box.hidden = false;
    say(this.labels, whole(progress.n_labels));
    say(this.of, `${progress.n_labels === 1 ? "label" : "labels"} of ${many(progress.n_items, "item")}`);
    say(this.mine, whole(progress.n_mine ?? 0));
    this.meter.set(progress.figure);
    say(this.more, moreOf(progress));
    say(this.rule, progress.rule ? `Stops when ${progress.rule.replace(/^stops? when /i, "")}.` : "");
    showTarget(progress);
  }
}

/** Describe how many more labels are expected. */
export function moreOf({ is_met: isMet, more }) {
  if (isMet) return "The target is reached.";
  if (!more) return "";
  return more.sentence[0].toUpperCase() + more.sentence.slice(1);
}

/** Show a banner when the target is reached or the assessment is closed. */
export function showTarget({ is_met: isMet, is_closed: isClosed }) {
  if (isClosed) notify("target", "good", "This assessment is closed.", "No more labels are accepted.");
  else if (isMet) {
    notify("target", "good", "Target reached.",
      "The stopping rule is met, so you can stop here. You can also continue: every further label makes the answer more precise.");
  } else dismiss("target");
}

/** Show whether the page is up to date. */
export function showState({ isLive, since }) {
  const box = find("live");
  box.classList.toggle("is-stale", !isLive);
  say(box, isLive ? "Live" : `Not updated since ${time(since)}`);
}
