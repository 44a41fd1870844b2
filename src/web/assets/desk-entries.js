// Entries: a pasted list is rehearsed first, row by row; then it is entered as a whole.

import { call, Refused } from "./api.js";
import { flash } from "./app.js";
import { api, blame, howMany, sentence, told } from "./desk.js";
import { sends } from "./forms.js";
import { data, h, lang, t } from "./words.js";

const { event, pairs, known } = data();
const paste = document.getElementById("paste");
const rehearsal = document.getElementById("rehearsal");

/** Words over columns, as spreadsheets have them. */
const HEADS = {
  name: /^(name|姓名|名字|选手|選手|player|姓名1|player ?1)$/i,
  partner: /^(partner|搭档|搭檔|同伴|姓名2|player ?2)$/i,
  level: /^(level|ai|等级|等級|电脑|電腦)$/i,
  id: /^(id|编号|編號)$/i,
  no: /^(no\.?|#|nr\.?|序号|序號|号码|號碼|number)$/i,
};

/** The rows of the list: which line, and what stands in the columns. */
export function rowsOf(text, inPairs) {
  const lines = text.split(/\r?\n/).map((line, place) => ({ line: place + 1, text: line }))
    // A line for spreadsheets, and rows without a word.
    .filter((one) => !/^"?sep=."?\s*$/i.test(one.text) && one.text.replaceAll(/[,;，；"\s]/g, "") !== "");
  // Tabs come from spreadsheets; a comma or semicolon from files. A pair may stand in one cell with a slash.
  const split = (line) => (line.includes("\t") ? line.split("\t") : line.split(/[,;，；]/)).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
  let rows = lines.map((one) => ({ line: one.line, cells: split(one.text) }));
  const named = (rows[0]?.cells ?? []).map((cell) => Object.keys(HEADS).find((name) => HEADS[name].test(cell)) ?? null);
  let columns;
  if (named.includes("name")) {
    columns = named;
    rows = rows.slice(1);
  } else {
    const numbered = rows.length > 0 && rows.every((row) => row.cells.length > 1 && /^\d+[.)、]?$/.test(row.cells[0]));
    columns = [...(numbered ? ["no"] : []), "name", ...(inPairs ? ["partner"] : [])];
  }
  return rows.map(({ line, cells }) => {
    const row = { line, name: "", more: inPairs && !columns.includes(null) ? cells.slice(columns.length).filter(Boolean).join(" ") : "" };
    columns.forEach((name, place) => {
      if (name && name !== "no" && cells[place]) row[name] = cells[place];
    });
    if (inPairs && !row.partner && /[/／&＆]/.test(row.name)) {
      [row.name, row.partner] = row.name.split(/[/／&＆]/, 2).map((part) => part.trim());
    }
    return row;
  });
}

const COLUMNS = ["id", "name", "partner", "level"];

function csv(rows) {
  const used = COLUMNS.filter((name) => name === "name" || rows.some((row) => row[name]));
  const cell = (text) => `"${(text ?? "").replaceAll('"', '""')}"`;
  return [used.join(","), ...rows.map((row) => used.map((name) => cell(row[name])).join(","))].join("\n");
}

/** The API takes lists as CSV. */
async function send(rows, rehearse) {
  const csrf = document.querySelector('meta[name="csrf"]');
  const headers = { Accept: "application/json", "Content-Type": "text/csv; charset=utf-8", "X-CSRF-Token": csrf?.content ?? "" };
  let response;
  try {
    response = await fetch(`${api(event)}/entrants/import?dry_run=${rehearse}&lang=${lang}`, { method: "POST", headers, body: csv(rows), credentials: "same-origin" });
  } catch {
    throw new Refused("offline", t("js-offline"), 0);
  }
  const answer = await response.json();
  if (response.ok) return answer;
  const lines = (answer.faults ?? []).map((fault) => sentence(fault.code, fault.message, "orgjs-row"));
  throw new Refused(answer.code, lines.join("\n") || answer.detail || answer.title, response.status);
}

const full = (row) => (row.partner ? `${row.name} / ${row.partner}` : row.name);

function marks(rows, report) {
  const seen = new Map(known.map((name) => [name, t("orgjs-dup-entered")]));
  return rows.map((row, place) => {
    const notes = report.wrong.filter((note) => note.line === place + 2);
    const twice = seen.get(full(row));
    if (!row.name) return { row, kind: "bad", text: t("orgjs-row-nameless") };
    if (!twice) seen.set(full(row), t("orgjs-dup-line", { line: row.line }));
    if (notes.length > 0) return { row, kind: "bad", text: notes.map((note) => sentence(note.code, note.message, "orgjs-row")).join(" ") };
    if (twice) return { row, kind: "warn", text: twice };
    // Names that are alike, pairs of the same persons.
    const alike = report.flagged.filter((note) => note.line === place + 2 && !["same_name", "encoding"].includes(note.code));
    if (alike.length > 0) return { row, kind: "warn", text: alike.map((note) => note.message).join(" ") };
    if (row.more) return { row, kind: "warn", text: t("orgjs-row-more", { more: row.more }) };
    return { row, kind: "good", text: t("orgjs-row-good") };
  });
}

function chosen() {
  return [...rehearsal.querySelectorAll("input:checked")].map((box) => box.fushiRow);
}

const FIRST = ["bad", "warn", "good"];

function table(marked, count) {
  // What needs a look stands on top.
  const sorted = marked.toSorted((a, b) => FIRST.indexOf(a.kind) - FIRST.indexOf(b.kind));
  const body = sorted.map((mark) => {
    const box = h("input", { type: "checkbox", id: `take-${mark.row.line}`, checked: mark.kind === "good", disabled: mark.kind === "bad", onchange: count });
    box.fushiRow = mark.row;
    return h("tr", { class: mark.kind },
      h("td", {}, box),
      h("td", { class: "number" }, mark.row.line),
      h("th", { scope: "row" }, h("label", { for: `take-${mark.row.line}` }, full(mark.row) || t("orgjs-no-name"))),
      h("td", {}, mark.text));
  });
  const heads = [t("orgjs-col-take"), t("orgjs-col-line"), t("orgjs-col-name"), t("orgjs-col-note")];
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("orgjs-rehearsal") },
    h("table", {}, h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, body)));
}

function show(marked) {
  const number = (kind) => marked.filter((mark) => mark.kind === kind).length;
  const button = h("button", { type: "button", class: "button main", id: "enter" });
  const count = () => {
    const rows = chosen().length;
    button.textContent = t("orgjs-enter", { count: howMany(rows, pairs) });
    button.disabled = rows === 0;
  };
  const fault = document.getElementById("paste-fault");
  button.addEventListener("click", async () => {
    button.disabled = true;
    blame(fault, null);
    try {
      const report = await send(chosen(), false);
      flash(t("orgjs-entered", { count: howMany(report.entries, pairs) }));
      location.reload();
    } catch (error) {
      blame(fault, told(error));
      button.disabled = false;
    }
  });
  const bad = number("bad") + number("warn");
  rehearsal.replaceChildren(
    h("p", { class: bad ? "notice warn" : "notice good" }, t(bad ? "orgjs-checked-bad" : "orgjs-checked-good", { good: howMany(number("good"), pairs), bad: howMany(number("bad"), pairs), twice: howMany(number("warn"), pairs) })),
    table(marked, count),
    h("p", { class: "row" }, button),
  );
  count();
}

document.getElementById("check")?.addEventListener("click", async (clicked) => {
  const fault = document.getElementById("paste-fault");
  blame(fault, null);
  rehearsal.replaceChildren();
  const rows = rowsOf(paste.value, pairs);
  if (rows.length === 0) return blame(fault, t("orgjs-paste-empty"));
  clicked.target.disabled = true;
  try {
    show(marks(rows, await send(rows, true)));
  } catch (error) {
    blame(fault, told(error));
  } finally {
    clicked.target.disabled = false;
  }
});

const single = document.getElementById("single");
if (single) {
  sends(single, async ({ name, partner, level }) => {
    const body = { name: name.trim() };
    if (partner?.trim()) body.partner = partner.trim();
    if (level) body.level = level;
    const entered = await call("POST", `${api(event)}/entrants`, body);
    flash([t("orgjs-entered-one", { name: body.name }), ...(entered.flagged ?? []).map((note) => note.message)].join(" "));
    location.reload();
  });
}

const search = document.getElementById("search");
search?.addEventListener("input", () => {
  const wanted = search.value.trim().toLocaleLowerCase();
  let found = 0;
  for (const row of document.querySelectorAll("#entrants tbody tr")) {
    row.hidden = !row.textContent.toLocaleLowerCase().includes(wanted);
    if (!row.hidden) found += 1;
  }
  document.getElementById("no-match").hidden = found > 0;
});

const dialog = document.getElementById("withdraw");
let leaving = null;
for (const button of document.querySelectorAll("[data-withdraw]")) {
  button.addEventListener("click", () => {
    leaving = button.dataset.withdraw;
    document.getElementById("withdraw-what").textContent = t("orgjs-withdraw-who", { name: button.dataset.name });
    dialog.showModal();
  });
}
dialog?.querySelector("form").addEventListener("submit", async (submitted) => {
  submitted.preventDefault();
  const place = dialog.querySelector('[role="alert"]');
  const reason = submitted.target.elements.reason.value;
  try {
    await call("DELETE", `${api(event)}/entrants/${encodeURIComponent(leaving)}?reason=${encodeURIComponent(reason)}`);
    flash(t("orgjs-withdrawn"));
    location.reload();
  } catch (error) {
    blame(place, told(error));
  }
});
