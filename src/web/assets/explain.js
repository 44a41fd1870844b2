// The explanation of a number, from the server, in a dialog.

import { Refused } from "./api.js";
import { api, facts, nameOf, place } from "./results.js";
import { seatWord } from "./who.js";
import { h, lang, t } from "./words.js";

/** Shows how a result came about. */
export async function explain(board, seat, entrant) {
  const dialog = place("explain");
  const at = place("explain-text");
  const name = nameOf(entrant);
  at.replaceChildren(h("p", { class: "muted" }, `${name} · ${t("watch-board-number", { board })} · ${t("watch-seat")} ${seatWord(seat)}`));
  if (!dialog.open) dialog.showModal();
  const query = new URLSearchParams({ format: "text", board, seat, entrant, lang });
  try {
    const response = await fetch(`${api("views/explain")}?${query}`, { credentials: "same-origin" });
    if (!response.ok) throw new Refused("unexpected", (await response.json()).detail ?? t("js-unexpected"), response.status);
    const lines = (await response.text()).split("\n").map((line) => line.trim()).filter(Boolean);
    // The first line says what is explained.
    at.replaceChildren(...lines.map((line, n) => h("p", { class: n === 0 ? "muted" : false }, spoken(line))));
  } catch (error) {
    at.append(h("p", { class: "notice bad" }, error instanceof Refused ? error.message : t("js-offline")));
  }
}

/** Ids of entrants as names. */
function spoken(line) {
  return line.replace(/[\p{L}\p{N}_-]+/gu, (word) => (Object.hasOwn(facts.names, word) ? facts.names[word] : word));
}

