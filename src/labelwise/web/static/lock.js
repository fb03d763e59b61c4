// The Web Locks API, which browsers offer only on https and localhost.

export const hasLocks = typeof navigator.locks?.request === "function";

/** Run `act` while no other tab runs one under the same name; without locks, just run it. */
export function alone(name, act) {
  return hasLocks ? navigator.locks.request(name, act) : act();
}
