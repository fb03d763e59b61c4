// Creating and filling elements. Text always becomes a text node; nothing here parses HTML.

export const find = (id) => document.getElementById(id);

/** Create an element. Attributes named `on...` become listeners; false, null and undefined are left out. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Replace an element's children. */
export function fill(element, ...children) {
  element?.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
}

/** Set an element's text only if it differs, so that screen readers do not announce it again. */
export function say(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

export function show(element, isShown) {
  if (element) element.hidden = !isShown;
}
