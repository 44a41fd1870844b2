// A ruling in words, and the figures before and after: the same on the desk's page, in the public notice, on paper.

import { fraction } from "./exact.js";
import { scoreText, valueText } from "./results.js";
import { h, number, t } from "./words.js";

/** So many lines of a table are shown. */
const SHOWN = 40;

/** A share as percent. */
const percent = (text) => {
  const [num, den] = fraction(text).map(Number);
  return `${number(Math.round((num / den) * 10_000) / 100)} %`;
};

const statusWord = (status) => t(`rulings-status-${status.replace("A+", "a-plus").replace("A-", "a-minus").replace("A", "a")}`);

/** A decision in words; `nameOf` says who an entrant is. */
export function said(decision, nameOf) {
  const [kind, what] = Object.entries(decision)[0];
  const about = { board: what.board, name: what.entrant ? nameOf(what.entrant) : "" };
  if (kind === "score") return t("rulings-said-score", { ...about, score: scoreText(what.score) });
  if (kind === "status") return t("rulings-said-status", { ...about, status: statusWord(what.status) });
  if (kind === "weighted") {
    const parts = what.outcomes.map((one) => `${percent(one.weight)} ${scoreText(one.score)}`);
    return t("rulings-said-weighted", { ...about, outcomes: parts.join(t("rulings-and")) });
  }
  if (kind === "penalty") {
    const share = what.amount["of-top"];
    return share === undefined ? t("rulings-said-points", { ...about, points: what.amount.points }) : t("rulings-said-share", { ...about, share: percent(share) });
  }
  if (kind === "void") return t("rulings-said-void", about);
  if (kind === "standing") return t("rulings-said-standing", { ...about, standing: t(`rulings-standing-${what.standing}`) });
  return t("rulings-said-withdraw", { number: what.ruling });
}

const AWARDS = new Set(["A+", "A", "A-"]);

/** The raw score of a published result, or what stands in its place. */
function scoreOf(line) {
  if (!line) return "–";
  if (AWARDS.has(line.status)) return line.status.replace("-", "−");
  return line.value === null ? t("watch-not-counted") : scoreText(line.score);
}

const value = (method, text) => (text === null || text === undefined ? "–" : valueText(method, fraction(text)));
const rankOf = (line) => line?.rank ?? t("rulings-no-place");
const arrow = (before, after) => (before === after ? [before] : [h("span", { class: "muted" }, before), " → ", h("strong", {}, after)]);

function table(level, caption, heads, rows) {
  const more = rows.length - SHOWN;
  return [
    h(level, {}, caption),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
      h("table", { class: "changes-table" }, h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
        h("tbody", {}, rows.slice(0, SHOWN).map(([head, ...cells]) => h("tr", {}, h("th", { scope: "row" }, head), cells.map((cell) => h("td", {}, cell))))))),
    ...(more > 0 ? [h("p", { class: "muted" }, t("rulings-more", { count: number(more) }))] : []),
  ];
}

/** What differs, results first, then places: as parts of a page. `level` and `heads` are those of their headings. */
export function differences(changes, { method, methodName, nameOf, level = "h3", heads = "rulings-radius" }) {
  const results = changes.filter((one) => one.board !== null);
  const lines = changes.filter((one) => one.board === null);
  const parts = [];
  if (results.length > 0) {
    // One board alone is named by the decision already.
    const several = new Set(results.map((one) => one.board)).size > 1;
    const some = (cells) => cells.filter((_, at) => several || at !== 1);
    parts.push(...table(level, t(`${heads}-results`, { count: number(results.length) }), some([t("watch-name"), t("watch-board"), t("watch-score"), t("watch-value")]),
      results.map((one) => some([nameOf(one.entrant), String(one.board),
        arrow(scoreOf(one.before), scoreOf(one.after)), arrow(value(method, one.before?.value), value(method, one.after?.value))]))));
  }
  if (lines.length > 0) {
    parts.push(...table(level, t(`${heads}-lines`, { count: number(lines.length) }), [t("watch-name"), t("watch-rank"), methodName],
      lines.map((one) => [nameOf(one.entrant), arrow(rankOf(one.before), rankOf(one.after)), arrow(value(method, one.before?.average), value(method, one.after?.average))])));
  }
  return parts;
}
