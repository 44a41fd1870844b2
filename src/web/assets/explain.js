// The explanation of a number, from the server, in a dialog.

import { Refused } from "./api.js";
import { asked, facts, nameOf, page, place } from "./results.js";
import { namesSaid, seatWord } from "./who.js";
import { h, lang, t } from "./words.js";

/** Shows how a result came about, with links to the rulings that it rests on. */
export async function explain(board, seat, entrant, rulings = []) {
  const dialog = place("explain");
  const at = place("explain-text");
  const name = nameOf(entrant);
  at.replaceChildren(h("p", { class: "muted" }, `${name} · ${t("watch-board-number", { board })} · ${t("watch-seat")} ${seatWord(seat)}`));
  if (!dialog.open) dialog.showModal();
  const query = new URLSearchParams({ format: "text", board, seat, entrant, lang });
  try {
    const response = await fetch(asked(`views/explain?${query}`), { credentials: "same-origin" });
    if (!response.ok) throw new Refused("unexpected", (await response.json()).detail ?? t("js-unexpected"), response.status);
    const lines = (await response.text()).split("\n").map((line) => line.trim()).filter(Boolean);
    // The first line says what is explained.
    at.replaceChildren(...lines.map((line, n) => h("p", { class: n === 0 ? "muted" : false }, namesSaid(line, facts.names))),
      ...(rulings.length === 0 ? [] : [h("p", { class: "row" }, rulings.map((one) => h("a", { class: "button quiet small", href: page(`/rulings#ruling-${one}`) }, t("watch-ruling-of", { number: one }))))]));
  } catch (error) {
    at.append(h("p", { class: "notice bad" }, error instanceof Refused ? error.message : t("js-offline")));
  }
}
