// The referee floor: calls of the referee, every open table, alarms first; a table is one click away, as everybody there
// sees it now. When the event is over the floor says so and asks for nothing any more.

import { call, Refused } from "./api.js";
import { api, blame, clock, told } from "./desk.js";
import { callLine, evidenceTable, filePage, fileParts, labelOf, mark, placed, sitter, warningParts, when } from "./evidence.js";
import { drawLive, hands } from "./live-table.js";
import { armed, clear, lines, missing } from "./orders.js";
import { change, setting, sound } from "./sound.js";
import { seatWord } from "./who.js";
import { data, h, number, t } from "./words.js";

const { event, persons, open, orders } = data();
const $ = (id) => document.getElementById(id);
const dialog = $("table");
const title = document.title;
/** How often the connections of the whole event are read while they are looked at, ms. */
const EVIDENCE_EVERY = 15_000;
let places = [];
let progress = null;
/** Calls with which nobody has dealt yet. */
let calls = [];
/** The calls that have been told by sound. */
let heard = null;
/** After how long a table that waits or stands still is marked, ms; 0 for never. */
let alarm = 0;
/** The table of the open dialog. */
let shown = null;
/** The board that is in play there, as far as the dialog says. */
let board = null;
/** What its table was last seen to be. */
let sheet = null;
let warnings = [];
let slow = [];
let over = false;

/** Whether a referee has stopped the table, whether or not everything is paused besides. */
const stoppedHere = (now) => Boolean(now?.holds.includes("referee"));
const callsAt = (place) => calls.filter((one) => one.table === place.table && one.board === place.board);
const keyOf = (one) => `${one.board}/${one.table}/${one.line}`;

/** What is wrong at a table, worst first: a weight for the order and a word. */
function alarms(place) {
  if (place.damaged) return [[16, t("orgjs-alarm-damaged")]];
  const found = [];
  const open = callsAt(place).length;
  if (open > 0) found.push([8, t("floor-alarm-call", { count: open })]);
  const late = (ms) => alarm > 0 && ms > alarm && !progress?.paused;
  if (place.state === "due" && late(place.waits_ms ?? 0)) found.push([2, t("floor-alarm-waits", { time: clock(place.waits_ms) })]);
  const now = place.table_now;
  if (!now) return found;
  if (now.offline.length > 0) found.push([4, t("orgjs-alarm-offline", { who: now.offline.map((seat) => seatWord(seat)).join(t("orgjs-comma")) })]);
  if (now.stalled) found.push([3, t("orgjs-alarm-stalled")]);
  if (!now.running && !now.over) found.push([2, t("orgjs-alarm-stopped")]);
  if (now.running && !now.over && late(now.still_ms)) found.push([1, t("floor-alarm-still", { time: clock(now.still_ms) })]);
  return found;
}

/** For whom a table waits that has not opened its next board. */
const awaits = (place) => (place.awaited.length > 0 ? t("orgjs-awaits", { who: place.awaited.map((who) => labelOf(who)).join(t("orgjs-comma")) }) : t("orgjs-opens"));

const weight = (place) => alarms(place).reduce((sum, [one]) => sum + one, 0);

function card(place) {
  const found = alarms(place);
  const thinking = new Map(place.table_now?.deciding ?? []);
  const people = Object.entries(place.seats).map(([seat, who]) => h("span", { class: thinking.has(seat) ? "at-seat thinks" : "at-seat" },
    placed(seat, who), thinking.has(seat) ? h("b", {}, ` ${clock(thinking.get(seat))}`) : null));
  return h("li", {}, h("button", { type: "button", class: found.length > 0 ? "table-card alarm" : "table-card", "data-table": place.table, onclick: () => enter(place.table) },
    h("span", { class: "table-no" }, t("orgjs-table", { table: place.table })),
    h("span", { class: "muted" }, t("orgjs-board", { board: place.board })),
    found.map(([, text]) => h("span", { class: "alarm-word" }, text)),
    place.state === "due" ? h("span", { class: "muted" }, awaits(place)) : null,
    h("span", { class: "seats" }, people)));
}

function wanted(place) {
  if ($("only").checked && weight(place) === 0) return false;
  const typed = $("find").value.trim().toLocaleLowerCase();
  return typed === "" || String(place.table) === typed || Object.entries(place.seats).some(([seat, who]) => sitter(seat, who).toLocaleLowerCase().includes(typed));
}

/** How far the event is: what was played to its end, and what was not. */
function far() {
  if (!progress) return "";
  const cut = progress.unfinished > 0 ? t("floor-cut", { count: number(progress.unfinished) }) : "";
  return [t("floor-progress", { played: number(progress.over - progress.unfinished), plays: number(progress.plays) }), cut].filter(Boolean).join(" ");
}

function draw() {
  const list = $("tables");
  const focused = list.contains(document.activeElement) ? document.activeElement.dataset.table : null;
  const found = places.filter(wanted).sort((a, b) => weight(b) - weight(a) || a.table - b.table);
  list.replaceChildren(...found.map(card));
  if (focused) list.querySelector(`[data-table="${focused}"]`)?.focus();
  const none = $("no-tables");
  none.hidden = found.length > 0;
  if (progress?.plays > 0 && progress.over === progress.plays) none.textContent = t("floor-all-over");
  const bad = places.filter((place) => weight(place) > 0).length;
  const time = progress?.round_left_ms ?? null;
  $("summary").textContent = [
    t("floor-open", { open: number(places.filter((one) => one.state === "open").length), bad: number(bad) }),
    far(),
    time === null ? "" : t("orgjs-round-left", { time: clock(time) }),
    progress?.paused ? t("orgjs-paused") : "",
  ].filter(Boolean).join(" ");
  drawCalls();
  if (shown !== null) facts();
}

/** Puts lines in a place unless they are there already: a button must not vanish under a finger. */
function put(place, nodes) {
  const made = h("div", {}, nodes);
  if (place.dataset.shown === made.innerHTML) return;
  const focused = place.contains(document.activeElement) ? document.activeElement.closest("[data-call]")?.dataset.call : null;
  place.dataset.shown = made.innerHTML;
  place.replaceChildren(...made.childNodes);
  if (focused) place.querySelector(`[data-call="${focused}"] button`)?.focus();
}

/** When a call was made, and how many minutes ago: a list that changes every second cannot be read out. */
function timeOf(one) {
  const minutes = Math.floor((Date.now() - one.called_us / 1000) / 60_000);
  return minutes < 1 ? when(one.called_us) : t("floor-call-ago", { at: when(one.called_us), minutes: number(minutes) });
}

function drawCalls() {
  $("calls").hidden = calls.length === 0;
  $("calls-title").textContent = t("floor-calls-count", { count: number(calls.length) });
  document.title = calls.length > 0 ? `(${calls.length}) ${title}` : title;
  put($("calls-list"), calls.map((one) => {
    const there = places.some((place) => place.table === one.table && place.board === one.board && place.state === "open");
    const more = [
      there ? h("button", { class: "button quiet small", type: "button", "data-enter": one.table, onclick: () => enter(one.table) }, t("floor-call-open")) : null,
      h("a", { class: "button quiet small", href: filePage(one.board, one.table) }, t("floor-file")),
    ];
    return callLine(one, { lead: `${t("floor-call-where", { table: one.table, board: one.board })} · `, time: timeOf(one), marked, more });
  }));
}

/** A call that was not there before rings once; those that were there when the page was opened do not. */
function ring() {
  const fresh = heard === null ? [] : calls.filter((one) => !heard.has(keyOf(one)));
  heard = new Set([...(heard ?? []), ...calls.map(keyOf)]);
  if (fresh.length > 0) sound("call");
}

async function marked(one, state) {
  try {
    await mark(one, state);
    await look();
    if (shown !== null) await readFile();
  } catch (error) {
    blame($("fault"), told(error));
  }
}

const current = () => places.find((one) => one.table === shown);

function facts() {
  const place = current();
  const box = $("table-facts");
  if (!place) {
    $("table-calls").replaceChildren();
    return box.replaceChildren(h("p", {}, t("orgjs-table-over")));
  }
  const now = place.table_now;
  const here = (who) => (persons.includes(who) ? h("span", { class: "muted" }, t(place.connected.includes(who) ? "orgjs-here" : "orgjs-away")) : null);
  box.replaceChildren(
    h("p", {}, t("orgjs-table-facts", { round: place.round, board: place.board, lines: now?.lines ?? 0, refused: now?.refused ?? 0 }), " ",
      place.state === "due" ? awaits(place) : h("span", { class: "clock-state" }, t(now?.running ? "orgjs-clock-runs" : "orgjs-clock-stands")),
      alarms(place).map(([, text]) => [" ", h("span", { class: "alarm-word" }, text)])),
    ...(place.damaged ? [h("p", {}, t("orgjs-damaged"))] : []),
    h("ul", { class: "plain table-people" }, Object.entries(place.seats).map(([seat, who]) => h("li", {}, placed(seat, who), " ", here(who)))));
  put($("table-calls"), callsAt(place).length > 0 ? h("ul", { class: "plain calls" }, callsAt(place).map((one) => callLine(one, { time: timeOf(one), marked }))) : []);
  const toggle = $("table").querySelector('[data-order="clock"] [type="submit"]');
  if (toggle) {
    toggle.textContent = t(stoppedHere(now) ? "floor-go" : "floor-stop");
    toggle.disabled = !now || now.over;
  }
}

/** The board's file: what was tried and refused, and what connections have shown. */
async function readFile() {
  const place = current();
  if (!place || place.state === "due") return $("file").replaceChildren();
  const file = await call("GET", `${api(event)}/boards/${place.board}/tables/${place.table}/file`);
  if (place.table === shown) put($("file"), fileParts(file));
}

/** The table as everybody there sees it. */
async function readTable() {
  const place = current();
  const none = $("live-none");
  none.textContent = t("floor-live-none");
  if (!place || place.damaged) {
    sheet = null;
    none.hidden = Boolean(place?.damaged);
    $("live").replaceChildren();
    $("live").dataset.shown = "";
    return;
  }
  const answer = await call("GET", `${api(event)}/boards/${place.board}/tables/${place.table}/public`);
  if (place.table !== shown) return;
  sheet = answer;
  none.hidden = sheet.view !== null;
  if (sheet.view === null) {
    $("live").replaceChildren();
    $("live").dataset.shown = "";
  } else drawLive($("live"), sheet, place.table_now);
}

/** The warnings that those at the table have. */
const drawWarnings = () => $("warnings").replaceChildren(...warningParts(warnings, Object.values(current()?.seats ?? {})));

/** How often those at the table were slow, and what the rules give for it. */
function drawSlow() {
  const place = current();
  const here = place ? slow.filter((one) => Object.values(place.seats).includes(one.entrant)) : [];
  const line = ({ entrant, member, round, count, penalty }) =>
    t(round === undefined ? "orgjs-slow-event" : "orgjs-slow-round", { name: labelOf(entrant, member), round, count, penalty });
  $("slow-play").replaceChildren(...(here.length === 0 ? [] : [
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

/** Those at the table who are warned by name. */
const personsAt = (place) => [...new Set(Object.values(place.seats))].filter((who) => persons.includes(who));

/** What cannot be told now is told the next time. */
function quietly(reading) {
  reading.catch((error) => {
    if (!(error instanceof Refused)) throw error;
  });
}

function enter(table) {
  const place = places.find((one) => one.table === table);
  if (!place) return;
  shown = table;
  board = place.board;
  sheet = null;
  $("table-title").textContent = `${t("orgjs-table", { table })} · ${t("orgjs-board", { board: place.board })}`;
  const thinking = (place.table_now?.deciding ?? []).map(([seat]) => seat);
  $("give-seat")?.replaceChildren(...Object.entries(place.seats).map(([seat, who]) => h("option", { value: seat, selected: seat === thinking[0] }, placed(seat, who))));
  $("warn-who")?.replaceChildren(h("option", { value: "" }, t("floor-choose")), ...personsAt(place).map((who) => h("option", { value: who }, labelOf(who))));
  $("hands")?.replaceChildren();
  for (const form of dialog.querySelectorAll("form.order")) clear(form);
  for (const id of ["live", "file", "table-calls"]) {
    $(id).replaceChildren();
    $(id).dataset.shown = "";
  }
  for (const fold of dialog.querySelectorAll("details")) fold.open = false;
  $("file-link").href = filePage(place.board, place.table);
  facts();
  drawWarnings();
  drawSlow();
  if (!dialog.open) dialog.showModal();
  for (const reading of [readTable(), readWarnings(), readSlow(), readFile()]) quietly(reading);
  // Whoever opens the table has read what the player wrote.
  for (const one of callsAt(place)) if (one.state === "sent" && orders) marked(one, "seen");
}

/** Sends an order; answers what was done, in words. */
async function send(kind, form, place) {
  const { entrant, code, reason, seat, seconds } = form.elements;
  if (kind === "warn") {
    const { count, seen } = await call("POST", `${api(event)}/warnings`, { entrant: entrant.value, code: code.value, reason: reason.value });
    await readWarnings();
    return t(seen ? "orgjs-warned" : "orgjs-warned-away", { count });
  }
  const order = kind === "clock" ? (stoppedHere(place.table_now) ? "go" : "stop") : kind;
  const body = { order, board: place.board, reason: reason.value };
  if (kind === "give") Object.assign(body, { seat: seat.value, ms: Math.round(Number(seconds.value) * 1000) });
  const answer = await call("POST", `${api(event)}/tables/${shown}/orders`, body);
  if (answer.hands && sheet) $("hands").replaceChildren(hands(sheet, answer.hands));
  return t(`orgjs-done-${order}`);
}

async function order(form) {
  const kind = form.dataset.order;
  const [fault, done] = lines(form);
  const place = current();
  blame(done, null);
  blame(fault, null);
  if (!place) return blame(fault, t("orgjs-table-over"));
  const lack = missing(form);
  if (lack) {
    blame(fault, t(lack[0]));
    return lack[1].focus();
  }
  if (["end", "look"].includes(kind) && !armed(`${shown}/${kind}`, fault, t(`orgjs-sure-${kind}`))) return;
  try {
    const said = await send(kind, form, place);
    form.reset();
    await look();
    blame(done, said);
    await readFile();
  } catch (error) {
    blame(fault, told(error));
  }
}

async function look() {
  const answer = await call("GET", `${api(event)}/floor?state=now`);
  ({ places, progress, calls } = answer);
  alarm = answer.alarm_s * 1000;
  ring();
  draw();
  // The next board has begun at the table: what was written about the one before is not meant for it.
  if (shown !== null && current() && current().board !== board) enter(shown);
  else if (shown !== null) await readTable();
}

/** The event is over: the floor says what became of it, and asks no more. */
async function ends() {
  over = true;
  if (dialog.open) dialog.close();
  $("playing").hidden = true;
  $("calls").hidden = true;
  $("ended").hidden = false;
  document.title = title;
  try {
    ({ progress } = await call("GET", `${api(event)}/progress`));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
  $("summary").textContent = progress?.plays > 0 ? far() : "";
}

async function go() {
  try {
    await look();
    blame($("fault"), null);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.code === "stage") return ends();
    blame($("fault"), error.message);
  }
  setTimeout(go, document.hidden ? 10_000 : 2000);
}

/** What connections have shown in the whole event, while somebody looks at it. */
async function readEvidence() {
  const box = $("evidence");
  if (!box.open) return;
  try {
    const { items } = await call("GET", `${api(event)}/incidents`);
    put($("evidence-list"), [evidenceTable(items)]);
    blame($("evidence-fault"), null);
  } catch (error) {
    blame($("evidence-fault"), told(error));
  }
  if (open && !over) setTimeout(readEvidence, EVIDENCE_EVERY);
}

$("evidence")?.addEventListener("toggle", readEvidence);

/** The address may name a table: it is opened once it is there. */
async function begin() {
  await go();
  const named = Number(new URLSearchParams(location.hash.slice(1)).get("table"));
  if (named > 0) enter(named);
}

if (open) {
  for (const form of dialog.querySelectorAll("form.order")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      order(form);
    });
  }
  dialog.addEventListener("close", () => {
    shown = null;
  });
  $("only").addEventListener("change", draw);
  $("find").addEventListener("input", draw);
  $("ring").checked = setting("sound");
  $("ring").addEventListener("change", () => {
    change("sound", $("ring").checked);
    if ($("ring").checked) sound("call");
  });
  begin();
}
