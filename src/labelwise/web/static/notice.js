// Banners at the top of a page, each under a name, so that the same one is never there twice.

import { find, make } from "./dom.js";

/** Show a banner: `kind` is good, warn or bad; `more` are elements after the words. */
export function notify(name, kind, title, text = "", ...more) {
  const box = find("notices");
  if (!box) return;
  const said = `${title} ${text}`;
  const old = box.querySelector(`[data-name="${name}"]`);
  if (old?.dataset.said === said) return;
  const banner = make("div", { class: `banner ${kind}`, "data-name": name, "data-said": said, role: "status" },
    make("p", {}, make("b", {}, title), text ? ` ${text}` : ""), ...more);
  if (old) old.replaceWith(banner);
  else box.append(banner);
}

export function dismiss(name) {
  find("notices")?.querySelector(`[data-name="${name}"]`)?.remove();
}

/** Offer to sign in again, without losing the page one is on. */
export function offerSignIn(text = "") {
  const next = encodeURIComponent(location.pathname);
  notify("signedout", "warn", "You are signed out.", text,
    make("a", { class: "button", href: `/sign-in?next=${next}` }, "Sign in"));
}

/** Show what went wrong, in the server's own sentence. */
export function complain(error) {
  if (error.isSignedOut) offerSignIn();
  else notify("error", "bad", error.message, "", make("button", { type: "button", class: "button small-button", onclick: () => dismiss("error") }, "Close"));
}
