// Keyboard shortcuts. They are off in text fields and dialogs, and with Ctrl, Alt or Command held.

const FIELDS = "input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]";

/** Return the name of the shortcut that was pressed, or null if the event is not a shortcut. */
export function keyOf(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.repeat || event.defaultPrevented) return null;
  if (isTypedInto(event.target)) return null;
  if (document.querySelector("dialog[open], details.menu[open]")) return null;
  if (event.key.length !== 1) return null;
  if (event.key === "?") return "?";
  if (event.shiftKey && event.key.toLowerCase() === "u") return "Shift+U";
  return latin(event);
}

/** A closed dialog keeps the focus until the next frame; keys pressed in between are for the page. */
function isTypedInto(target) {
  return target instanceof Element && target.closest("dialog:not([open])") === null && target.closest(FIELDS) !== null;
}

/** Map the key by its position if the layout needs Shift for digits or has no Latin letters. */
function latin({ key, code, shiftKey }) {
  if (/^[0-9]$/.test(key)) return key;
  if (/^[a-z]$/i.test(key)) return shiftKey ? null : key.toLowerCase();
  if (/^Digit[0-9]$/.test(code) && !shiftKey) return code.slice(5);
  if (/^Key[A-Z]$/.test(code) && key.charCodeAt(0) > 127 && !shiftKey) return code.slice(3).toLowerCase();
  return key;
}
