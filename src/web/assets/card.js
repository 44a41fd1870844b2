// The card of an entrant: every board with value, distribution, explanation, replay.

import { call } from "./api.js";
import { columns, spark } from "./chart.js";
import { explain } from "./explain.js";
import { api, empty, facts, fill, isRate, marked, marksSaid, page, place, scoreText, trying, valueText } from "./results.js";
import { seatWord } from "./who.js";
import { h, number, t } from "./words.js";

function line(method, result) {
  const { board, seat, table } = result;
  return h("tr", { title: marksSaid(result) },
    h("th", { scope: "row" }, h("a", { href: page(`/boards/${board}`), "aria-label": t("watch-board-number", { board }) }, board)),
    h("td", {}, seatWord(seat)),
    h("td", { class: "number" }, scoreText(result.score)),
    h("td", { class: "number strong" }, marked(valueText(method, result.rate), result)),
    h("td", { class: "spread" }, result.frequencies.length > 0 ? spark(result.frequencies, result.score) : null),
    h("td", { class: "do" },
      table ? h("a", { class: "button quiet small", href: page(`/boards/${board}/tables/${table}?from=${seat}`), "aria-label": `${t("watch-board-number", { board })}: ${t("watch-replay")}` }, t("watch-replay")) : null,
      h("button", { class: "button quiet small", type: "button", "aria-label": t("watch-explain-of", { board }), onclick: () => explain(board, seat, facts.entrant) }, t("watch-explain"))));
}

function draw({ method, card }) {
  const average = valueText(method, card.average);
  place("place").textContent = card.rank === null ? t("watch-no-place-line", { boards: number(card.boards) }) : t("watch-place-line", { rank: card.rank, average, boards: number(card.boards) });
  if (card.results.length === 0) {
    fill(empty(t("watch-none"), t("watch-none-how")));
    return;
  }
  const text = (result) => marked(valueText(method, result.rate), result);
  const heads = [["watch-board", ""], ["watch-seat", ""], ["watch-score", "number"], ["watch-value", "number"], ["watch-spread", "spread"]];
  fill(
    h("div", { class: "columns-box", tabindex: "0", role: "region", "aria-label": t("watch-values") }, columns(card.results, isRate(method) ? 0.5 : 0, t("watch-values"), text)),
    h("table", { class: "sheet card-sheet" },
      h("caption", { class: "unseen" }, document.title),
      h("thead", {}, h("tr", {}, heads.map(([word, kind]) => h("th", { scope: "col", class: kind }, t(word))), h("th", { class: "do" }))),
      h("tbody", {}, card.results.map((result) => line(method, result)))),
    h("p", { class: "table-note" }, t("watch-legend")));
}

trying(async () => {
  // Before the first board there is no card to ask for.
  const { boards } = await call("GET", api("standings"));
  if (boards.length === 0) fill(empty(t("watch-none"), t("watch-none-how")));
  else draw(await call("GET", `${api("views/card")}?${new URLSearchParams({ entrant: facts.entrant })}`));
});
