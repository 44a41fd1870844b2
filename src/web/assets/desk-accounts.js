// Accounts: one's own password and sessions; and for the chief organizer everybody's.

import { call } from "./api.js";
import { flash } from "./app.js";
import { blame, told } from "./desk.js";
import { fault, sends } from "./forms.js";
import { data, h, lang, t } from "./words.js";

const { accounts, quick, least, base } = data();
const $ = (id) => document.getElementById(id);
const when = (us) => new Date(us / 1000).toLocaleString(lang, { dateStyle: "short", timeStyle: "short" });
for (const time of document.querySelectorAll("time[data-us]")) time.textContent = when(Number(time.dataset.us));

/** A password that can be read aloud: no letter or digit that looks like another. */
function fresh() {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  const groups = Math.max(3, Math.ceil(least / 5));
  const random = crypto.getRandomValues(new Uint8Array(groups * 8)).filter((byte) => byte < letters.length * 8);
  // Bytes above the last full turn are left out, so that every letter is as likely; rarely there are too few left.
  if (random.length < groups * 4) return fresh();
  return Array.from({ length: groups }, (_, group) => [...random.slice(group * 4, group * 4 + 4)].map((byte) => letters[byte % letters.length]).join("")).join("-");
}

// --- One's own ---

const password = $("password");
if (password) {
  sends(password, async (fields) => {
    if (fields.new !== fields.again) {
      fault(password, t("accounts-differ"), password.elements.again);
      return;
    }
    await call("PUT", "/api/v1/session/password", { old: fields.old, new: fields.new });
    flash(t("accounts-own-done"));
    location.assign("/login");
  });
}

async function listSessions() {
  const list = $("sessions");
  try {
    const { items } = await call("GET", "/api/v1/sessions");
    list.replaceChildren(...items.map((one) => h("li", {},
      h("span", { class: "person" }, t("accounts-session", { address: one.address, from: when(one.created_us), to: when(one.expires_us) })),
      one.this ? h("span", { class: "muted" }, t("accounts-session-this"))
        : h("button", { class: "button quiet small", type: "button", onclick: () => endSession(one.id) }, t("accounts-session-end")))));
  } catch (error) {
    list.replaceChildren(h("li", {}, told(error)));
  }
}

async function endSession(id) {
  try {
    await call("DELETE", `/api/v1/sessions/${encodeURIComponent(id)}`);
  } catch (error) {
    told(error);
  }
  await listSessions();
}

$("sessions-box")?.addEventListener("toggle", (event) => {
  if (event.target.open) listSessions();
});

// --- Everybody's ---

const search = $("search");
search?.addEventListener("input", () => {
  const wanted = search.value.trim().toLocaleLowerCase();
  for (const row of $("accounts").children) row.hidden = !row.textContent.toLocaleLowerCase().includes(wanted);
});

/** Shows what has to be handed over, once; the page is loaded again when it is noted. */
function handOver(name, secret) {
  $("made-where").textContent = `${base}/login`;
  $("made-name").textContent = name;
  $("made-password").textContent = secret;
  $("made").addEventListener("close", () => location.reload());
  $("made").showModal();
}

$("made-copy")?.addEventListener("click", async () => {
  const text = ["where", "name", "password"].map((part) => $(`made-${part}`).textContent).join("\n");
  try {
    await navigator.clipboard.writeText(text);
    $("made-copied").textContent = t("accounts-copied");
  } catch {
    // Without a secure connection browsers keep the clipboard to themselves.
    $("made-copied").textContent = t("accounts-not-copied");
  }
});

const addForm = $("add-form");

function openAdd(prepared) {
  addForm.reset();
  fault(addForm, null);
  addForm.elements.password.value = fresh();
  for (const [name, value] of Object.entries(prepared)) addForm.elements[name].value = value;
  $("add").showModal();
}

/** A name to log in with that nobody has. */
function free(name) {
  const taken = new Set(accounts.map((one) => one.name));
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) if (!taken.has(`${name}${number}`)) return `${name}${number}`;
}

if (addForm) {
  document.querySelector("[data-add]").addEventListener("click", () => openAdd({}));
  document.querySelector("[data-quick]")?.addEventListener("click", () => openAdd({ role: "chief-referee", display: quick.display, name: free("referee") }));
  sends(addForm, async ({ role, event, display, name, password: secret }) => {
    const grant = event ? { role, event } : { role };
    await call("POST", "/api/v1/accounts", { name: name.trim(), display: display.trim(), password: secret, grants: [grant] });
    $("add").close();
    handOver(name.trim(), secret);
  });
}

const grants = $("grants");

function grantRow({ role, event }) {
  const row = $("grant").content.firstElementChild.cloneNode(true);
  const scope = row.querySelector("[data-event]");
  if (event && ![...scope.options].some((option) => option.value === event)) scope.append(h("option", { value: event }, event));
  row.querySelector("[data-role]").value = role;
  scope.value = event ?? "";
  row.querySelector("[data-less]").addEventListener("click", () => row.remove());
  grants.append(row);
}

$("grant-more")?.addEventListener("click", () => grantRow({ role: "referee" }));

const chosen = () => [...grants.children].map((row) => {
  const [role, event] = [row.querySelector("[data-role]").value, row.querySelector("[data-event]").value];
  return event ? { role, event } : { role };
});

/** What each button changes, and the dialog that asks first. */
const ACTS = {
  roles: { dialog: "roles", change: () => ({ grants: chosen() }) },
  password: { dialog: "password-reset", change: (fields) => ({ password: fields.password }) },
  sessions: { dialog: "sessions-end", change: () => ({ end_sessions: true }) },
  close: { dialog: "close", change: () => ({ disabled: true }) },
  open: { dialog: "open", change: () => ({ disabled: false }) },
  unlock: { dialog: "unlock", change: () => ({ unlock: true }) },
  appoint: { dialog: "appoint" },
};
let account = null;

for (const [name, act] of Object.entries(ACTS)) {
  const dialog = $(act.dialog);
  const form = dialog?.querySelector("form");
  if (!form) continue;
  for (const button of document.querySelectorAll(`[data-do-account="${name}"]`)) {
    button.addEventListener("click", () => {
      account = accounts.find((one) => one.id === button.dataset.account);
      fault(form, null);
      form.reset();
      dialog.querySelector("[data-who]").textContent = `${account.display} (${account.name})`;
      if (name === "roles") {
        grants.replaceChildren();
        for (const grant of account.grants) grantRow(grant);
      }
      if (name === "password") form.elements.password.value = fresh();
      dialog.showModal();
    });
  }
  sends(form, async (fields) => {
    const path = `/api/v1/accounts/${encodeURIComponent(account.id)}`;
    if (name === "appoint") {
      const body = { role: fields.role, reason: fields.reason };
      if (fields.event) body.event = fields.event;
      await call("POST", `${path}/appointments`, body);
    } else {
      await call("PATCH", path, { ...act.change(fields), reason: fields.reason });
    }
    dialog.close();
    if (name === "password") return handOver(account.name, fields.password);
    flash(t("accounts-done", { name: account.display }));
    location.reload();
  });
}
