// How far the labelling is: counts, the figure towards its goal, and what is still to come.

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
    box.hidden = true; // until there is something to say
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

/** Say how many labels are still to come. */
export function moreOf({ is_met: isMet, more }) {
  if (isMet) return "The target is reached.";
  if (!more || typeof more.n !== "number") return "";
  const range = typeof more.high === "number" ? `${whole(more.low)} to ${whole(more.high)}` : `${whole(more.low)} or more`;
  return `About ${many(more.n, "more label", "more labels")} (${range})`;
}

/** Say once that the target is reached, and what that means. */
export function showTarget({ is_met: isMet, is_closed: isClosed }) {
  if (isClosed) notify("target", "good", "This assessment is closed.", "No more labels are taken.");
  else if (isMet) {
    notify("target", "good", "Target reached.",
      "The labels so far answer the question as surely as was asked for. You may stop here. You may also go on: every further label makes the answer surer.");
  } else dismiss("target");
}

/** Show whether what is seen is up to date. */
export function showState({ isLive, since }) {
  const box = find("live");
  box.classList.toggle("is-stale", !isLive);
  say(box, isLive ? "Live" : `Stale since ${time(since)}`);
}
