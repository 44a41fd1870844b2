// The standings: they come over server-sent events; arrows say how far places have moved since the last board.

import { Pager, findable } from "./pager.js";
import { empty, facts, fill, follow, nameLink, onFind, page, place } from "./results.js";
import { arrow, shown } from "./places.js";
import { h, number, t } from "./words.js";

let latest = null;
let pager = null;

/** A step of the order of ties in words. */
const step = (word) => (word ? t(`watch-step-${word}`) : "");

function row(tied, line) {
  return h("tr", {},
    h("td", { class: "number rank" }, line.rank ?? "–", arrow(line)),
    h("th", { scope: "row" }, nameLink(line.entrant), line.stood_in > 0 ? h("span", { class: "tag stood-in" }, t("watch-stood-in", { boards: number(line.stood_in) })) : null),
    h("td", { class: "number strong" }, shown(line)),
    h("td", { class: "number" }, number(line.boards)),
    tied ? h("td", { class: "aside" }, line.decided_by === "average" ? "" : step(line.decided_by)) : null,
    h("td", { class: "aside" }, line.rulings.map((one) => h("a", { class: "ruling-link", href: page(`/rulings#ruling-${one}`), "aria-label": t("watch-ruling-of", { number: one }) }, number(one)))));
}

/** A table of a stage or group: the columns are those of its ranking. */
function stageTable(stage) {
  const numbers = stage.columns.map((name) => h("th", { scope: "col", class: "number" }, t(`watch-column-${name}`)));
  const direct = (one) => (one.encounters ?? []).map((met) => h("a", { href: page(`/boards?round=${met.round}`) }, t("watch-met", { round: met.round, one: number(met.points[0]), other: number(met.points[1]) })));
  const line = (one) => h("tr", {},
    h("td", { class: "number rank" }, one.rank ?? "–"),
    h("th", { scope: "row" }, nameLink(one.entrant)),
    one.values.map((value) => h("td", { class: "number" }, value)),
    h("td", { class: "aside" }, step(one.decided_by), " ", direct(one)));
  const title = stage.group ? t("watch-stage-group", { stage: number(stage.stage), group: stage.group }) : t("watch-stage", { stage: number(stage.stage) });
  return h("section", { class: "stage" }, h("h3", {}, title),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title },
      h("table", { class: "sheet standings" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "number" }, t("watch-rank")), h("th", { scope: "col" }, t("watch-name")), numbers, h("th", { scope: "col", class: "aside" }, t("watch-decided")))),
        h("tbody", {}, stage.rows.map(line)))));
}

/** Whether the ranking of the event is that of its stages and groups. */
const inStages = (sheet) => sheet.stages.length > 1 || sheet.stages.some((stage) => stage.group);

function draw() {
  const sheet = latest;
  place("counted").replaceChildren(
    facts.state === "locked" ? h("span", { class: "live-dot", id: "live" }, t("watch-live")) : "",
    sheet.complete ? t("watch-complete") : t("watch-counted", { boards: number(sheet.boards.length) }));
  if (inStages(sheet)) {
    fill(h("div", { class: "stages" }, sheet.stages.map(stageTable).reverse()));
    return;
  }
  if (sheet.boards.length === 0) {
    fill(empty(t("watch-none"), t("watch-none-how")));
    return;
  }
  const tied = sheet.standings.some((line) => line.decided_by && line.decided_by !== "average");
  const rulings = sheet.standings.some((line) => line.rulings.length > 0);
  const head = ["rank", "name", "average", "boards", ...(tied ? ["decided"] : []), "rulings"];
  const numbers = ["rank", "average", "boards"];
  const body = h("tbody", {});
  fill(h("table", { class: `sheet standings ${rulings ? "" : "no-rulings"}` },
    h("caption", { class: "unseen" }, document.title),
    h("thead", {}, h("tr", {}, head.map((word) => h("th", { scope: "col", class: numbers.includes(word) ? "number" : ["decided", "rulings"].includes(word) ? "aside" : "" }, word === "average" ? facts.methodName : t(`watch-${word}`))))),
    body));
  pager ??= new Pager(body, place("pages"));
  pager.into(body);
  pager.text = wanted();
  pager.show(sheet.standings.map((line) => ({ find: findable(line.entrant), make: () => row(tied, line) })));
}

const wanted = onFind((text) => pager?.narrow(text));
follow((sheet) => {
  latest = sheet;
  draw();
}, (on) => {
  const mark = place("live");
  if (!mark) return;
  mark.classList.toggle("gone", !on);
  mark.textContent = on ? t("watch-live") : t("watch-again");
});
