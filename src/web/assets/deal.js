// The deal of a finished board: every hand as it was dealt, in the order of its game.

import { cardsOf, minis } from "./cards.js";
import { byStrength } from "./wakeng.js";
import { SEATS, byWeight } from "./tuolaji.js";
import { seatWord } from "./who.js";
import { h, t } from "./words.js";

/** Each seat draws a card in turn, the banker first; what is left is the bottom. */
function drawn({ banker, level, deal }) {
  const cards = cardsOf(deal.draw);
  const all = 100;
  const sorted = (hand) => hand.sort(byWeight({ level, trump: null }));
  const hands = SEATS.map((seat, n) => [seat, sorted(cards.filter((_, at) => at < all && (SEATS.indexOf(banker) + at) % 4 === n))]);
  return { hands, table: sorted(cards.slice(all)), word: "play-bottom" };
}

/** Three hands and the bottom. */
function dealt({ deal }, rules) {
  const { bottom, ...seats } = deal;
  const sorted = (text) => cardsOf(text).sort(byStrength(rules));
  return { hands: Object.entries(seats).map(([seat, text]) => [seat, sorted(text)]), table: sorted(bottom), word: "play-bottom" };
}

/** Two cards each, and the five on the board. */
const held = ({ deal }) => ({ hands: Object.entries(deal.holes).map(([seat, text]) => [seat, cardsOf(text)]), table: cardsOf(deal.board), word: "watch-board-cards" });

const GAMES = { wakeng: dealt, tuolaji: drawn, holdem: held };

/** The deal as a list: seat by seat, then what lay on the table; with a heading of a level. */
export function dealOf({ deal, rules }, level = "h3") {
  const { hands, table, word } = GAMES[deal.game](deal, rules);
  const line = (name, cards) => h("div", { class: "dealt" }, h("dt", {}, name), h("dd", {}, minis(cards)));
  return h("section", { class: "deal", "aria-labelledby": "deal-title" },
    h(level, { id: "deal-title" }, t("watch-deal")),
    h("dl", { class: deal.game }, hands.map(([seat, cards]) => line(t("watch-deal-seat", { seat: seatWord(seat) }), cards)), line(t(word), table)));
}
