// Tuolaji (拖拉机) as a page shows it. The page shows the present trick and the last one, as at a table where nobody looks
// through played tricks.

import { RANKS, cardsOf, isJoker, minis, namesOf, playsOf, rankOf, rankText, shortOf, suitOf, suitText } from "./cards.js";
import { h, number, signed, t } from "./words.js";

/** The seats in the order of drawing and playing. */
export const SEATS = ["E", "N", "W", "S"];
const SUITS = ["S", "H", "C", "D"];

const after = (seat, step) => SEATS[(SEATS.indexOf(seat) + step) % 4];

/** The others from the left: who played before, the partner, who plays next. */
const others = (me) => [3, 2, 1].map((step) => after(me, step));

const isTrump = (view, card) => isJoker(card) || rankOf(card) === view.level || suitOf(card) === view.trump;

/** Within the trumps: jokers, the level card of the trump suit, the other level cards, the suit. */
function weight(view, card) {
  if (card === "bj") return 60;
  if (card === "sj") return 50;
  if (rankOf(card) === view.level) return suitOf(card) === view.trump ? 40 : 30 - SUITS.indexOf(suitOf(card));
  return RANKS.indexOf(rankOf(card));
}

/** The heaviest first; before a trump suit is fixed `trump` is null. */
export const byWeight = (view) => (a, b) =>
  weight(view, b) - weight(view, a) || SUITS.indexOf(suitOf(a)) - SUITS.indexOf(suitOf(b));

/** The hand in groups: trumps first, then suits, colours in turn. Before the trump is fixed jokers and level cards. */
function hand({ view }) {
  const cards = cardsOf(view.hand).sort(byWeight(view));
  const groups = [cards.filter((card) => isTrump(view, card))];
  for (const suit of SUITS) {
    if (suit !== view.trump) groups.push(cards.filter((card) => suitOf(card) === suit && !isTrump(view, card)));
  }
  return groups.filter((group) => group.length > 0);
}

const trumpText = (trump) => (trump === "NT" ? t("play-no-trump") : suitText(trump));

function playOf(trick, seat) {
  const place = (SEATS.indexOf(seat) - SEATS.indexOf(trick.leader) + 4) % 4;
  return trick.plays[place] === undefined ? null : cardsOf(trick.plays[place]);
}

/** The trick to look at: a finished one stays until the next card, as at a table. */
function current(view) {
  return view.trick.plays.length === 0 && view.last_trick ? view.last_trick : view.trick;
}

function before(store, seat) {
  const { view } = store;
  if (["draw", "window"].includes(view.phase)) {
    const call = view.calls.filter((one) => one.seat === seat).at(-1);
    return call ? minis(cardsOf(call.cards)) : null;
  }
  if (view.phase === "lay-away") {
    return seat === view.banker ? h("span", { class: "said muted" }, t("play-laying-away")) : null;
  }
  const trick = current(view);
  const cards = playOf(trick, seat);
  if (!cards) return null;
  const old = trick !== view.trick ? "old" : "";
  return h("span", { class: `played ${old} ${(old ? trick.winner : store.ahead) === seat ? "won" : ""}` }, minis(cards));
}

function lastTrick({ view }) {
  const trick = view.last_trick;
  if (!trick) return null;
  return [0, 1, 2, 3].map((step) => {
    const seat = after(trick.leader, step);
    return { seat, shown: minis(cardsOf(trick.plays[step] ?? "")), won: trick.winner === seat };
  });
}

function marks(store, seat) {
  const { view } = store;
  const found = [];
  if (view.banker === seat) found.push({ text: t("play-banker"), kind: "strong" });
  if (after(seat, 2) === store.me) found.push({ text: t("play-partner") });
  const call = view.calls.at(-1);
  if (call?.seat === seat && view.phase !== "over") found.push({ text: t("play-called", { trump: trumpText(call.trump) }) });
  if (view.phase === "play" && view.trick.plays.length > 0) {
    if (view.trick.leader === seat) found.push({ text: t("play-led"), kind: "led" });
    if (store.ahead === seat) found.push({ text: t("play-to-beat"), kind: "beat" });
  }
  if (view.last_trick?.winner === seat && view.trick.plays.length === 0) found.push({ text: t("play-won-trick") });
  return found;
}

const held = (store, seat) => store.view.cards_left[SEATS.indexOf(seat)];

function facts(store) {
  const { view } = store;
  const call = view.calls.at(-1);
  const list = [[t("play-level"), rankText(view.level)]];
  const trump = view.trump ?? call?.trump;
  const shown = trump ? trumpText(trump) : "–";
  const mark = trump && trump !== "NT" ? `suit-${trump.toLowerCase()}` : "";
  list.push([t("play-trump"), h("span", { class: `trump ${mark}` }, view.trump ? shown : trump ? `${shown} ?` : "–")]);
  list.push([t("play-banker"), store.name(view.banker)]);
  list.push([t("play-defenders-points"), number(view.small)]);
  if (view.trick.points > 0) list.push([t("play-points-in-trick"), number(view.trick.points)]);
  if (["draw", "window"].includes(view.phase)) list.push([t("play-drawn"), `${view.drawn} / 100`]);
  if (view.flipped.length > 0) list.push([t("play-turned-up"), minis(cardsOf(view.flipped.join(" ")))]);
  if (view.bottom) list.push([t("play-bottom"), minis(cardsOf(view.bottom).sort(byWeight(view)))]);
  return list;
}

/** What a call is of, in words. */
function callText(cards) {
  const pair = cards.length > 1;
  if (isJoker(cards[0])) return t("play-call-no-trump");
  return t(pair ? "play-call-pair" : "play-call-suit", { suit: suitText(suitOf(cards[0])) });
}

function choices(store) {
  const { view, legal } = store;
  if (!legal) return [];
  if (view.phase === "choose") {
    return legal.map((act, place) => {
      const kind = act.split(" ")[1];
      return { act, text: t(`play-kind-${kind}`), key: String(place + 1) };
    });
  }
  return playsOf(legal, "call").map((cards, place) => ({
    act: `call ${cards.join(" ")}`,
    text: callText(cards),
    said: t("play-call-said", { cards: namesOf(cards) }),
    key: place < 9 ? `${place + 1}` : undefined,
    drawn: true,
    quiet: true,
  }));
}

function prompt(store) {
  const { view } = store;
  switch (view.phase) {
    case "draw":
    case "window":
      return t("play-ask-call");
    case "lay-away":
      return t("play-ask-lay-away");
    case "choose":
      return t("play-ask-kind");
    default:
      return view.trick.plays.length === 0 ? t("play-ask-lead") : t("play-ask-follow-suit");
  }
}

function playing(store) {
  const { view } = store;
  const pattern = (cards) => cards.join(" ");
  const kind = (card) => card;
  if (view.phase === "lay-away") {
    return { verb: "lay-away", plays: playsOf(store.legal ?? [], "lay-away"), text: t("play-lay-away"), count: 8, pattern, kind };
  }
  if (view.phase !== "play") return null;
  const lead = view.trick.plays[0];
  const count = lead === undefined ? undefined : cardsOf(lead).length;
  return { verb: "play", plays: playsOf(store.legal ?? []), text: t("play-play"), count, pattern, kind };
}

function said(store, what, names) {
  const who = store.name(what.seat);
  const [verb, ...cards] = what.do.split(" ");
  const shown = names ? namesOf : shortOf;
  switch (verb) {
    case "call":
      return t("play-log-calls", { who, cards: shown(cards) });
    case "lay-away":
      return [t("play-log-lays-away", { who }), shown(cards)].join(" ");
    case "choose":
      return t("play-log-chooses", { who, kind: t(`play-kind-${cards[0]}`) });
    default:
      return t("play-log-plays", { who, cards: shown(cards) });
  }
}

/** The time for calls is announced: while cards are drawn what it will be, then how much is left. */
function callWindow({ view, seated, clock }) {
  // A replay has no time.
  if (!clock) return null;
  if (view.phase === "draw") {
    const vars = { level: rankText(view.level), seconds: seated.rules.call_window_s };
    return h("p", { class: "call-window" }, t("play-window-draw", vars));
  }
  return h("p", { class: "call-window open" }, t("play-window-open"), " ", h("span", { class: "clock", "data-clock": view.waiting[0], hidden: true, role: "timer", "aria-label": t("play-clock") },
    h("span", { class: "digits" }, "0:00"), h("span", { class: "bar", "aria-hidden": "true" })));
}

/** The time for calls; a failed throw, which stays in sight as long as its trick does. */
function centre(store) {
  if (["draw", "window"].includes(store.view.phase)) return callWindow(store);
  const { attempt } = store.view.trick;
  if (!attempt?.cards) return null;
  return h("p", { class: "attempt" }, t("play-throw-failed", { who: store.name(attempt.seat) }), " ", minis(cardsOf(attempt.cards)));
}

function result(store) {
  const { view } = store;
  return [
    t("play-result-points", { points: view.small }),
    t("play-result-banker", { who: store.name(view.banker), level: rankText(view.level) }),
  ];
}

/** What may be looked up: as at a table, plays of this trick and the last one only. */
function remembered({ view }, lines) {
  let plays = view.trick.plays.length + (view.last_trick?.plays.length ?? 0);
  return lines
    .slice()
    .reverse()
    .filter(({ what }) => !what.do?.startsWith("play ") || plays-- > 0)
    .reverse();
}

export default {
  remembered,
  // The clock of the calls stands in the middle, once for all.
  still: ({ view }) => ["draw", "window"].includes(view.phase),
  // What is hidden of a board is the bottom that is laid away.
  hidden: (store, what) => t("play-log-lays-away", { who: store.name(what.seat) }),
  seats: () => SEATS,
  others,
  hand,
  before,
  lastTrick,
  marks,
  openHand: () => null,
  held,
  facts,
  choices,
  prompt,
  playing,
  said,
  result,
  score: signed,
  centre,
  turn: (store) => (["draw", "window"].includes(store.view.phase) ? [] : store.view.waiting),
};
