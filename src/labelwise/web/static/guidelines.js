// The side panel with the owner's labelling guidelines, if any.

import { find, say, show } from "./dom.js";

const OPEN = "labelwise.guidelines";

/** Set up the panel and return a function that toggles it. */
export function guidelines(text) {
  const button = find("guide");
  if (!text) return () => {};
  say(find("guidelines-text"), text);
  show(button, true);
  const set = (isOpen) => {
    show(find("guidelines"), isOpen);
    button.setAttribute("aria-expanded", String(isOpen));
    sessionStorage.setItem(OPEN, isOpen ? "yes" : "no");
  };
  const toggle = () => {
    const isOpen = find("guidelines").hidden;
    set(isOpen);
    if (isOpen) find("guidelines").scrollIntoView({ block: "nearest" });
  };
  button.addEventListener("click", toggle);
  find("guide-close").addEventListener("click", () => {
    set(false);
    button.focus();
  });
  if (sessionStorage.getItem(OPEN) === "yes") set(true);
  return toggle;
}
