// The story of a board in a line: the server tells facts, this gives them words. It computes nothing.

import { seatWord } from "./who.js";
import { h, number, t } from "./words.js";

const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };

const suit = (letter) => (letter in SUITS ? h("span", { class: `suit-${letter.toLowerCase()}` }, SUITS[letter]) : t("play-no-trump"));

const VALUES = {
  seat: (seat) => (seat === null ? "–" : seatWord(seat)),
  seats: (seats) => (seats.length === 0 ? "–" : seats.map(seatWord).join(t("watch-comma"))),
  number: (value) => number(value),
  amounts: (list) => (list.length === 0 ? "–" : list.map((one) => number(one)).join(" + ")),
  side: (side) => t(`watch-side-${side}`),
  trump: suit,
  rank: (rank) => (rank === "T" ? "10" : rank),
  street: (street) => t(`play-street-${street}`),
};

const NUMBERS = new Set(["number", "amounts"]);

const kindOf = (fact) => Object.keys(fact).find((key) => key !== "fact");

/** The value of a fact; a factor is written as one. */
function value(fact) {
  const kind = kindOf(fact);
  if (fact.fact === "multiplier") return fact[kind] === 0 ? "–" : `×${number(fact[kind])}`;
  return VALUES[kind](fact[kind]);
}

/** Which facts some stories tell, in reading order. */
export function columnsOf(stories) {
  const columns = new Map();
  for (const story of stories) for (const fact of story) if (!columns.has(fact.fact)) columns.set(fact.fact, NUMBERS.has(kindOf(fact)) ? "number" : "");
  return [...columns];
}

/** The heads of these columns. */
export const heads = (columns) => columns.map(([name, kind]) => h("th", { scope: "col", class: `fact ${kind}` }, t(`watch-fact-${name}`)));

/** The cells of a story; empty where it does not tell something. */
export const cells = (columns, story) => columns.map(([name, kind]) => {
  const fact = story.find((one) => one.fact === name);
  return h("td", { class: `fact ${kind}`, "data-label": t(`watch-fact-${name}`), "data-fact": name }, fact ? value(fact) : "–");
});
