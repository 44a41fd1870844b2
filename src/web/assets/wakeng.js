// Wakeng (挖坑) as a page shows it: order of the hand, what the seats have played, facts, choices, sentences. Everything
// comes from the view of the server; whether an action is legal, too.

import { RANKS, cardsOf, minis, namesOf, playsOf, rankOf, shortOf } from "./cards.js";
import { h, number, signed, t } from "./words.js";

const SEATS = ["A", "B", "C"];
const SUITS = "SHDC";

/** How strong a rank is: the ranks rise in a circle from the weakest one. */
const strength = (rules, rank) => (RANKS.indexOf(rank) - RANKS.indexOf(rules.weakest) + 13) % 13;

/** The strongest first. */
export function byStrength(rules) {
  return (a, b) =>
    strength(rules, rankOf(b)) - strength(rules, rankOf(a)) || SUITS.indexOf(a[0]) - SUITS.indexOf(b[0]);
}

/** Everybody else, the next to play last: who sits to the left comes first. */
const others = (me) => [2, 1].map((step) => SEATS[(SEATS.indexOf(me) + step) % 3]);

function hand({ view, seated }) {
  return [cardsOf(view.hand).sort(byStrength(seated.rules))];
}

/** The play of a seat in a trick. */
function shownOf(played) {
  if (!played) return null;
  if (played[1] === "pass") return h("span", { class: "said" }, t("play-passed"));
  return minis(cardsOf(played[1]));
}

/** What a seat has in front of it now. */
function before(store, seat) {
  const { view } = store;
  if (view.phase === "bid" || (view.phase === "over" && view.tricks.length === 0)) {
    const bid = view.bids.find(([who]) => who === seat);
    if (bid) return h("span", { class: "said" }, bid[1] === 0 ? t("play-no-bid") : t("play-bid-of", { points: bid[1] }));
    return null;
  }
  if (view.phase !== "play" && view.phase !== "over") {
    if (view.waiting.includes(seat)) return h("span", { class: "said muted" }, t("play-choosing"));
    if (seat === store.me && view.choice !== null) {
      const what = view.phase === "double" ? "double" : "show";
      return h("span", { class: "said" }, t(`play-${what}-${view.choice ? "yes" : "no"}`));
    }
    return null;
  }
  const trick = shownTrick(view);
  const last = trick.filter(([who]) => who === seat).at(-1);
  if (!last) return null;
  const old = trick !== view.tricks.at(-1) && view.phase !== "over";
  const beat = !old && store.ahead === seat ? "won" : "";
  return h("span", { class: `played ${old ? "old" : ""} ${beat}` }, shownOf(last));
}

/** The present trick. */
const current = (view) => view.tricks.at(-1) ?? [];

/** The trick to look at: a finished one stays until the next lead. */
function shownTrick(view) {
  const trick = current(view);
  return trick.length === 0 ? (view.tricks.at(-2) ?? []) : trick;
}

function lastTrick({ view }) {
  const trick = view.tricks.at(-2);
  if (!trick || trick.length === 0) return null;
  return trick.map(([seat, cards]) => ({ seat, shown: shownOf([seat, cards]) }));
}

function marks(store, seat) {
  const { view } = store;
  const place = SEATS.indexOf(seat);
  const found = [];
  if (view.banker === seat) found.push({ text: t("play-banker"), kind: "strong" });
  if (view.first === seat && view.phase === "bid") found.push({ text: t("play-first-speaker") });
  if (view.doubled?.[place]) found.push({ text: t("play-doubled") });
  if (view.shown[place] !== null) found.push({ text: t("play-shown") });
  const trick = view.phase === "play" ? current(view) : [];
  if (trick[0]?.[0] === seat) found.push({ text: t("play-led"), kind: "led" });
  if (trick.length > 0 && store.ahead === seat) found.push({ text: t("play-to-beat"), kind: "beat" });
  if (view.out === seat) found.push({ text: t("play-out"), kind: "strong" });
  return found;
}

/** The open hand of a seat, if it is shown. */
function openHand(store, seat) {
  const cards = store.view.shown[SEATS.indexOf(seat)];
  if (cards === null || cards === undefined || seat === store.me) return null;
  return cardsOf(cards).sort(byStrength(store.seated.rules));
}

const held = (store, seat) => store.view.counts[SEATS.indexOf(seat)];

/** What the own seat wins or loses as the board stands, from the factors that the server names; `times` multiplies the bid. */
function atStake({ view, me }) {
  const { factors } = view.outcome;
  if (!factors || view.phase === "over") return null;
  const doubles = me === view.banker ? Object.values(factors.double) : [factors.double[me]];
  const common = factors.unit * factors.bomb * factors.show;
  const points = doubles.reduce((sum, double) => sum + view.bid * common * double, 0);
  const equal = doubles.every((double) => double === doubles[0]);
  return { points, times: equal ? common * doubles[0] : 1 };
}

function facts(store) {
  const { view, seated } = store;
  const list = [];
  if (view.banker) list.push([t("play-banker"), store.name(view.banker)]);
  list.push([t("play-bid"), view.bid === 0 ? "–" : t("play-points", { points: view.bid })]);
  if (view.bottom !== null) list.push([t("play-bottom"), minis(cardsOf(view.bottom).sort(byStrength(seated.rules)))]);
  if (view.bombs > 0) list.push([t("play-bombs"), number(view.bombs)]);
  const stake = atStake(store);
  if (stake) list.push([t("play-at-stake"), h("span", { class: "at-stake" }, `±${number(stake.points)}`, stake.times > 1 ? h("span", { class: "muted" }, ` (×${number(stake.times)})`) : null)]);
  return list;
}

/** What one may do besides playing cards: buttons with the text of the action. */
function choices(store) {
  const { view, legal, seated } = store;
  if (!legal) return [];
  // What raises the stake says how much and is never the highlighted choice.
  const { show_factor: shown, double_factor: doubled } = seated.rules;
  const has = (text) => legal.includes(text);
  switch (view.phase) {
    case "bid":
      return [0, 1, 2, 3].map((points) => ({
        act: `bid ${points}`,
        text: points === 0 ? t("play-no-bid") : t("play-points", { points }),
        key: String(points),
        off: !has(`bid ${points}`),
        quiet: points > 0,
        times: points,
      }));
    case "show":
    case "banker-show":
      return [
        { act: "show no", text: t("play-show-no"), key: "n", off: !has("show no") },
        { act: "show yes", text: t("play-show-yes"), key: "y", off: !has("show yes"), quiet: true, times: shown },
      ];
    case "double":
      return [
        { act: "double no", text: t("play-double-no"), key: "n", off: !has("double no") },
        { act: "double yes", text: t("play-double-yes"), key: "y", off: !has("double yes"), quiet: true, times: doubled },
      ];
    default:
      return [];
  }
}

function prompt(store) {
  const { view } = store;
  switch (view.phase) {
    case "bid":
      return t("play-ask-bid");
    case "show":
    case "banker-show":
      return t("play-ask-show");
    case "double":
      return t("play-ask-double");
    default:
      if (current(view).length === 0) return t("play-ask-lead");
      return store.legal?.length === 1 && store.legal[0] === "pass" ? t("play-ask-pass") : t("play-ask-follow");
  }
}

/** How cards are chosen and played now; null where nothing is played. */
function playing(store) {
  if (store.view.phase !== "play") return null;
  const plays = playsOf(store.legal ?? []);
  const pattern = (cards) => cards.map(rankOf).sort().join("");
  return {
    verb: "play",
    plays,
    text: t("play-play"),
    pass: store.legal?.includes("pass") ?? false,
    canPass: current(store.view).length > 0,
    // Suits do not matter: one hint for each set of ranks.
    pattern,
    kind: rankOf,
  };
}

/** A line of the journal as a sentence. */
function said(store, what, names) {
  const who = store.name(what.seat);
  const [verb, ...rest] = what.do.split(" ");
  const cards = rest;
  switch (verb) {
    case "bid":
      return rest[0] === "0" ? t("play-log-no-bid", { who }) : t("play-log-bid", { who, points: rest[0] });
    case "show":
      return rest[0] === "yes" ? t("play-log-shows", { who }) : t("play-log-shows-not", { who });
    case "double":
      return rest[0] === "yes" ? t("play-log-doubles", { who }) : t("play-log-doubles-not", { who });
    case "pass":
      return t("play-log-passes", { who });
    default:
      return t("play-log-plays", { who, cards: names ? namesOf(cards) : shortOf(cards) });
  }
}

function result(store) {
  const { view } = store;
  const outcome = view.outcome ?? {};
  const lines = [];
  if (outcome.winner) lines.push(outcome.winner === "banker" ? t("play-banker-won") : t("play-defence-won"));
  if (view.banker) lines.push(t("play-result-bid", { who: store.name(view.banker), points: view.bid }));
  if (view.bombs > 0) lines.push(t("play-result-bombs", { bombs: view.bombs }));
  return lines;
}

export default {
  seats: () => SEATS,
  others,
  hand,
  before,
  lastTrick,
  marks,
  openHand,
  held,
  facts,
  choices,
  prompt,
  playing,
  said,
  result,
  score: signed,
  centre: () => null,
  turn: (store) => store.view.waiting,
};
