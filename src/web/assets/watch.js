// A live table as somebody beside it sees it. It asks for the table every moment and draws with the parts of the
// player's table; what it may not see never comes.

import { call, Refused } from "./api.js";
import holdem from "./holdem.js";
import { drawTable } from "./table.js";
import tuolaji from "./tuolaji.js";
import wakeng from "./wakeng.js";
import { personOf, whoName } from "./who.js";
import { data, h, number, t } from "./words.js";

const EVERY = 1200;
const facts = data();
const place = (id) => document.getElementById(id);
// Hands that were shown to all lie open here, too; there is no clock to be kept.
const game = { ...{ wakeng, tuolaji, holdem }[facts.game], still: () => true };
let wanted = null;

/** Who sits at a seat: of a pair, whose seats come in order, one of both. */
function nameOf(seats, at) {
  const earlier = Object.entries(seats).filter(([seat, who]) => seat < at && who === seats[at]).length;
  const name = whoName(seats[at], facts.names);
  const twice = Object.values(seats).filter((who) => who === seats[at]).length > 1;
  return twice ? personOf(name, earlier) : name;
}

/** What the drawing parts take for the player's store. */
function storeOf({ table, board, round, seats, snapshot }) {
  const named = Object.fromEntries(Object.keys(seats).map((seat) => [seat, { name: nameOf(seats, seat), kind: "person", connected: true }]));
  return {
    view: snapshot.view, me: Object.keys(seats)[0], seated: { board: String(board), table, round, rules: facts.rules, seats: named },
    finished: null, legal: null, connection: "on", name: (seat) => named[seat]?.name ?? seat,
  };
}

function choices(tables) {
  const select = place("table-number");
  const shown = tables.join(",");
  if (select.dataset.tables === shown) return;
  select.dataset.tables = shown;
  // The table that is looked at stays chosen between two boards.
  const all = [...new Set([...tables, ...(wanted === null ? [] : [wanted])])].sort((a, b) => a - b);
  select.replaceChildren(...all.map((table) => h("option", { value: table, selected: table === wanted }, number(table))));
}

function draw({ tables, open }) {
  if (open && wanted === null) wanted = open.table;
  choices(tables);
  place("table").hidden = !open;
  place("between").hidden = Boolean(open);
  if (open) drawTable(game, storeOf(open));
}

async function look() {
  const query = wanted === null ? "" : `?table=${wanted}`;
  try {
    draw(await call("GET", `/api/v1/events/${encodeURIComponent(facts.event)}/watch${query}`));
    place("refused").hidden = true;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const over = error.code === "sealed";
    place("refused").textContent = over ? t("watch-over") : error.message;
    place("refused").hidden = false;
    if (over) return;
  }
  setTimeout(next, EVERY);
}

/** A page that nobody looks at asks for nothing. */
function next() {
  if (document.hidden) document.addEventListener("visibilitychange", look, { once: true });
  else look();
}

place("table-number").addEventListener("change", () => {
  wanted = Number(place("table-number").value);
});

look();
