// Seat slips: codes are made once and shown once, so that they are printed at once.

import { call } from "./api.js";
import { api, blame, qr, told } from "./desk.js";
import { personOf } from "./who.js";
import { data, h, t } from "./words.js";

const { event, title, base, people, round, pairs } = data();
const make = document.getElementById("make");
const whom = document.getElementById("whom");
const slips = document.getElementById("slips");
const making = document.getElementById("making");
const fault = document.getElementById("fault");
/** How many QR codes are asked for at once. */
const PART = 100;

/** Whether an address leads other devices to themselves instead of to this server. */
const ownMachine = ({ hostname }) => hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
const warning = document.getElementById("here-only");
if (warning) warning.hidden = !ownMachine(new URL(base));

/** What a slip's QR code opens; the entrant's id is for the desk's scanner. */
const address = (line) => `${base}/seat?event=${encodeURIComponent(event)}#code=${line.code}&e=${encodeURIComponent(line.entrant)}`;

function slip(line, outline) {
  const person = people.find((one) => one.id === line.entrant);
  const seat = person?.seats?.[pairs ? line.member : 0] ?? "";
  const paired = pairs && person;
  const name = paired ? personOf(person.name, line.member) : line.name;
  const partner = paired ? personOf(person.name, 1 - line.member) : null;
  const place = person?.table ? t("orgjs-slip-place", { round, table: person.table, seat }) : t("orgjs-slip-bye", { round });
  return h("article", { class: "slip" },
    qr(outline, t("orgjs-slip-qr", { name })),
    h("div", {},
      h("p", { class: "slip-event" }, title),
      h("h2", {}, person ? `${person.number} · ${name}` : name),
      h("p", { class: "slip-code" }, line.code),
      h("p", {}, place),
      person?.beside ? h("p", {}, person.beside) : null,
      partner ? h("p", {}, t("orgjs-slip-partner", { name: partner })) : null,
      h("p", { class: "slip-how" }, t("orgjs-slip-how", { address: `${base}/seat` }))));
}

make?.addEventListener("click", async () => {
  blame(fault, null);
  make.disabled = true;
  making.hidden = false;
  try {
    const body = whom.value ? { entrants: [whom.value] } : {};
    const { items } = await call("POST", `${api(event)}/seat-codes`, body);
    const order = new Map(people.map((person) => [person.id, person.number]));
    items.sort((a, b) => order.get(a.entrant) - order.get(b.entrant) || a.member - b.member);
    slips.replaceChildren();
    making.max = items.length;
    for (let from = 0; from < items.length; from += PART) {
      const part = items.slice(from, from + PART);
      const codes = await call("POST", "/api/v1/qr", { texts: part.map(address) });
      slips.append(...part.map((line, place) => slip(line, codes.items[place])));
      making.value = from + part.length;
    }
    const print = document.getElementById("print");
    print.hidden = items.length === 0;
    print.textContent = t("orgjs-slips-print", { count: items.length });
    print.focus();
  } catch (error) {
    blame(fault, told(error));
  } finally {
    making.hidden = true;
    make.disabled = false;
    make.classList.replace("main", "quiet");
  }
});
