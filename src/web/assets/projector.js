// The standings for a projector: huge, live, scrolling by themselves.

import { empty, facts, fill, follow, nameOf, place } from "./results.js";
import { arrow, shown } from "./places.js";
import { scrollsByItself } from "./scroll.js";
import { h, number, t } from "./words.js";

let was = {};
let known = null;

function draw(sheet) {
  const boards = sheet.boards.join(",");
  if (known && known.boards !== boards) was = known.now;
  known = { boards, now: Object.fromEntries(sheet.standings.map((line, n) => [line.entrant, n])) };
  place("counted").textContent = sheet.complete ? t("watch-complete") : t("watch-counted", { boards: number(sheet.boards.length) });
  if (sheet.boards.length === 0) {
    fill(empty(t("watch-none"), t("watch-none-how")));
    return;
  }
  fill(h("table", { class: "huge" }, h("caption", { class: "unseen" }, document.title),
    h("thead", { class: "unseen" }, h("tr", {}, [t("watch-rank"), t("watch-name"), facts.method].map((word) => h("th", { scope: "col" }, word)))),
    h("tbody", {}, sheet.standings.map((line, n) => h("tr", {},
      h("td", { class: "number rank" }, line.rank ?? "–"),
      h("th", { scope: "row" }, nameOf(line.entrant), " ", arrow(was, line, n)),
      h("td", { class: "number" }, shown(line)))))));
}

follow(draw, (on) => {
  if (!on) place("counted").textContent = t("watch-again");
});
scrollsByItself(place("sheet"));
