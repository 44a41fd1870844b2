// Hold'em as a page shows it: board, stacks, bets, and the place where an amount is set. Bounds come from the server.

import { cardsOf, minis, namesOf, slot, back, nameOf } from "./cards.js";
import { h, number, signed, t } from "./words.js";

const seatsOf = ({ view }) => view.seats.map((one) => one.seat);

/** Everybody else in playing order, beginning behind the own seat. */
function others(me, store) {
  const all = seatsOf(store);
  const at = all.indexOf(me);
  return [...all.slice(at + 1), ...all.slice(0, at)];
}

const seatOf = ({ view }, seat) => view.seats.find((one) => one.seat === seat);

const listed = (cards) => (Array.isArray(cards) ? cards : cardsOf(cards));

/** Two cards that nobody chooses from: they lie in front of the own seat. */
const hand = () => [];

function before(store, seat) {
  const one = seatOf(store, seat);
  if (!one) return null;
  const parts = [];
  if (seat === store.me) {
    if (one.cards) parts.push(h("span", { class: "own-cards" }, minis(listed(one.cards))));
  } else {
    if (one.cards) parts.push(minis(listed(one.cards)));
    else if (one.state !== "folded") parts.push(h("span", { class: "minis", "aria-hidden": "true" }, back(), back()));
  }
  if (one.put > 0) parts.push(h("span", { class: "put" }, number(one.put)));
  if (one.state === "folded") parts.push(h("span", { class: "said muted" }, t("play-folded")));
  if (one.state === "all-in") parts.push(h("span", { class: "said" }, t("play-all-in")));
  return h("span", { class: "stake" }, parts);
}

function marks(store, seat) {
  const { view } = store;
  const found = [];
  if (view.button === seat) found.push({ text: t("play-button"), kind: "strong" });
  if (view.sb === seat) found.push({ text: t("play-small-blind") });
  if (view.bb === seat) found.push({ text: t("play-big-blind") });
  return found;
}

const held = () => null;

function facts(store) {
  const { view } = store;
  const list = [[t("play-street"), t(`play-street-${view.street}`)]];
  list.push([t("play-blinds"), `${number(view.blinds[0])} / ${number(view.blinds[1])}`]);
  if (view.ante[1] > 0) list.push([t("play-ante"), number(view.ante[1])]);
  if (view.bet > 0) list.push([t("play-to-call"), number(view.bet)]);
  return list;
}

function centre(store) {
  const { view } = store;
  const board = listed(view.board);
  const cards = [0, 1, 2, 3, 4].map((place) => (board[place] ? minis([board[place]]) : slot()));
  const parts = [h("div", { class: "board", role: "img", "aria-label": board.length ? t("play-board-cards", { cards: namesOf(board) }) : t("play-board-empty") }, cards)];
  if (view.outcome) {
    for (const [place, pot] of view.outcome.pots.entries()) {
      const name = place === 0 ? t("play-pot") : t("play-side-pot", { number: place });
      const winners = Object.entries(pot.shares).map(([seat, chips]) => `${store.name(seat)} ${number(chips)}`);
      parts.push(h("p", { class: "pot" }, h("span", { class: "muted" }, name), " ", h("strong", {}, number(pot.amount)), winners.length ? ` → ${winners.join(t("play-comma"))}` : ""));
    }
  } else if (view.pot !== null) {
    parts.push(h("p", { class: "pot" }, h("span", { class: "muted" }, t("play-pot")), " ", h("strong", {}, number(view.pot))));
  }
  return h("div", { class: "middle" }, parts);
}

/** Which word an amount is set with: the server's list says it. */
function verbOf(store) {
  const { view, legal } = store;
  if (legal?.some((text) => text.startsWith("raise "))) return "raise";
  if (legal?.some((text) => text.startsWith("bet "))) return "bet";
  return view.bet > 0 ? "raise" : "bet";
}

function choices(store) {
  const { view, legal } = store;
  if (!legal) return [];
  const call = view.choice?.call ?? 0;
  const list = [];
  if (legal.includes("fold")) list.push({ act: "fold", text: t("play-fold"), key: "f", quiet: true });
  if (legal.includes("check")) list.push({ act: "check", text: t("play-check"), key: "c" });
  if (legal.includes("call")) list.push({ act: "call", text: t("play-call-amount", { chips: number(call) }), key: "c" });
  if (legal.includes("all-in")) {
    const own = seatOf(store, store.me);
    list.push({ act: "all-in", text: t("play-all-in-amount", { chips: number(own.stack) }), key: "a", danger: true, sure: true });
  }
  return list;
}

/** The bounds of an amount and the usual ones within; null where none can be set. */
function amounts(store) {
  const { view, legal } = store;
  const { min, max, call } = view.choice ?? {};
  if (!legal || view.turn !== store.me || min === null || min === undefined) return null;
  const own = seatOf(store, store.me);
  const pot = view.pot ?? 0;
  const round = (value) => Math.max(min, Math.min(max, Math.round(value / view.unit) * view.unit));
  const part = (share) => round(own.put + call + share * (pot + call));
  const named = [
    [t("play-preset-min"), min],
    [t("play-preset-half"), part(0.5)],
    [t("play-preset-three"), part(0.75)],
    [t("play-preset-pot"), part(1)],
    [t("play-preset-max"), max],
  ];
  return { min, max, unit: view.unit, presets: named, verb: verbOf(store) };
}

function prompt(store) {
  const call = store.view.choice?.call ?? 0;
  return call > 0 ? t("play-ask-call-chips", { chips: number(call) }) : t("play-ask-check");
}

function said(store, what) {
  const who = store.name(what.seat);
  const [verb, amount] = what.do.split(" ");
  const chips = amount ? number(Number(amount)) : "";
  return t(`play-log-${verb}`, { who, chips });
}

function result(store) {
  const { view } = store;
  const lines = [];
  const board = listed(view.board);
  if (board.length > 0) lines.push(h("span", {}, t("play-board-title"), " ", minis(board)));
  for (const seat of view.outcome?.shown ?? []) {
    const one = seatOf(store, seat);
    if (one?.cards) lines.push(h("span", {}, store.name(seat), " ", minis(listed(one.cards))));
  }
  return lines;
}

export default {
  seats: seatsOf,
  others,
  hand,
  before,
  lastTrick: () => null,
  marks,
  openHand: () => null,
  held,
  stack: (store, seat) => seatOf(store, seat)?.stack ?? null,
  facts,
  choices,
  amounts,
  prompt,
  playing: () => null,
  said,
  result,
  score: signed,
  centre,
  turn: ({ view }) => (view.turn ? [view.turn] : []),
  named: nameOf,
};
