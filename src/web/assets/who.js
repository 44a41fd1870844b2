// Who somebody at a table is: an entrant's name, a stand-in by its number, a computer player by its level.

import { knows, t } from "./words.js";

const LEVEL = /^(?:wakeng|tuolaji|holdem)-(random|1|2)$/;
const levels = { random: "who-level-random", 1: "who-level-1", 2: "who-level-2" };

/** A level of computer players in words; one that is not ours stays as it is. */
function levelName(level) {
  const known = LEVEL.exec(level);
  return known ? t(levels[known[1]]) : level;
}

/** A seat, or both of a pair, as it stands beside a table: compass seats have words, others stay as they are. */
export function seatWord(seat) {
  const key = `who-seat-${String(seat).toLowerCase()}`;
  return knows(key) ? t(key) : seat;
}

/** A seat as what a sentence is about. */
export function position(seat) {
  const word = seatWord(seat);
  if (word !== seat) return word;
  return t(/^\d+$/.test(seat) ? "who-position-number" : "who-position", { seat });
}

/** What somebody at a live table is called. */
export const seatName = ({ name, kind }) => (kind === "ai" ? levelName(name) : name);

/** One person of an entrant: of a pair, the name of one of both. */
export const personOf = (name, member) => name.split(" / ")[member] ?? name;

/** The name of an id that has one. */
export const called = (id, names) => (Object.hasOwn(names, id) ? names[id] : id);

/** An occupant as journals and results write it (an entrant's id, `stand-in:1`, `ai:LEVEL`) in words. */
export function whoName(who, names) {
  if (Object.hasOwn(names, who)) return names[who];
  const at = who.indexOf(":");
  const rest = who.slice(at + 1);
  if (who.startsWith("stand-in:")) return t("who-stand-in", { number: rest });
  return who.startsWith("ai:") ? levelName(rest) : who;
}
