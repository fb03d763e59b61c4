// Read-only share links: each is shown once; they can only be revoked all together.

import { post, remove } from "./api.js";
import { fill, find, make, say } from "./dom.js";
import { complain } from "./notice.js";

export function shareBox(box) {
  if (!box) return;
  const place = make("div", { class: "link-box" });
  const done = (text) => say(find("status"), text);
  async function create() {
    try {
      const { url } = await post("/api/share");
      const field = make("input", { type: "text", readonly: true, value: new URL(url, location.href).href, "aria-label": "Share link" });
      fill(place, field, make("button", { type: "button", class: "button", onclick: () => copy(field) }, "Copy"),
        make("p", { class: "small" }, "Copy the link now; it is not shown again."));
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
      document.execCommand("copy"); // the clipboard API needs https or localhost
    }
    done("Link copied.");
  }
  async function revoke() {
    try {
      await remove("/api/share");
      fill(place);
      done("All share links have been revoked.");
    } catch (error) {
      complain(error);
    }
  }
  fill(box, make("p", { class: "row" },
    make("button", { type: "button", class: "button", onclick: create }, "Create link"),
    make("button", { type: "button", class: "button plain", onclick: revoke }, "Revoke all links")), place);
}
