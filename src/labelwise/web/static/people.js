// The page of people: labels per person, accounts, the share link and the audit trail.

import { get, post, remove } from "./api.js";
import { fill, find, make, say } from "./dom.js";
import { date, plain, whole } from "./format.js";
import { labellerTable } from "./labellers.js";
import { complain } from "./notice.js";
import { shareBox } from "./share.js";
import { empty, table } from "./table.js";

async function loadLabellers() {
  fill(find("labellers"), labellerTable((await get("/api/labellers")).labellers));
}

async function loadAccounts() {
  const { users } = await get("/api/users");
  fill(find("accounts"), users.length ? table([
    { title: "Name", of: (row) => row.name, isHead: true },
    { title: "Role", of: (row) => row.role },
    { title: "", kind: "tools", of: (row) => make("button", { type: "button", class: "button small-button", "aria-label": `Remove ${row.name}`, onclick: () => ask(row.name) }, "Remove") },
  ], users, { isFilling: true }) : empty("There are no accounts: labelwise can only be opened on this computer."));
}

async function loadAudit() {
  const { entries } = await get("/api/audit?limit=100");
  fill(find("audit"), entries.length ? table([
    { title: "No.", of: (row) => whole(row.number), isNumber: true },
    { title: "When", of: (row) => date(row.at) },
    { title: "Who", of: (row) => row.who || "–" },
    { title: "What", of: (row) => row.what },
    { title: "Details", of: (row) => aboutOf(row) || "–" },
  ], entries, { isFilling: true }) : empty("No entries yet."));
}

const aboutOf = ({ about }) => Object.entries(about ?? {}).map(([name, value]) => `${name}: ${name === "until" ? date(value) : plain(value)}`).join(", ");

/** Ask for confirmation before removing an account. */
function ask(name) {
  const dialog = find("confirm");
  say(find("confirm-heading"), `Remove ${name}?`);
  say(find("confirm-text"), "They will be signed out and unable to sign in again. Their labels are kept.");
  dialog.returnValue = "";
  dialog.onclose = async () => {
    if (dialog.returnValue !== "yes") return;
    await attempt(() => remove(`/api/users/${encodeURIComponent(name)}`), `Removed: ${name}.`);
  };
  dialog.showModal();
}

async function attempt(act, message) {
  try {
    await act();
    say(find("status"), message);
    await Promise.all([loadAccounts(), loadAudit()]);
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}

find("add").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.currentTarget;
  const { name, role, password } = Object.fromEntries(new FormData(form));
  if (await attempt(() => post("/api/users", { name, role, password }), `Added: ${name}.`)) form.reset();
});
shareBox(find("share"));
for (const load of [loadLabellers, loadAccounts, loadAudit]) load().catch(complain);
