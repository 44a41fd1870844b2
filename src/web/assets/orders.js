// The forms of a referee's orders: what is missing in one, what it says, and the second press that grave ones need.

import { blame } from "./desk.js";

/** The two lines of an order in which it says what is wrong and what was done. */
export const lines = (form) => [form.querySelector('[role="alert"]'), form.querySelector('[role="status"]')];

/** An order begins anew: no reason of another table or another order is left in it. */
export function clear(form) {
  form.reset();
  for (const line of lines(form)) blame(line, null);
}

/** What is missing before an order can be given: a sentence and the field; null where nothing is. */
export function missing(form) {
  const { entrant, code, reason, seconds } = form.elements;
  if (entrant && entrant.value === "") return ["floor-who-missing", entrant];
  if (code && code.value === "") return ["floor-code-missing", code];
  if (seconds && !(Number(seconds.value) >= 1 && Number(seconds.value) <= 3600)) return ["orgjs-give-seconds", seconds];
  return reason.value.trim() === "" ? ["floor-reason-missing", reason] : null;
}

/** What is grave needs a second press within ten seconds, and says why. */
const pressed = new Map();
export function armed(what, fault, text) {
  const before = pressed.get(what);
  if (before && performance.now() - before < 10_000) {
    pressed.delete(what);
    return true;
  }
  pressed.set(what, performance.now());
  blame(fault, text);
  return false;
}
