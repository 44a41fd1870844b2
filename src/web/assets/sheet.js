// The result sheet to be signed: the ranking of exactly the publication whose fingerprint stands on it.

import { call } from "./api.js";
import { asked, facts, fill, nameOf, trying } from "./results.js";
import { shown } from "./places.js";
import { h, lang, number, t } from "./words.js";

for (const time of document.querySelectorAll("time[data-us]")) {
  const at = new Date(Number(time.dataset.us) / 1000);
  time.textContent = at.toLocaleString(lang, { dateStyle: "long", timeStyle: "short" });
}

function draw(sheet) {
  const tied = sheet.standings.some((line) => line.decided_by && line.decided_by !== "average");
  const ruled = sheet.standings.some((line) => line.rulings.length > 0);
  const heads = ["rank", "name", "average", "boards", ...(tied ? ["decided"] : []), ...(ruled ? ["rulings"] : [])];
  const numbers = new Set(["rank", "average", "boards"]);
  fill(h("table", { class: "sheet final-sheet" },
    h("caption", { class: "unseen" }, document.title),
    h("thead", {}, h("tr", {}, heads.map((word) => h("th", { scope: "col", class: numbers.has(word) ? "number" : false }, word === "average" ? facts.methodName : t(`watch-${word}`))))),
    h("tbody", {}, sheet.standings.map((line) => h("tr", {},
      h("td", { class: "number" }, line.rank ?? "–"),
      h("th", { scope: "row" }, nameOf(line.entrant)),
      h("td", { class: "number strong" }, shown(line)),
      h("td", { class: "number" }, number(line.boards)),
      tied ? h("td", {}, line.decided_by && line.decided_by !== "average" ? t(`watch-step-${line.decided_by}`) : "") : null,
      ruled ? h("td", {}, line.rulings.join(", ")) : null)))));
}

trying(async () => {
  const sheet = await call("GET", asked("standings"));
  // Published again in the meantime: the fingerprint would be another's.
  if (sheet.revision !== facts.revision) location.reload();
  else draw(sheet);
});
