// The name of this tab. A browser that duplicates a tab copies its sessionStorage, name and tickets included;
// the copy must notice, take a name of its own, and leave the tickets to the first.

import { uuid } from "./identity.js";
import { hasLocks } from "./lock.js";

const KEY = "labelwise.tab";
const PATIENCE = 150; // milliseconds for another tab to answer
const TRIES = 4; // a page that reloads may meet the lock of its former self

const pause = (time) => new Promise((done) => setTimeout(done, time));
const never = new Promise(() => {});

/** Claim a name for as long as the page lives; false if another tab has it. */
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
      await pause(PATIENCE / 2);
    }
    return true;
  }
  const channel = new BroadcastChannel("labelwise-tabs");
  let answered = false;
  channel.onmessage = ({ data }) => { answered ||= data?.taken === name; };
  channel.postMessage({ hello: name });
  await pause(PATIENCE);
  channel.close();
  return answered;
}

function answerHello(name) {
  if (hasLocks) return;
  const channel = new BroadcastChannel("labelwise-tabs");
  channel.onmessage = ({ data }) => data?.hello === name && channel.postMessage({ taken: name });
}

/** Give this tab's name, and whether what sessionStorage holds is its own. */
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
