// How a line of the standings has moved, and its result.

import { facts } from "./results.js";
import { h, number, t } from "./words.js";

/** How many places an entrant has moved since the last board that was counted, as the server says. */
export function arrow({ moved }) {
  if (!moved) return null;
  const [places, up] = [Math.abs(moved), moved > 0];
  return h("span", { class: `move ${up ? "up" : "down"}` },
    h("span", { "aria-hidden": "true" }, `${up ? "▲" : "▼"}${number(places)}`),
    h("span", { class: "unseen" }, t(up ? "watch-up" : "watch-down", { places: number(places) })));
}

/** The average as text. */
export const shown = (line) => (line.shown === null ? "–" : line.shown.replace("-", "−") + (facts.rate ? " %" : ""));
