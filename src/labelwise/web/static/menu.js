// The frame of every page: the menu closes when one is done with it, and the page's own link is in sight.

const menu = document.querySelector("details.menu");
const links = document.querySelector(".links ul");
const current = links?.querySelector("[aria-current]");

addEventListener("click", (event) => menu.contains(event.target) || menu.removeAttribute("open"));
menu.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !menu.open) return;
  menu.removeAttribute("open");
  menu.querySelector("summary").focus();
});
if (current) links.scrollLeft = current.offsetLeft - links.offsetLeft - 60; // on a phone there is no room for all
