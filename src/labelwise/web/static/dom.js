// Making and filling elements. Text is always a text node: nothing here reads markup.

export const find = (id) => document.getElementById(id);

/** Make an element: attributes by name, `on...` as listeners, false and null left out. */
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

/** Replace what is in an element. */
export function fill(element, ...children) {
  element?.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
}

/** Set a text only if it is another one, so that screen readers are not told the same again. */
export function say(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

export function show(element, isShown) {
  if (element) element.hidden = !isShown;
}
