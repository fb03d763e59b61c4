// Light, dark or system theme. Runs before the first paint, so that the wrong theme never flashes.
(() => {
  "use strict";
  const root = document.documentElement;
  const kept = () => {
    try {
      const name = localStorage.getItem("labelwise.theme");
      return ["light", "dark"].includes(name) ? name : "system";
    } catch {
      return "system"; // storage may be blocked
    }
  };
  const notify = () => document.dispatchEvent(new CustomEvent("themechange"));
  const apply = () => {
    root.dataset.theme = kept();
    for (const input of document.querySelectorAll("#themes input")) input.checked = input.value === root.dataset.theme;
    notify();
  };
  root.dataset.theme = kept();
  addEventListener("storage", (event) => event.key === "labelwise.theme" && apply());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", notify);
  addEventListener("DOMContentLoaded", () => {
    apply();
    document.getElementById("themes")?.addEventListener("change", (event) => {
      try {
        localStorage.setItem("labelwise.theme", event.target.value);
      } catch {
        root.dataset.theme = event.target.value; // not stored: applies to this page only
        return notify();
      }
      apply();
    });
  });
})();
