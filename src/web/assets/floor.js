// The referee floor: every open table, alarms first; a table is one click away.

import { call, Refused } from "./api.js";
import { cardsOf, shortOf } from "./cards.js";
import { api, blame, clock, told } from "./desk.js";
import { called, personCalled, whoName } from "./who.js";
import { data, h, number, t } from "./words.js";

const { event, names, staff, persons, seats, members, open } = data();
const list = document.getElementById("tables");
const dialog = document.getElementById("table");
const only = document.getElementById("only");
const find = document.getElementById("find");
/** A board on which nothing happens for so long is slow, ms. */
const SLOW = 90_000;
/** When each board last moved, and how far it was. */
const moved = new Map();
let places = [];
let progress = null;
let shown = null;
let warnings = [];
let slow = [];

const seatWord = (seat) => seats[seat] ?? seat;
const nameOf = (who) => whoName(who, names);
/** Who sits at a seat: of a pair, one of both. */
const sitter = (seat, who) => (seat in members ? personCalled(nameOf(who), members[seat]) : nameOf(who));

/** What is wrong at a table, worst first: a weight for the order and a word. */
function alarms(place) {
  if (place.damaged) return [[16, t("orgjs-alarm-damaged")]];
  const now = place.table_now;
  if (!now) return [];
  const found = [];
  if (now.calls > 0) found.push([8, t("orgjs-alarm-call", { count: now.calls })]);
  if (now.offline.length > 0) found.push([4, t("orgjs-alarm-offline", { who: now.offline.map((one) => names[one] ?? seatWord(one)).join(", ") })]);
  if (now.stalled) found.push([3, t("orgjs-alarm-stalled")]);
  if (!now.running && !now.over) found.push([2, t("orgjs-alarm-stopped")]);
  const at = moved.get(`${place.round}/${place.table}/${place.board}`);
  if (now.running && at && performance.now() - at.since > SLOW) found.push([1, t("orgjs-alarm-slow")]);
  return found;
}

/** For whom a table waits that has not opened its next board. */
const awaits = (place) => (place.awaited.length > 0 ? t("orgjs-awaits", { who: place.awaited.map(nameOf).join(t("orgjs-comma")) }) : t("orgjs-opens"));

const weight = (place) => alarms(place).reduce((sum, [one]) => sum + one, 0);

function watch() {
  for (const place of places) {
    const key = `${place.round}/${place.table}/${place.board}`;
    const lines = place.table_now?.lines ?? 0;
    if (moved.get(key)?.lines !== lines) moved.set(key, { lines, since: performance.now() });
  }
}

function card(place) {
  const found = alarms(place);
  const thinking = new Map(place.table_now?.deciding ?? []);
  const people = Object.entries(place.seats).map(([seat, who]) => h("span", { class: thinking.has(seat) ? "seat thinks" : "seat" },
    `${seatWord(seat)} ${sitter(seat, who)}`, thinking.has(seat) ? h("b", {}, ` ${clock(thinking.get(seat))}`) : null));
  return h("li", {}, h("button", { type: "button", class: found.length > 0 ? "table-card alarm" : "table-card", "data-table": place.table, onclick: () => enter(place.table) },
    h("span", { class: "table-no" }, t("orgjs-table", { table: place.table })),
    h("span", { class: "muted" }, t("orgjs-board", { board: place.board })),
    found.map(([, text]) => h("span", { class: "alarm-word" }, text)),
    place.state === "due" ? h("span", { class: "muted" }, awaits(place)) : null,
    h("span", { class: "seats" }, people)));
}

function wanted(place) {
  if (only.checked && weight(place) === 0) return false;
  const typed = find.value.trim().toLocaleLowerCase();
  return typed === "" || String(place.table) === typed || Object.values(place.seats).some((who) => nameOf(who).toLocaleLowerCase().includes(typed));
}

function draw() {
  const focused = list.contains(document.activeElement) ? document.activeElement.dataset.table : null;
  const found = places.filter(wanted).sort((a, b) => weight(b) - weight(a) || a.table - b.table);
  list.replaceChildren(...found.map(card));
  if (focused) list.querySelector(`[data-table="${focused}"]`)?.focus();
  const none = document.getElementById("no-tables");
  none.hidden = found.length > 0;
  if (progress?.plays > 0 && progress.over === progress.plays) none.textContent = t("orgjs-floor-done");
  const bad = places.filter((place) => weight(place) > 0).length;
  const time = progress?.round_left_ms ?? null;
  document.getElementById("summary").textContent = [
    t("orgjs-floor", { open: number(places.filter((one) => one.state === "open").length), bad: number(bad), over: number(progress?.over ?? 0), plays: number(progress?.plays ?? 0) }),
    time === null ? "" : t("orgjs-round-left", { time: clock(time) }),
    progress?.paused ? t("orgjs-paused") : "",
  ].filter(Boolean).join(" ");
  if (shown !== null) facts();
}

function facts() {
  const place = places.find((one) => one.table === shown);
  const box = document.getElementById("table-facts");
  if (!place) return box.replaceChildren(h("p", {}, t("orgjs-table-over")));
  const now = place.table_now;
  const thinking = new Map(now?.deciding ?? []);
  box.replaceChildren(
    place.damaged ? h("p", {}, t("orgjs-damaged")) : null,
    h("p", {}, t("orgjs-table-facts", { round: place.round, board: place.board, lines: now?.lines ?? 0, refused: now?.refused ?? 0 })),
    h("p", {}, alarms(place).map(([, text]) => h("span", { class: "alarm-word" }, text, " "))),
    h("ul", { class: "plain" }, (now?.called ?? []).filter(([, words]) => words !== "").map(([seat, words]) =>
      h("li", {}, t("orgjs-called", { who: `${seatWord(seat)} ${sitter(seat, place.seats[seat] ?? "")}`, words })))),
    place.state === "due" ? h("p", {}, awaits(place)) : h("p", { class: "clock-state" }, t(now?.running ? "orgjs-clock-runs" : "orgjs-clock-stands")),
    h("ul", { class: "plain" }, Object.entries(place.seats).map(([seat, who]) => h("li", {},
      h("strong", {}, seatWord(seat)), ` ${sitter(seat, who)} `,
      persons.includes(who) ? h("span", { class: "muted" }, t(place.connected.includes(who) ? "orgjs-here" : "orgjs-away")) : null,
      thinking.has(seat) ? h("b", {}, ` ${t("orgjs-thinks", { time: clock(thinking.get(seat)) })}`) : null))));
}

/** Those at the table who are warned by name. */
const personsAt = (place) => [...new Set(Object.values(place.seats))].filter((who) => persons.includes(who));

/** Minutes and seconds since the board opened. */
const since = (ms) => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`;

/** The board's file: what was tried and refused, and what connections have shown. */
async function readFile() {
  const place = places.find((one) => one.table === shown);
  const box = document.getElementById("file");
  if (!place || place.state !== "open") return box.replaceChildren();
  const file = await call("GET", `${api(event)}/boards/${place.board}/tables/${place.table}/file`);
  const at = (one) => `${seatWord(one.seat)} ${sitter(one.seat, one.entrant)}`;
  const refused = file.refused.map((one) => t(file.shown ? "orgjs-refused" : "orgjs-refused-sealed", { at: since(one.at_ms), who: at(one), tried: one.tried ?? "", why: one.why ?? "" }));
  const more = file.more.map((one) => t("orgjs-refused-more", { who: at(one), count: one.count, from: since(one.first_ms), to: since(one.last_ms) }));
  const seen = file.incidents.map((one) => t("orgjs-incident", { who: nameOf(one.entrant), what: t(`orgjs-incident-${one.what}`), count: one.count }));
  const part = (title, lines) => (lines.length === 0 ? [] : [h("h3", {}, title), h("ul", { class: "plain" }, lines.map((line) => h("li", {}, line)))]);
  box.replaceChildren(
    ...part(t("orgjs-file-refused"), [...refused, ...more]),
    ...(file.shown || refused.length === 0 ? [] : [h("p", { class: "muted" }, t("orgjs-file-sealed"))]),
    ...part(t("orgjs-file-incidents"), seen),
  );
}

/** The warnings that those at the table have. */
function drawWarnings() {
  const box = document.getElementById("warnings");
  const place = places.find((one) => one.table === shown);
  const here = place ? warnings.filter((one) => Object.values(place.seats).includes(one.entrant)) : [];
  box.replaceChildren(...(here.length === 0 ? [] : [
    h("h3", {}, t("orgjs-warnings")),
    h("ul", { class: "plain" }, here.map((one) => h("li", {}, t("orgjs-warning", { name: nameOf(one.entrant), what: t(`orgjs-warn-${one.code}`), by: called(one.by, staff), reason: one.reason })))),
  ]));
}

/** How often those at the table were slow, and what the rules give for it. */
function drawSlow() {
  const box = document.getElementById("slow-play");
  const place = places.find((one) => one.table === shown);
  const here = place ? slow.filter((one) => Object.values(place.seats).includes(one.entrant)) : [];
  const line = ({ entrant, member, round, count, penalty }) => {
    const name = member === undefined ? nameOf(entrant) : personCalled(nameOf(entrant), member);
    return t(round === undefined ? "orgjs-slow-event" : "orgjs-slow-round", { name, round, count, penalty });
  };
  box.replaceChildren(...(here.length === 0 ? [] : [
    h("h3", {}, t("orgjs-slow-play")),
    h("ul", { class: "plain" }, here.map((one) => h("li", {}, line(one)))),
  ]));
}

async function readSlow() {
  ({ items: slow } = await call("GET", `${api(event)}/slow-play`));
  drawSlow();
}

async function readWarnings() {
  ({ items: warnings } = await call("GET", `${api(event)}/warnings`));
  drawWarnings();
}

async function warn() {
  const [fault, done] = [document.getElementById("order-fault"), document.getElementById("order-done")];
  blame(fault, null);
  blame(done, null);
  try {
    const body = { entrant: document.getElementById("warn-who").value, code: document.getElementById("warn-code").value, reason: document.getElementById("why").value };
    const { count, seen } = await call("POST", `${api(event)}/warnings`, body);
    blame(done, t(seen ? "orgjs-warned" : "orgjs-warned-away", { count }));
    await readWarnings();
  } catch (error) {
    blame(fault, told(error));
  }
}

function enter(table) {
  const place = places.find((one) => one.table === table);
  if (!place) return;
  shown = table;
  document.getElementById("table-title").textContent = t("orgjs-table", { table });
  const choice = document.getElementById("give-seat");
  const thinking = (place.table_now?.deciding ?? []).map(([seat]) => seat);
  choice?.replaceChildren(...Object.entries(place.seats).map(([seat, who]) => h("option", { value: seat, selected: seat === thinking[0] }, `${seatWord(seat)} ${sitter(seat, who)}`)));
  document.getElementById("warn-who")?.replaceChildren(...personsAt(place).map((who) => h("option", { value: who }, nameOf(who))));
  document.getElementById("hands")?.replaceChildren();
  for (const id of ["order-fault", "order-done"]) {
    const line = document.getElementById(id);
    if (line) blame(line, null);
  }
  facts();
  drawWarnings();
  drawSlow();
  document.getElementById("file").replaceChildren();
  dialog.showModal();
  for (const reading of [readWarnings(), readSlow(), readFile()]) {
    reading.catch((error) => {
      if (!(error instanceof Refused)) throw error;
    });
  }
}

/** Cards wherever a view holds them, as text. */
const cards = (hand) => (Array.isArray(hand) ? shortOf(hand) : typeof hand === "string" ? shortOf(cardsOf(hand)) : JSON.stringify(hand));

function hands(seen) {
  document.getElementById("hands").replaceChildren(h("ul", { class: "plain" }, Object.entries(seen).map(([seat, view]) =>
    h("li", {}, h("strong", {}, seatWord(seat)), " ", h("code", {}, cards(view.hand ?? view.seats?.find((one) => one.seat === seat)?.cards ?? view))))));
}

async function order(kind) {
  const [fault, done] = [document.getElementById("order-fault"), document.getElementById("order-done")];
  blame(fault, null);
  blame(done, null);
  if (kind === "end" && !armed("end", t("orgjs-sure-end"))) return;
  const why = document.getElementById("why");
  if (kind === "look" && why.value === why.defaultValue) {
    blame(fault, t("orgjs-why-look"));
    why.select();
    return;
  }
  if (kind === "look" && !armed("look", t("orgjs-sure-look"))) return;
  const body = { order: kind, reason: document.getElementById("why").value };
  if (kind === "give") {
    body.seat = document.getElementById("give-seat").value;
    const seconds = Number(document.getElementById("give-s").value);
    if (!(seconds >= 1 && seconds <= 3600)) return blame(fault, t("orgjs-give-seconds"));
    body.ms = Math.round(seconds * 1000);
  }
  try {
    const answer = await call("POST", `${api(event)}/tables/${shown}/orders`, body);
    if (answer.hands) hands(answer.hands);
    blame(done, t(`orgjs-done-${kind}`));
    await look();
  } catch (error) {
    blame(fault, told(error));
  }
}

/** What is grave needs a second press within ten seconds, and says why. */
const pressed = new Map();
function armed(kind, text) {
  const before = pressed.get(`${shown}/${kind}`);
  if (before && performance.now() - before < 10_000) {
    pressed.delete(`${shown}/${kind}`);
    return true;
  }
  pressed.set(`${shown}/${kind}`, performance.now());
  blame(document.getElementById("order-fault"), text);
  return false;
}

async function look() {
  const answer = await call("GET", `${api(event)}/floor?state=now`);
  ({ places, progress } = answer);
  watch();
  draw();
}

async function go() {
  const fault = document.getElementById("fault");
  try {
    await look();
    blame(fault, null);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    blame(fault, error.message);
  }
  setTimeout(go, document.hidden ? 10_000 : 2000);
}

if (open) {
  for (const button of document.querySelectorAll("[data-order]")) button.addEventListener("click", () => order(button.dataset.order));
  document.getElementById("warn")?.addEventListener("click", warn);
  dialog.addEventListener("close", () => {
    shown = null;
  });
  only.addEventListener("change", draw);
  find.addEventListener("input", draw);
  go();
}
