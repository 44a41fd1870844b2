// The boards of an event, and the traveller of one: what happened with the same cards at every table.

import { call } from "./api.js";
import { bars } from "./chart.js";
import { dealOf } from "./deal.js";
import { explain } from "./explain.js";
import { Pager, findable } from "./pager.js";
import { api, asked, empty, facts, fill, legend, markedLinks, marksSaid, nameLink, nameOf, onFind, page, place, rulingsOf, scoreText, trying, valueText } from "./results.js";
import { scrollsByItself } from "./scroll.js";
import { cells, columnsOf, heads } from "./story.js";
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

const replayLink = (board, seat, table) => h("a", { class: "button quiet small", href: page(`/boards/${board}/tables/${table}?from=${seat}`), "aria-label": t("watch-replay-of", { table }) }, t("watch-replay"));

/** What can be done with one result. */
const ways = (board, seat, result) => h("td", { class: "do" },
  result.table ? replayLink(board, seat, result.table) : null,
  h("button", { class: "button quiet small", type: "button", onclick: () => explain(board, seat, result.entrant, rulingsOf(result)) }, t("watch-explain")));

const scoreCells = (method, result) => [
  h("td", { class: "number strong", "data-label": t("watch-score") }, scoreText(result.score)),
  h("td", { class: "number", "data-label": t("watch-value") }, markedLinks(valueText(method, result.rate), result)),
];

/** One result in a line. */
const alone = (method, board, seat, columns, { results: [result], story }) => [h("tr", { title: marksSaid(result) },
  h("th", { scope: "row" }, nameLink(result.entrant)),
  h("td", { class: "number count" }, number(1)),
  scoreCells(method, result), cells(columns, story), ways(board, seat, result))];

/** So many names stand in the line of several results. */
const NAMED = 3;

/** Several results with the same score and story in a line that unfolds; the replay is that of the first of their tables. */
function together(method, board, seat, columns, { results, story }, open) {
  const [first] = results;
  const member = (result) => h("tr", { class: "member" },
    h("th", { scope: "row", colspan: String(4 + columns.length) }, nameLink(result.entrant)), ways(board, seat, result));
  let members = open ? results.map(member) : [];
  const names = results.slice(0, NAMED).map(({ entrant }) => nameOf(entrant)).join(t("watch-comma"));
  const more = results.length - NAMED;
  const button = h("button", { class: "button quiet small", type: "button", onclick: toggle });
  const line = h("tr", { class: "same", title: t("watch-tables-same", { count: number(results.length) }) },
    h("th", { scope: "row" }, h("span", { class: "who-names" }, names, more > 0 ? t("watch-and-more", { count: more }) : "")),
    h("td", { class: "number count" }, number(results.length)),
    scoreCells(method, first), cells(columns, story),
    h("td", { class: "do" }, first.table ? replayLink(board, seat, first.table) : null, button));
  function say() {
    button.setAttribute("aria-expanded", String(members.length > 0));
    button.textContent = t(members.length > 0 ? "watch-tables-hide" : "watch-tables-show", { count: number(results.length) });
  }
  function toggle() {
    if (members.length > 0) {
      for (const one of members) one.remove();
      members = [];
    } else {
      members = results.map(member);
      line.after(...members);
    }
    say();
  }
  say();
  return [line, ...members];
}

/** Results with the same score, value, marks and story together, best first. */
function grouped(results, storyOf) {
  const order = results.slice().sort((a, b) => (b.score ?? -Infinity) - (a.score ?? -Infinity));
  const groups = new Map();
  for (const result of order) {
    const story = storyOf(result.table);
    const same = JSON.stringify([result.score, result.rate, marksSaid(result), rulingsOf(result), story]);
    if (!groups.has(same)) groups.set(same, { results: [], story });
    groups.get(same).results.push(result);
  }
  return [...groups.values()];
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

const pagers = [];

/** One seat of the traveller. */
function seatOf(method, board, storyOf, columns, { seat, results, frequencies }) {
  const nav = h("nav", { class: "pages", "aria-label": t("watch-group", { seat: position(seat) }), hidden: true });
  const body = h("tbody", {});
  const pager = new Pager(body, nav);
  pagers.push(pager);
  pager.show(grouped(results, storyOf).map((group) => ({
    find: findable(...group.results.map(({ entrant }) => entrant)),
    make: (found) => (group.results.length === 1 ? alone(method, board, seat, columns, group) : together(method, board, seat, columns, group, found)),
  })));
  return h("section", { class: "traveller" },
    h("h3", {}, t("watch-group", { seat: position(seat) })),
    h("div", { class: "traveller-body" },
      h("div", {}, h("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": t("watch-group", { seat: position(seat) }) },
        h("table", { class: "sheet stories" },
          h("caption", { class: "unseen" }, t("watch-group", { seat: position(seat) })),
          h("thead", {}, h("tr", {},
            h("th", { scope: "col" }, t("watch-name")), h("th", { scope: "col", class: "number" }, t("watch-count")),
            h("th", { scope: "col", class: "number" }, t("watch-score")), h("th", { scope: "col", class: "number" }, t("watch-value")),
            heads(columns), h("th", { class: "do" }))),
          body)), nav),
      h("div", { class: "bars-box" }, bars(frequencies, t("watch-bars", { seat: position(seat) })))));
}

function draw(sheet, { method, traveller }, { lines }) {
  const stories = new Map(lines.flatMap(({ tables, story }) => tables.map((table) => [String(table), story])));
  const storyOf = (table) => stories.get(String(table)) ?? [];
  const columns = columnsOf(lines.map(({ story }) => story));
  const parts = traveller.seats.map((seat) => seatOf(method, traveller.board, storyOf, columns, seat));
  fill(traveller.void ? h("p", { class: "notice warn" }, t("watch-void"), " ", h("a", { href: page(`/rulings?board=${traveller.board}`) }, t("watch-to-rulings"))) : null, dealOf(sheet), ...parts, legend());
  onFind((text) => pagers.forEach((pager) => pager.narrow(text)));
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
    const [sheet, traveller, told] = await Promise.all([
      call("GET", `${api(`boards/${facts.board}`)}?journals=false`),
      call("GET", asked(`views/traveller?board=${facts.board}`)),
      facts.huge ? null : call("GET", api(`boards/${facts.board}/stories`)),
    ]);
    (facts.huge ? huge : draw)(sheet, traveller, told);
  } else {
    document.querySelector(".bar")?.setAttribute("hidden", "");
    fill(empty(t("watch-sealed"), t("watch-sealed-how")));
  }
});
