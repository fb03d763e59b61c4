// The dialog that asks why an item is skipped: a digit selects a reason, Enter confirms, Escape cancels.

import { fill, find, make } from "./dom.js";

/** Set up the dialog and return a function that opens it and resolves to the reason, or null if cancelled. */
export function skipDialog(reasons) {
  const dialog = find("skip-dialog");
  const text = find("skip-text");
  const radios = reasons.map((reason, i) => make("input", { type: "radio", name: "reason", value: reason, id: `reason-${i}` }));
  fill(find("skip-reasons"), reasons.map((reason, i) =>
    make("label", { class: "reason" }, radios[i], make("span", { dir: "auto" }, reason), i < 9 ? make("kbd", { "aria-hidden": "true" }, i + 1) : null)));

  dialog.addEventListener("keydown", (event) => {
    if (!dialog.open || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (event.target === text) return;
    const place = Number(event.key) - 1;
    if (radios[place]) {
      event.preventDefault();
      radios[place].checked = true;
      radios[place].focus();
    } else if (event.key === "Enter" && event.target.type === "radio") {
      event.preventDefault();
      dialog.close("skip");
    }
  });
  find("skip-cancel").addEventListener("click", () => dialog.close(""));

  return function ask() {
    radios.forEach((radio, i) => { radio.checked = i === 0; });
    text.value = "";
    dialog.returnValue = "";
    dialog.showModal();
    (radios[0] ?? text).focus();
    return new Promise((done) => {
      dialog.addEventListener("close", () => {
        if (dialog.returnValue !== "skip") return done(null);
        const reason = radios.find((radio) => radio.checked)?.value ?? "";
        const details = text.value.trim();
        done(details && reason ? `${reason}: ${details}` : details || reason);
      }, { once: true });
    });
  };
}
