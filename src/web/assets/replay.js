// A finished board at a table, step by step. It draws with the same parts as the player's table; all hands are open.

import { call } from "./api.js";
import { cardsOf, minis } from "./cards.js";
import holdem from "./holdem.js";
import { api, facts, place, trying } from "./results.js";
import { drawTable, sentence } from "./table.js";
import tuolaji from "./tuolaji.js";
import wakeng from "./wakeng.js";
import { seatWord, whoName } from "./who.js";
import { h, t } from "./words.js";

const PACE = 1400;
const games = { wakeng, tuolaji, holdem };
const asked = new URLSearchParams(location.search);
let replay = null;
let game = null;
let seats = [];
let me = null;
let at = 0;
let timer = 0;

/** The name of a seat: an entrant's, or a program's by its level; equal names are told apart by the seat. */
function nameOf(seat) {
  const plain = ({ name, entrant }) => name || whoName(entrant, facts.names);
  const name = plain(replay.seats[seat]);
  const twice = Object.entries(replay.seats).some(([other, who]) => other !== seat && plain(who) === name);
  return twice ? `${name} (${seatWord(seat)})` : name;
}

/** What the drawing parts take for the player's store. */
function storeAt(n) {
  const step = replay.steps[n];
  const view = structuredClone(step.view);
  for (const one of Array.isArray(view.seats) ? view.seats : []) one.cards = step.hands[one.seat] ?? one.cards;
  const named = Object.fromEntries(seats.map((seat) => [seat, { name: nameOf(seat), kind: "person", connected: true }]));
  const over = n === replay.steps.length - 1;
  return {
    view, me, seated: { board: String(replay.board), table: replay.table, round: replay.round, rules: replay.rules, seats: named, seat: me },
    finished: over ? { scores: replay.scores } : null, legal: null, connection: "on",
    name: (seat) => named[seat]?.name ?? seat,
  };
}

/** The cards of a seat in the order of the game; those that it has just played are gone from it. */
function handOf(store, seat) {
  const hand = replay.steps[at].hands[seat];
  if (!hand || replay.game === "holdem") return null;
  return game.hand({ ...store, view: { ...store.view, hand, seat } }).flat();
}

function openTable() {
  const base = games[replay.game];
  game = { ...base, openHand: (store, seat) => (seat === store.me ? null : handOf(store, seat)) };
}

function said(store, n) {
  const { what } = replay.steps[n];
  return what ? sentence(game, store, what, false) : t("watch-begin");
}

function drawOutcome(store) {
  const box = place("outcome");
  if (!store.finished) {
    box.replaceChildren();
    return;
  }
  if (!replay.scores) {
    box.replaceChildren(h("p", { class: "notice warn" }, t("watch-unfinished")));
    return;
  }
  const rows = seats.map((seat) => h("tr", {}, h("th", { scope: "row" }, h("span", { class: "letter" }, seatWord(seat)), " ", store.name(seat)), h("td", { class: "number strong" }, game.score(replay.scores[seat] ?? 0))));
  const lines = game.result(store);
  box.replaceChildren(
    lines.length > 0 ? h("ul", { class: "result-lines" }, lines.map((line) => h("li", {}, line))) : "",
    h("table", { class: "sheet scores" }, h("caption", { class: "unseen" }, t("play-scores")), h("tbody", {}, rows)));
}

function draw() {
  const store = storeAt(at);
  drawTable(game, store);
  const own = handOf(store, me) ?? [];
  place("own").replaceChildren(own.length > 0 ? minis(own) : "");
  const last = replay.steps.length - 1;
  place("said").replaceChildren(h("span", { class: "muted" }, t("watch-at", { n: at, last })), " ", said(store, at));
  place("at").value = String(at);
  place("at").setAttribute("aria-valuetext", t("watch-at", { n: at, last }));
  for (const [id, off] of [["first", at === 0], ["back", at === 0], ["forward", at === last], ["last", at === last]]) place(id).disabled = off;
  drawOutcome(store);
  const list = place("steps");
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const here = list.children[at];
  here?.firstChild.setAttribute("aria-current", "step");
  if (here) list.scrollTop = here.offsetTop - list.clientHeight / 2;
  const query = new URLSearchParams(location.search);
  query.set("at", String(at));
  query.set("from", me);
  history.replaceState(null, "", `${location.pathname}?${query}`);
}

function go(n) {
  at = Math.max(0, Math.min(replay.steps.length - 1, n));
  draw();
}

function hold() {
  clearInterval(timer);
  timer = 0;
  place("run").textContent = t("watch-run");
}

function run() {
  if (timer) {
    hold();
    return;
  }
  if (at === replay.steps.length - 1) go(0);
  place("run").textContent = t("watch-hold");
  timer = setInterval(() => {
    go(at + 1);
    if (at === replay.steps.length - 1) hold();
  }, PACE / Number(place("speed").value));
}

/** By hand: the player stops. */
const by = (n) => () => {
  hold();
  go(n());
};

async function copy() {
  let text = t("watch-address");
  try {
    await navigator.clipboard.writeText(location.href);
    text = t("watch-copied");
  } catch {
    // Without a secure connection browsers keep the clipboard to themselves.
  }
  place("link").textContent = text;
}

function controls() {
  const last = replay.steps.length - 1;
  place("at").max = String(last);
  const steps = { first: () => 0, back: () => at - 1, forward: () => at + 1, last: () => last };
  for (const [id, n] of Object.entries(steps)) place(id).addEventListener("click", by(n));
  place("run").addEventListener("click", run);
  place("link").addEventListener("click", copy);
  place("at").addEventListener("input", () => by(() => Number(place("at").value))());
  place("speed").addEventListener("change", () => {
    if (timer) {
      hold();
      run();
    }
  });
  const from = place("seen-from");
  const store = storeAt(0);
  from.replaceChildren(...seats.map((seat) => h("option", { value: seat, selected: seat === me }, `${seatWord(seat)} · ${store.name(seat)}`)));
  from.addEventListener("change", () => {
    me = from.value;
    draw();
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, select, button, a, [tabindex]") || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: () => at - 1, ArrowRight: () => at + 1, Home: () => 0, End: () => last }[event.key];
    if (step) {
      event.preventDefault();
      by(step)();
    } else if (event.key === " ") {
      event.preventDefault();
      run();
    }
  });
}

function list() {
  place("steps").replaceChildren(...replay.steps.map((step, n) => h("li", {},
    h("button", { type: "button", class: "step", onclick: by(() => n) }, said(storeAt(n), n)))));
}

trying(async () => {
  const { items } = await call("GET", api("boards"));
  if (items.find(({ board }) => board === facts.board)?.state !== "finished") {
    const line = place("refused");
    line.textContent = `${t("watch-sealed")} ${t("watch-sealed-how")}`;
    line.classList.add("warn");
    line.hidden = false;
    return;
  }
  replay = await call("GET", api(`boards/${facts.board}/tables/${facts.table}`));
  seats = Object.keys(replay.seats);
  me = seats.includes(asked.get("from")) ? asked.get("from") : seats[0];
  openTable();
  controls();
  list();
  place("replay").hidden = false;
  go(Number(asked.get("at")) || 0);
});
