// Entrants × boards: heat colours with the numbers, a fixed head and first column, the explanation of each cell.

import { call } from "./api.js";
import { explain } from "./explain.js";
import { Pager, findable } from "./pager.js";
import { asked, empty, facts, fill, follow, isRate, legend, marked, marksSaid, nameLink, onFind, page, rulingsOf, scoreText, size, trying, valueText } from "./results.js";
import { seatWord } from "./who.js";
import { h, t } from "./words.js";

const STEPS = 9;
let what = "value";
let table = null;
let pager = null;

/** Where a value lies between the worst and the best, 0 to 8. */
function heat(method, most, value) {
  const share = isRate(method) ? size(value) : 0.5 + size(value) / (2 * most);
  return Math.max(0, Math.min(STEPS - 1, Math.floor(share * STEPS)));
}

const idOf = (column) => (column.seat === null ? column.board : `${column.board}/${column.seat}`);

function cellOf(method, most, cell, row, n) {
  if (!cell) return h("td", { class: "none" });
  const text = marked(valueText(method, cell.rate, true), cell);
  const score = marked(scoreText(cell.score), cell);
  const kind = cell.rate ? `heat${heat(method, most, cell.rate)}` : "none";
  return h("td", {
    class: `heat ${kind}`, "data-cell": `${row}.${n}`, "data-board": cell.board, "data-seat": cell.seat,
    "data-value": text, "data-score": score, "data-rulings": rulingsOf(cell).join(" ") || null, title: [cell.seat && seatWord(cell.seat), scoreText(cell.score), marksSaid(cell)].filter(Boolean).join(" · "),
  }, what === "value" ? text : score);
}

function draw({ method, crosstab }) {
  if (crosstab.columns.length === 0) {
    fill(empty(t("watch-none"), t("watch-none-how")));
    return;
  }
  const most = Math.max(0.001, ...crosstab.rows.flatMap((row) => row.cells.map((cell) => (cell.rate ? Math.abs(size(cell.rate)) : 0))));
  const columns = crosstab.columns;
  const rows = crosstab.rows.map((row, place) => {
    const cells = new Map(row.cells.map((cell) => [columns[0].seat === null ? cell.board : `${cell.board}/${cell.seat}`, cell]));
    const make = () => h("tr", { "data-entrant": row.entrant },
      h("th", { scope: "row" }, h("span", { class: "rank-in" }, row.rank ?? "–"), nameLink(row.entrant)),
      h("td", { class: "number strong" }, valueText(method, row.average)),
      columns.map((column, n) => cellOf(method, most, cells.get(idOf(column)), place, n)));
    return { find: findable(row.entrant), make };
  });
  const heads = columns.map((column) => h("th", { scope: "col", class: "number" },
    h("a", { href: page(`/boards/${column.board}`), "aria-label": t("watch-board-number", { board: column.board }) }, column.seat === null ? column.board : `${column.board} ${seatWord(column.seat)}`)));
  const body = h("tbody", {});
  table = h("table", { class: "sheet crosstab" },
    h("caption", { class: "unseen" }, document.title),
    h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "corner" }, t("watch-name")), h("th", { scope: "col", class: "number" }, facts.methodName), heads)),
    body);
  pager ??= new Pager(body, document.getElementById("pages"), first);
  pager.into(body);
  pager.text = wanted();
  pager.show(rows);
  table.addEventListener("click", (event) => open(event.target.closest("[data-cell]")));
  table.addEventListener("keydown", keys);
  fill(h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": document.title }, table), legend());
}

/** The keyboard comes to the first cell that is shown. */
function first() {
  table.querySelector("[data-cell]")?.setAttribute("tabindex", "0");
}

function open(cell) {
  if (!cell) return;
  focus(cell);
  explain(cell.dataset.board, cell.dataset.seat, cell.closest("tr").dataset.entrant, cell.dataset.rulings?.split(" "));
}

function focus(cell) {
  table.querySelector('[tabindex="0"]')?.removeAttribute("tabindex");
  cell.setAttribute("tabindex", "0");
  cell.focus();
}

/** One cell at a time is in the order of the keyboard; arrows go to its neighbours. */
function keys(event) {
  const cell = event.target.closest("[data-cell]");
  if (!cell) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    open(cell);
    return;
  }
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
  if (!step) return;
  event.preventDefault();
  let [row, column] = cell.dataset.cell.split(".").map(Number);
  for (let tries = 0; tries < 600; tries += 1) {
    row += step[0];
    column += step[1];
    const next = table.querySelector(`[data-cell="${row}.${column}"]`);
    if (next) {
      focus(next);
      return;
    }
  }
}

const wanted = onFind((text) => pager?.narrow(text));

for (const button of document.querySelectorAll("[data-shown]")) {
  button.addEventListener("click", () => {
    what = button.dataset.shown;
    for (const other of document.querySelectorAll("[data-shown]")) other.setAttribute("aria-pressed", String(other === button));
    for (const cell of document.querySelectorAll("[data-cell]")) cell.textContent = cell.dataset[what];
  });
}

let counted = null;

/** Reads the table, and keeps what was looked at in place. */
async function read() {
  const sheet = await call("GET", asked("views/cross-tab"));
  const [box, focused] = [document.querySelector(".scroll"), document.activeElement?.dataset?.cell];
  const at = box ? [box.scrollLeft, box.scrollTop] : null;
  draw(sheet);
  if (at) [document.querySelector(".scroll").scrollLeft, document.querySelector(".scroll").scrollTop] = at;
  if (focused) table.querySelector(`[data-cell="${focused}"]`)?.focus({ preventScroll: true });
}

trying(async () => {
  await read();
  if (facts.state !== "locked") return;
  // While the event is played the table follows, board by board; it is large, so not more often than it changes.
  follow(({ boards, complete }) => {
    const now = `${boards.length}/${complete}`;
    if (counted !== null && counted !== now && !document.querySelector("dialog[open]")) trying(read);
    counted = now;
  }, () => {});
});
