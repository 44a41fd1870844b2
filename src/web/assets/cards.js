// Cards: reading, naming, drawing. A card is suit then rank, `H4`, `ST`; the jokers are `sj` and `bj`.

import { h, t } from "./words.js";

export const RANKS = "23456789TJQKA";
const STARS = { sj: "☆", bj: "★" };
const SYMBOLS = { S: "♠", H: "♥", D: "♦", C: "♣" };

/** The cards of a list separated by blanks. */
export const cardsOf = (text) => (text ? text.split(" ").filter(Boolean) : []);

export const isJoker = (card) => card === "sj" || card === "bj";
export const suitOf = (card) => (isJoker(card) ? "" : card[0]);
export const rankOf = (card) => (isJoker(card) ? "" : card[1]);

/** A rank as people write it. */
export const rankText = (rank) => (rank === "T" ? "10" : rank);

/** A suit as a symbol, with its name for those who hear it. */
export const suitText = (suit) => SYMBOLS[suit] ?? t("play-no-trump");

/** The name of a card for ears. */
export function nameOf(card) {
  if (card === "sj") return t("play-small-joker");
  if (card === "bj") return t("play-big-joker");
  return t("play-card", { suit: t(`play-suit-${card[0].toLowerCase()}`), rank: rankText(card[1]) });
}

/** The names of cards, for ears. */
export const namesOf = (cards) => cards.map(nameOf).join(t("play-comma"));

/** Cards in short, for eyes. */
export const shortOf = (cards) =>
  cards.map((card) => (isJoker(card) ? STARS[card] : SYMBOLS[card[0]] + rankText(card[1]))).join(" ");

/** A sentence in which cards are written as in records, with cards as people write them. */
export const readable = (text) =>
  text.replace(/\b(?:[SHDC][2-9TJQKA]|sj|bj)\b/g, (card) => (isJoker(card) ? t(`play-${card}`) : shortOf([card])));

/** What is on the face of a card. */
export function face(card) {
  if (isJoker(card)) {
    return [h("span", { class: "star" }, STARS[card]), h("span", { class: "joker" }, t(`play-${card}`))];
  }
  return [
    h("span", { class: "rank" }, rankText(card[1])),
    h("span", { class: "suit" }, SYMBOLS[card[0]]),
  ];
}

/** The class that colours a card. */
export const colour = (card) => (isJoker(card) ? `suit-${card}` : `suit-${card[0].toLowerCase()}`);

/** A small card that only shows. */
export function mini(card, extra = "") {
  return h("span", { class: `mini ${colour(card)} ${extra}` }, face(card));
}

/** Small cards in a row, which is read out as one. */
export function minis(cards, extra = "") {
  const row = cards.map((card) => mini(card, extra));
  return h("span", { class: "minis", role: "img", "aria-label": namesOf(cards) }, row);
}

/** A place without a card. */
export const slot = () => h("span", { class: "mini empty-slot" });

/** A card with its back up. */
export const back = () => h("span", { class: "mini back" });

/** How many of each card there are. */
export function counted(cards) {
  const counts = new Map();
  for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1);
  return counts;
}

/** Whether the cards of `part` are all in `whole`, doubles counted. */
export function within(part, whole) {
  const counts = counted(whole);
  for (const card of part) {
    const left = counts.get(card) ?? 0;
    if (left === 0) return false;
    counts.set(card, left - 1);
  }
  return true;
}

/** Whether two lists hold the same cards in any order. */
export const same = (a, b) => a.length === b.length && within(a, b);

/** The legal plays among actions with this verb, as lists of cards. */
export function playsOf(legal, verb = "play") {
  const begin = `${verb} `;
  return legal.filter((text) => text.startsWith(begin)).map((text) => cardsOf(text.slice(begin.length)));
}
