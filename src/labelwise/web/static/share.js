// The read-only link: made once, shown once; ending it ends all of them.

import { post, remove } from "./api.js";
import { fill, find, make, say } from "./dom.js";
import { complain } from "./notice.js";

export function shareBox(box) {
  if (!box) return;
  const place = make("div", { class: "link-box" });
  const done = (text) => say(find("status"), text);
  async function begin() {
    try {
      const { url } = await post("/api/share");
      const field = make("input", { type: "text", readonly: true, value: new URL(url, location.href).href, "aria-label": "Share link" });
      fill(place, field, make("button", { type: "button", class: "button", onclick: () => copy(field) }, "Copy"),
        make("p", { class: "small" }, "The link is shown this once. Copy it now."));
      field.select();
    } catch (error) {
      complain(error);
    }
  }
  async function copy(field) {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy"); // pages that are not served securely have no clipboard
    }
    done("Link copied.");
  }
  async function end() {
    try {
      await remove("/api/share");
      fill(place);
      done("All share links have ended.");
    } catch (error) {
      complain(error);
    }
  }
  fill(box, make("p", { class: "row" },
    make("button", { type: "button", class: "button", onclick: begin }, "Make a link"),
    make("button", { type: "button", class: "button plain", onclick: end }, "End all links")), place);
}
