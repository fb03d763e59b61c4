// Banners at the top of a page. Each has a name, and a new banner replaces an old one of the same name.

import { find, make } from "./dom.js";

/** Show a banner: `kind` is good, warn or bad; `more` are elements after the text. */
export function notify(name, kind, title, text = "", ...more) {
  const box = find("notices");
  if (!box) return;
  const content = `${title} ${text}`;
  const old = box.querySelector(`[data-name="${name}"]`);
  if (old?.dataset.content === content) return; // do not make screen readers announce it again
  const banner = make("div", { class: `banner ${kind}`, "data-name": name, "data-content": content, role: "status" },
    make("p", {}, make("b", {}, title), text ? ` ${text}` : ""), ...more);
  if (old) old.replaceWith(banner);
  else box.append(banner);
}

export function dismiss(name) {
  find("notices")?.querySelector(`[data-name="${name}"]`)?.remove();
}

/** Offer to sign in again and return to this page. */
export function offerSignIn(text = "") {
  const next = encodeURIComponent(location.pathname);
  notify("signedout", "warn", "You are signed out.", text,
    make("a", { class: "button", href: `/sign-in?next=${next}` }, "Sign in"));
}

/** Show an error with the server's message. */
export function complain(error) {
  if (error.isSignedOut) offerSignIn();
  else notify("error", "bad", error.message, "", make("button", { type: "button", class: "button small-button", onclick: () => dismiss("error") }, "Close"));
}
