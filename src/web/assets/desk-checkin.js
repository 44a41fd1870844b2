// Check-in: a number, a name, or the QR code of a slip, which a hand scanner types like a keyboard.

import { call } from "./api.js";
import { api, blame, told } from "./desk.js";
import { data, h, t } from "./words.js";

const { event, people, rules } = data();
const form = document.getElementById("checkin");
const who = document.getElementById("who");
const list = document.getElementById("people");
const alert = form?.querySelector('[role="alert"]');
const everybody = document.getElementById("everybody");
const all = document.getElementById("all");
const SHOWN = 60;

/** A text without blanks of any width, in small letters. */
const plain = (text) => text.replace(/\s+/gu, "").toLocaleLowerCase();

/** Those who are meant: by a slip's address, a number, an id, a part of the name. */
function meant(text) {
  const typed = plain(text);
  if (typed === "") return people;
  const slip = /[#&]e=([^&\s]+)/.exec(text);
  if (slip) return people.filter((one) => one.id === decodeURIComponent(slip[1]));
  const exact = people.filter((one) => String(one.number) === typed || one.id.toLocaleLowerCase() === typed);
  return exact.length > 0 ? exact : people.filter((one) => plain(one.name).includes(typed));
}

function show() {
  const found = meant(who.value).sort((a, b) => a.came - b.came || a.number - b.number);
  const came = people.filter((one) => one.came).length;
  document.getElementById("count").textContent = t("orgjs-came", { came, persons: people.length });
  const missing = people.length - came;
  everybody.hidden = missing < 2 || who.value.trim() !== "";
  everybody.textContent = t("orgjs-check-in-all", { count: missing });
  list.replaceChildren(...found.slice(0, SHOWN).map((one) =>
    h("li", { class: one.came ? "came" : false },
      h("span", { class: "number" }, one.number), h("span", { class: "person" }, one.name, one.beside ? h("span", { class: "muted" }, ` ${one.beside}`) : null),
      h("button", { type: "button", class: one.came ? "button quiet small" : "button small", onclick: () => change(one) },
        t(one.came ? "orgjs-take-back" : "orgjs-check-in"), h("span", { class: "unseen" }, `: ${one.number} ${one.name}`)))));
  if (found.length > SHOWN) list.append(h("li", { class: "muted" }, t("orgjs-more", { count: found.length - SHOWN })));
  if (found.length === 0) list.append(h("li", { class: "muted" }, t("orgjs-nobody")));
}

const comes = (one) => call("PUT", `${api(event)}/checkins/${encodeURIComponent(one.id)}`, { rules_hash: rules });

async function change(one) {
  blame(alert, null);
  try {
    if (one.came) await call("DELETE", `${api(event)}/checkins/${encodeURIComponent(one.id)}?reason=${encodeURIComponent(t("orgjs-why-back"))}`);
    else await comes(one);
    one.came = !one.came;
    who.value = "";
  } catch (error) {
    blame(alert, told(error));
  }
  show();
  who.focus();
}

form?.addEventListener("submit", (submitted) => {
  submitted.preventDefault();
  const all = meant(who.value);
  const found = all.filter((one) => !one.came);
  if (who.value.trim() === "") return;
  if (found.length === 1) change(found[0]);
  else if (found.length === 0 && all.length > 0) blame(alert, t("orgjs-came-already"));
  else blame(alert, t(found.length === 0 ? "orgjs-nobody" : "orgjs-several"));
});
who?.addEventListener("input", show);

everybody?.addEventListener("click", () => all.showModal());
all?.querySelector("form").addEventListener("submit", async (submitted) => {
  submitted.preventDefault();
  const [place, bar, button] = [all.querySelector('[role="alert"]'), all.querySelector("progress"), submitted.submitter];
  const missing = people.filter((one) => !one.came);
  blame(place, null);
  button.disabled = true;
  bar.hidden = false;
  bar.max = missing.length;
  try {
    for (const [done, one] of missing.entries()) {
      bar.value = done;
      await comes(one);
      one.came = true;
    }
    all.close();
  } catch (error) {
    blame(place, told(error));
  } finally {
    button.disabled = false;
    bar.hidden = true;
  }
  show();
});
if (form) show();
