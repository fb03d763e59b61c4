// Web Locks where the browser has them (it does not on pages that are not served securely).

export const hasLocks = typeof navigator.locks?.request === "function";

/** Do something that no other tab does at the same time; without locks, just do it. */
export function alone(name, act) {
  return hasLocks ? navigator.locks.request(name, act) : act();
}
