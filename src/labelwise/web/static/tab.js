// The id of this tab. Duplicating a tab copies its sessionStorage, including id and tickets; the copy must notice,
// choose an id of its own, and leave the tickets to the original.

import { uuid } from "./identity.js";
import { hasLocks } from "./lock.js";

const KEY = "labelwise.tab";
const TIMEOUT = 150; // milliseconds for another tab to answer
const TRIES = 4; // after a reload, the lock of the old page may still be held for a moment

const pause = (time) => new Promise((done) => setTimeout(done, time));
const never = new Promise(() => {});

/** Claim an id for the lifetime of the page; resolve to false if another tab has it. */
function claimByLock(name) {
  return new Promise((done) => {
    navigator.locks.request(`labelwise-tab-${name}`, { ifAvailable: true }, (lock) => {
      done(lock !== null);
      return lock === null ? undefined : never;
    });
  });
}

async function isTaken(name) {
  if (hasLocks) {
    for (let i = 0; i < TRIES; i += 1) {
      if (await claimByLock(name)) return false;
      await pause(TIMEOUT / 2);
    }
    return true;
  }
  const channel = new BroadcastChannel("labelwise-tabs");
  let answered = false;
  channel.onmessage = ({ data }) => { answered ||= data?.taken === name; };
  channel.postMessage({ hello: name });
  await pause(TIMEOUT);
  channel.close();
  return answered;
}

function answerHello(name) {
  if (hasLocks) return;
  const channel = new BroadcastChannel("labelwise-tabs");
  channel.onmessage = ({ data }) => data?.hello === name && channel.postMessage({ taken: name });
}

/** Return this tab's id, and whether the contents of sessionStorage are its own. */
export async function claimTab() {
  const kept = sessionStorage.getItem(KEY);
  if (kept && !(await isTaken(kept))) {
    answerHello(kept);
    return { tab: kept, isOwn: true };
  }
  const tab = uuid();
  sessionStorage.setItem(KEY, tab);
  if (hasLocks) await claimByLock(tab);
  answerHello(tab);
  return { tab, isOwn: false };
}
