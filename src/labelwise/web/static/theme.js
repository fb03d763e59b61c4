// Light, dark or as the system has it. Runs before the page is drawn, so that nothing flashes.
(() => {
  "use strict";
  const root = document.documentElement;
  const kept = () => {
    try {
      const name = localStorage.getItem("labelwise.theme");
      return ["light", "dark"].includes(name) ? name : "system";
    } catch {
      return "system"; // storage may be forbidden
    }
  };
  const tell = () => document.dispatchEvent(new CustomEvent("themechange"));
  const apply = () => {
    root.dataset.theme = kept();
    for (const input of document.querySelectorAll("#themes input")) input.checked = input.value === root.dataset.theme;
    tell();
  };
  root.dataset.theme = kept();
  addEventListener("storage", (event) => event.key === "labelwise.theme" && apply());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tell);
  addEventListener("DOMContentLoaded", () => {
    apply();
    document.getElementById("themes")?.addEventListener("change", (event) => {
      try {
        localStorage.setItem("labelwise.theme", event.target.value);
      } catch {
        root.dataset.theme = event.target.value; // for this page at least
        return tell();
      }
      apply();
    });
  });
})();
