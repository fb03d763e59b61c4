// The header of every page: closes the menu on Escape or a click elsewhere, and scrolls to the current page's link.

const menu = document.querySelector("details.menu");
const links = document.querySelector(".links ul");
const current = links?.querySelector("[aria-current]");

addEventListener("click", (event) => menu.contains(event.target) || menu.removeAttribute("open"));
menu.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !menu.open) return;
  menu.removeAttribute("open");
  menu.querySelector("summary").focus();
});
if (current) links.scrollLeft = current.offsetLeft - links.offsetLeft - 60; // on a phone the links do not all fit
