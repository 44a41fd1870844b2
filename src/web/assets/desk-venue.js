// The venue: networks from which, and devices on which, an event is played. A device's token is shown once, as a QR
// code that the device itself scans.

import { call } from "./api.js";
import { flash } from "./app.js";
import { api, blame, qr, told } from "./desk.js";
import { fault, sends } from "./forms.js";
import { data, h, number, t } from "./words.js";

const { event, title, base, seats, networks, own, inside, devices } = data();
const $ = (id) => document.getElementById(id);
/** How many QR codes are asked for at once. */
const PART = 100;
/** The most devices that are enrolled at once. */
const MOST = 400;

// --- Networks ---

const set = $("set");
let next = null;

/** Asks before the networks change: who can play then, and whether the desk's own network is among them. */
function ask(list) {
  next = list;
  $("set-what").textContent = list.length === 0 ? t("venue-set-none") : t("venue-set-some", { networks: list.join(", ") });
  // Whether a typed network holds this address is for the server to say: only what is known is warned of.
  $("set-self").hidden = list.length === 0 || list.includes(own) || list.some((one) => inside.includes(one));
  blame(set.querySelector('[role="alert"]'), null);
  set.showModal();
}

set?.querySelector("form").addEventListener("submit", async (submitted) => {
  submitted.preventDefault();
  try {
    await call("PUT", `${api(event)}/networks`, { networks: next });
    flash(t("venue-set-done"));
    location.reload();
  } catch (error) {
    blame(set.querySelector('[role="alert"]'), told(error));
  }
});

for (const button of document.querySelectorAll("[data-network]")) {
  button.addEventListener("click", () => ask(networks.filter((one) => one !== button.dataset.network)));
}
for (const button of document.querySelectorAll("[data-add-network]")) {
  button.addEventListener("click", () => ask([...networks, button.dataset.addNetwork]));
}
const network = $("network");
if (network) {
  sends(network, async (fields) => {
    const text = fields.network.trim();
    if (!/^[0-9a-fA-F.:]+(\/\d{1,3})?$/.test(text)) return fault(network, t("venue-wrong-network"), network.elements.network);
    if (networks.includes(text)) return fault(network, t("venue-twice"), network.elements.network);
    ask([...networks, text]);
  });
}

// --- Devices ---

const enrol = (body) => call("POST", `${api(event)}/devices`, body);
/** What the device opens to be enrolled. */
const address = (device) => `${base}/seat?event=${encodeURIComponent(event)}#device=${device.token}`;
const seatName = (seat) => seats.find((one) => one.seat === seat)?.name ?? seat;

function place({ table, seat }) {
  if (table && seat) return t("venue-card-seat", { table, seat: seatName(seat) });
  if (table) return t("orgjs-table", { table });
  return seat ? seatName(seat) : t("venue-anywhere");
}

async function show(list) {
  const cards = [];
  for (let from = 0; from < list.length; from += PART) {
    const part = list.slice(from, from + PART);
    const { items } = await call("POST", "/api/v1/qr", { texts: part.map(address) });
    cards.push(...part.map((device, at) => h("article", { class: "slip" },
      qr(items[at], t("venue-card-qr", { name: device.name })),
      h("div", {},
        h("p", { class: "slip-event" }, title),
        h("h4", {}, device.name),
        h("p", {}, place(device)),
        h("p", { class: "slip-how" }, t("venue-card-how")),
        list.length === 1 ? h("p", { class: "slip-how" }, h("code", {}, address(device))) : null))));
  }
  $("devices-now").textContent = t("venue-devices-some");
  $("cards").replaceChildren(...cards);
  $("paired").hidden = false;
  $("paired-title").focus();
}

/** What was enrolled is shown first: only then is the page loaded again. */
document.querySelector("[data-again]")?.addEventListener("click", () => location.reload());

const device = $("device");
if (device) {
  sends(device, async ({ name, table, seat }) => {
    const body = { name: name.trim() };
    if (table) body.table = Number(table);
    if (seat) body.seat = seat;
    const made = await enrol(body);
    device.reset();
    await show([made]);
  });
}

const many = $("many");
if (many) {
  sends(many, async (fields) => {
    const [from, to] = [Number(fields.from), Number(fields.to)];
    if (!(from >= 1 && to >= from)) return fault(many, t("venue-wrong-tables"), many.elements.to);
    const wanted = [];
    for (let table = from; table <= to; table += 1) {
      for (const { seat, name } of seats) wanted.push({ name: t("venue-many-name", { table, seat: name }), table, seat });
    }
    if (wanted.length > MOST) return fault(many, t("venue-many-most", { most: MOST }), many.elements.to);
    const bar = $("making");
    bar.hidden = false;
    bar.max = wanted.length;
    const made = [];
    try {
      for (const body of wanted) {
        made.push(await enrol(body));
        bar.value = made.length;
      }
    } finally {
      bar.hidden = true;
      // What is enrolled counts, even if the rest failed: it is shown.
      if (made.length > 0) await show(made);
    }
  });
}

const end = $("end");
let leaving = null;
for (const button of document.querySelectorAll("[data-device]")) {
  button.addEventListener("click", () => {
    leaving = button.dataset.device;
    $("end-what").textContent = t(devices === 1 ? "venue-end-last" : "venue-end-what", { name: button.dataset.name, rest: number(devices - 1) });
    blame(end.querySelector('[role="alert"]'), null);
    end.showModal();
  });
}
end?.querySelector("form").addEventListener("submit", async (submitted) => {
  submitted.preventDefault();
  const reason = submitted.target.elements.reason.value;
  try {
    await call("DELETE", `${api(event)}/devices/${encodeURIComponent(leaving)}?reason=${encodeURIComponent(reason)}`);
    flash(t("venue-end-done"));
    location.reload();
  } catch (error) {
    blame(end.querySelector('[role="alert"]'), told(error));
  }
});
