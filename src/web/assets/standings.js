// The standings: they come over server-sent events; arrows say how places have moved since the last board.

import { empty, facts, fill, follow, nameLink, nameOf, onFind, place } from "./results.js";
import { arrow, shown } from "./places.js";
import { h, number, t } from "./words.js";

const KEY = `fushi.places.${facts.event}`;
let latest = null;

/** Places before the last board that was counted, kept over a reload of this tab. */
function before(sheet) {
  let kept = null;
  try {
    kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
  } catch {
    kept = null;
  }
  const boards = sheet.boards.join(",");
  const now = Object.fromEntries(sheet.standings.map((line, n) => [line.entrant, n]));
  if (kept?.boards !== boards) {
    kept = { boards, now, was: kept && kept.boards !== "" ? kept.now : {} };
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  }
  return kept.was;
}

/** A step of the order of ties in words. */
const step = (word) => (word ? t(`watch-step-${word}`) : "");

function row(was, tied, line, n) {
  return h("tr", { "data-name": nameOf(line.entrant).toLocaleLowerCase() },
    h("td", { class: "number rank" }, line.rank ?? "–", arrow(was, line, n)),
    h("th", { scope: "row" }, nameLink(line.entrant)),
    h("td", { class: "number strong" }, shown(line)),
    h("td", { class: "number" }, number(line.boards)),
    tied ? h("td", { class: "aside" }, line.decided_by === "average" ? "" : step(line.decided_by)) : null,
    h("td", { class: "aside" }, line.rulings.map((one) => number(one)).join(", ")));
}

function draw() {
  const sheet = latest;
  place("counted").replaceChildren(
    facts.state === "locked" ? h("span", { class: "live-dot", id: "live" }, t("watch-live")) : "",
    sheet.complete ? t("watch-complete") : t("watch-counted", { boards: number(sheet.boards.length) }));
  if (sheet.boards.length === 0) {
    fill(empty(t("watch-none"), t("watch-none-how")));
    return;
  }
  const was = before(sheet);
  const tied = sheet.standings.some((line) => line.decided_by && line.decided_by !== "average");
  const rulings = sheet.standings.some((line) => line.rulings.length > 0);
  const head = ["rank", "name", "average", "boards", ...(tied ? ["decided"] : []), "rulings"];
  const numbers = ["rank", "average", "boards"];
  fill(h("table", { class: `sheet standings ${rulings ? "" : "no-rulings"}` },
    h("caption", { class: "unseen" }, document.title),
    h("thead", {}, h("tr", {}, head.map((word) => h("th", { scope: "col", class: numbers.includes(word) ? "number" : ["decided", "rulings"].includes(word) ? "aside" : "" }, word === "average" ? facts.method : t(`watch-${word}`))))),
    h("tbody", {}, sheet.standings.map((line, n) => row(was, tied, line, n)))));
  narrow(wanted());
}

function narrow(text) {
  const rows = [...document.querySelectorAll("#sheet tbody tr")];
  let left = 0;
  for (const one of rows) {
    one.hidden = !one.dataset.name.includes(text);
    if (!one.hidden) left += 1;
  }
  place("nobody")?.remove();
  if (rows.length > 0 && left === 0) place("sheet").append(h("p", { class: "muted", id: "nobody", role: "status" }, t("watch-nobody")));
}

const wanted = onFind(narrow);
follow((sheet) => {
  latest = sheet;
  draw();
}, (on) => {
  const mark = place("live");
  if (!mark) return;
  mark.classList.toggle("gone", !on);
  mark.textContent = on ? t("watch-live") : t("watch-again");
});
