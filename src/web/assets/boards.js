// The boards of an event, and the traveller of one: what happened with the same cards at every table.

import { call } from "./api.js";
import { bars } from "./chart.js";
import { dealOf } from "./deal.js";
import { explain } from "./explain.js";
import { api, asked, empty, facts, fill, marked, marksSaid, nameLink, nameOf, page, place, scoreText, trying, valueText } from "./results.js";
import { scrollsByItself } from "./scroll.js";
import { position } from "./who.js";
import { h, number, t } from "./words.js";

/** So many names of the best stand on the projector. */
const BEST = 4;

function list(items) {
  const cards = items.map(({ board, state, over, tables }) => {
    const inner = [
      h("span", { class: "board-number" }, t("watch-board-number", { board })),
      h("span", { class: `board-state ${state}` }, t(`watch-state-${state}`)),
      state === "open" ? h("span", { class: "muted" }, t("watch-tables-over", { over: number(over), tables: number(tables) })) : null,
    ];
    return h("li", {}, state === "finished" ? h("a", { class: "board-card", href: page(`/boards/${board}`) }, inner) : h("span", { class: "board-card shut" }, inner));
  });
  fill(h("ul", { class: "plain board-cards" }, cards));
}

function line(method, board, seat, result) {
  return h("tr", { title: marksSaid(result) },
    h("th", { scope: "row" }, nameLink(result.entrant)),
    h("td", { class: "number strong" }, scoreText(result.score)),
    h("td", { class: "number" }, marked(valueText(method, result.rate), result)),
    h("td", { class: "do" },
      result.table ? h("a", { class: "button quiet small", href: page(`/boards/${board}/tables/${result.table}?from=${seat}`), "aria-label": t("watch-replay-of", { table: result.table }) }, t("watch-replay")) : null,
      h("button", { class: "button quiet small", type: "button", onclick: () => explain(board, seat, result.entrant) }, t("watch-explain"))));
}

/** For the projector: the deal, and for every seat who did best and how often each score occurred. */
function huge(sheet, { traveller }) {
  const seat = ({ seat: name, results, frequencies }) => {
    const best = Math.max(...results.map(({ score }) => score ?? -Infinity));
    const names = results.filter(({ score }) => score === best).map(({ entrant }) => nameOf(entrant));
    const more = names.length - BEST;
    return h("section", {}, h("h2", {}, t("watch-group", { seat: position(name) })),
      Number.isFinite(best) ? h("p", { class: "day-best" }, h("strong", {}, scoreText(best)), " ", names.slice(0, BEST).join(t("watch-comma")), more > 0 ? t("watch-and-more", { count: more }) : "") : null,
      bars(frequencies, t("watch-bars", { seat: position(name) })));
  };
  fill(traveller.void ? h("p", { class: "notice warn" }, t("watch-void")) : null, dealOf(sheet, "h2"), h("div", { class: "day-bars" }, traveller.seats.map(seat)));
}

function draw(sheet, { method, traveller }) {
  const order = (results) => results.slice().sort((a, b) => (b.score ?? -Infinity) - (a.score ?? -Infinity));
  const parts = traveller.seats.map(({ seat, results, frequencies }) => h("section", { class: "traveller" },
    h("h3", {}, t("watch-group", { seat: position(seat) })),
    h("div", { class: "traveller-body" },
      h("table", { class: "sheet" },
        h("caption", { class: "unseen" }, t("watch-group", { seat: position(seat) })),
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("watch-name")), h("th", { scope: "col", class: "number" }, t("watch-score")), h("th", { scope: "col", class: "number" }, t("watch-value")), h("th", { class: "do" }))),
        h("tbody", {}, order(results).map((result) => line(method, traveller.board, seat, result)))),
      h("div", { class: "bars-box" }, bars(frequencies, t("watch-bars", { seat: position(seat) }))))));
  fill(traveller.void ? h("p", { class: "notice warn" }, t("watch-void")) : null, dealOf(sheet), ...parts, h("p", { class: "table-note" }, t("watch-legend")));
}

function neighbours(items) {
  const at = items.findIndex(({ board }) => board === facts.board);
  const link = (item, text) => (item?.state === "finished" ? h("a", { class: "button quiet small", href: page(`/boards/${item.board}`) }, text) : null);
  place("neighbours").replaceChildren(...[
    link(items[at - 1], `← ${t("watch-board-number", { board: items[at - 1]?.board })}`),
    link(items[at + 1], `${t("watch-board-number", { board: items[at + 1]?.board })} →`),
  ].filter(Boolean));
}

trying(async () => {
  const { items } = await call("GET", api("boards"));
  if (facts.board === undefined) {
    list(items);
    return;
  }
  if (facts.huge) scrollsByItself(place("sheet"));
  else neighbours(items);
  // Nothing is asked for that would be refused.
  if (items.find(({ board }) => board === facts.board)?.state === "finished") {
    const [sheet, traveller] = await Promise.all([
      call("GET", `${api(`boards/${facts.board}`)}?journals=false`),
      call("GET", asked(`views/traveller?board=${facts.board}`)),
    ]);
    (facts.huge ? huge : draw)(sheet, traveller);
  } else {
    document.querySelector(".bar")?.setAttribute("hidden", "");
    fill(empty(t("watch-sealed"), t("watch-sealed-how")));
  }
});
