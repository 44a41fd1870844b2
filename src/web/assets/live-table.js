// A live table as a referee sees it: what everybody there may see, seat by seat, and what has happened. Drawn with the
// words and cards of the player's table; a referee sits nowhere.

import { cardsOf, minis } from "./cards.js";
import { clock } from "./desk.js";
import { placed, since } from "./evidence.js";
import holdem from "./holdem.js";
import { sentence } from "./table.js";
import tuolaji from "./tuolaji.js";
import wakeng from "./wakeng.js";
import { seatWord } from "./who.js";
import { h, knows, number, t } from "./words.js";

const games = { wakeng, tuolaji, holdem };

/** What the drawing parts of the player's table take for their store. */
function storeOf(sheet) {
  const named = Object.fromEntries(Object.entries(sheet.seats).map(([seat, who]) => [seat, { name: placed(seat, who), kind: "person", connected: true }]));
  return {
    view: sheet.view, me: null, legal: null, cut: false, connection: "on", finished: null, mine: false,
    seated: { board: String(sheet.board), table: sheet.table, round: sheet.round, rules: sheet.rules, seats: named, seat: null },
    name: (seat) => named[seat]?.name ?? seatWord(seat),
  };
}

/** The seats of a game in its own order. */
const seatsOf = (game, store, sheet) => game.seats(store).filter((seat) => seat in sheet.seats);

function amount(game, store, seat) {
  if (game.stack) return h("span", { class: "stack" }, number(game.stack(store, seat) ?? 0));
  const held = game.held(store, seat);
  return held === null || held === undefined ? null : h("span", { class: "count" }, h("span", { class: "count-card", "aria-hidden": "true" }), number(held), h("span", { class: "unseen" }, t("play-cards-held")));
}

function seatLine(game, store, sheet, now, seat) {
  const left = new Map(now?.deciding ?? []).get(seat);
  const marks = game.marks(store, seat).map((mark) => h("span", { class: `mark ${mark.kind ?? ""}` }, mark.text));
  const refused = sheet.refused.find((one) => one.seat === seat)?.count ?? 0;
  const open = game.openHand(store, seat);
  return h("li", { class: left === undefined ? "live-seat" : "live-seat deciding", "data-seat": seat },
    h("p", { class: "live-who" }, h("strong", {}, store.name(seat)), amount(game, store, seat), marks,
      left === undefined ? null : h("b", { class: "live-left" }, t("floor-live-thinks", { time: clock(left) })),
      refused > 0 ? h("span", { class: "mark bad" }, t("floor-live-refused", { count: number(refused) })) : null),
    h("div", { class: "live-front" }, game.before(store, seat)),
    open ? h("div", { class: "live-open" }, minis(open)) : null);
}

const facts = (pairs) => h("dl", { class: "facts-list" }, pairs.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));

function lastTrick(game, store) {
  const last = game.lastTrick(store);
  if (!last) return null;
  return h("section", {}, h("h4", {}, t("floor-live-last")),
    h("ul", { class: "plain trick-list" }, last.map(({ seat, shown, won }) => h("li", { class: won ? "won" : "" }, h("span", { class: "letter" }, seatWord(seat)), shown))));
}

function log(game, store, sheet) {
  const lines = sheet.lines.toReversed().map((line) => h("li", {}, h("span", { class: "muted" }, since(line.at_ms)), " ", sentence(game, store, line.what, false)));
  return h("section", {}, h("h4", {}, t("floor-live-log")), h("ol", { class: "plain live-log", tabindex: "0", "aria-label": t("floor-live-log") }, lines));
}

/** Draws a table from what the server says that everybody there may see; `now` has who thinks, and for how long yet. */
export function drawLive(box, sheet, now) {
  const game = games[sheet.game];
  const store = storeOf(sheet);
  const phase = `floor-phase-${sheet.view.phase}`;
  const list = [...(knows(phase) ? [[t("floor-phase"), t(phase)]] : []), ...game.facts(store)];
  const made = h("div", {}, facts(list), game.centre(store),
    h("ul", { class: "plain live-seats" }, seatsOf(game, store, sheet).map((seat) => seatLine(game, store, sheet, now, seat))),
    lastTrick(game, store), log(game, store, sheet));
  // What stays the same is not drawn anew: the place to which somebody has scrolled is kept.
  if (box.dataset.shown === made.innerHTML) return;
  const scrolled = box.querySelector(".live-log")?.scrollTop ?? 0;
  const focused = box.querySelector(".live-log") === document.activeElement;
  box.dataset.shown = made.innerHTML;
  box.replaceChildren(...made.childNodes);
  const fresh = box.querySelector(".live-log");
  fresh.scrollTop = scrolled;
  if (focused) fresh.focus({ preventScroll: true });
}

/** Every hand, in the order of the game; `seen` holds what each seat may know. */
export function hands(sheet, seen) {
  const game = games[sheet.game];
  const store = storeOf(sheet);
  const hand = (seat, view) => {
    const own = Array.isArray(view.seats) ? view.seats.find((one) => one.seat === seat)?.cards : null;
    if (own) return Array.isArray(own) ? own : cardsOf(own);
    return game.hand({ ...store, view, me: seat }).flat();
  };
  return h("ul", { class: "plain lines" }, Object.entries(seen).filter(([seat]) => seat in sheet.seats)
    .map(([seat, view]) => h("li", { class: "live-hand", "data-hand": seat }, h("strong", {}, store.name(seat)), " ", minis(hand(seat, view)))));
}
