// Entries: a pasted list is rehearsed first, row by row; then it is entered as a whole.

import { call, Refused } from "./api.js";
import { flash } from "./app.js";
import { api, blame, howMany, sentence, told } from "./desk.js";
import { MEANINGS, columnsOf, entriesOf, headingOf, linesOf, numbersTaken } from "./desk-list.js";
import { fault as blameForm, sends } from "./forms.js";
import { data, h, lang, t } from "./words.js";

const { event, pairs, known } = data();
const paste = document.getElementById("paste");
const rehearsal = document.getElementById("rehearsal");
const pasteFault = document.getElementById("paste-fault");

/** How the list is read: whether its first row is a heading, and what its columns are. */
let reading = null;


function csv(rows) {
  const used = MEANINGS.filter((name) => name === "name" || rows.some((row) => row[name]));
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
  const seen = new Map(known.map(({ name }) => [name, t("orgjs-dup-entered")]));
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

/** The rows that are ticked, in the order of the sheet: so everybody gets the number of the own place on it. */
function chosen() {
  const rows = [...rehearsal.querySelectorAll("tbody input:checked")].map((box) => box.fushiRow);
  return rows.toSorted((a, b) => a.line - b.line);
}

const FIRST = ["bad", "warn", "good"];
const origin = (row) => [row.club, row.region].filter(Boolean).join(" · ");

function table(marked, count) {
  // What needs a look stands on top.
  const sorted = marked.toSorted((a, b) => FIRST.indexOf(a.kind) - FIRST.indexOf(b.kind));
  const [numbers, origins] = [marked.some((mark) => mark.row.number), marked.some((mark) => origin(mark.row))];
  const body = sorted.map((mark) => {
    const box = h("input", { type: "checkbox", id: `take-${mark.row.line}`, checked: mark.kind === "good", disabled: mark.kind === "bad", onchange: count });
    box.fushiRow = mark.row;
    return h("tr", { class: mark.kind },
      h("td", {}, box),
      h("td", { class: "number" }, mark.row.line),
      numbers ? h("td", { class: "number" }, mark.row.number ?? "") : null,
      h("th", { scope: "row" }, h("label", { for: `take-${mark.row.line}` }, full(mark.row) || t("orgjs-no-name"))),
      origins ? h("td", {}, origin(mark.row)) : null,
      h("td", {}, mark.text));
  });
  const heads = [t("orgjs-col-take"), t("orgjs-col-line"), numbers ? t("orgjs-mean-number") : null, t("orgjs-col-name"),
    origins ? t("orgjs-col-origin") : null, t("orgjs-col-note")].filter(Boolean);
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("orgjs-rehearsal") },
    h("table", {}, h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, body)));
}

/** Asks whether the first row is a heading, where it looks like one. */
function askHeading() {
  if (reading.looks === false) return null;
  const choice = (value, text) => h("label", { class: "card" },
    h("input", { type: "radio", name: "heading", value: String(value), checked: reading.heading === value, onchange: () => {
      reading.heading = value;
      reading.columns = columnsOf(reading.lines, value, pairs);
      look();
    } }), h("span", {}, text));
  return h("fieldset", { class: "cards two", id: "heading" },
    h("legend", {}, t("orgjs-heads-ask")),
    h("p", { class: "hint" }, t("orgjs-heads-row", { row: reading.lines[0].cells.filter(Boolean).join(" · ") })),
    choice(true, t("orgjs-heads-yes")), choice(false, t("orgjs-heads-no")));
}

/** What the columns are, to be changed; one column is the names. */
function askColumns() {
  if (reading.columns.length < 2) return null;
  const rows = reading.heading === false ? reading.lines : reading.lines.slice(1);
  const sample = (place) => [...(reading.heading === false ? [] : [reading.lines[0].cells[place]]), rows[0]?.cells[place]].filter(Boolean).join(" · ").slice(0, 40);
  const open = MEANINGS.filter((name) => name !== "partner" || pairs);
  const field = (meaning, place) => h("div", { class: "field" },
    h("label", { for: `column-${place}` }, t("orgjs-column", { number: place + 1, sample: sample(place) })),
    h("select", { id: `column-${place}`, onchange: (changed) => {
      const name = changed.target.value || null;
      // One column each: what another one was is left out.
      reading.columns = reading.columns.map((one, at) => (at === place ? name : one === name ? null : one));
      look();
    } }, h("option", { value: "", selected: meaning === null }, t("orgjs-mean-none")),
    open.map((name) => h("option", { value: name, selected: name === meaning }, t(`orgjs-mean-${name}`)))));
  const known = reading.looks === true || (reading.looks === false && reading.columns.every(Boolean));
  return h("details", { id: "columns", open: !known }, h("summary", {}, t("orgjs-columns")), h("div", { class: "pair" }, reading.columns.map(field)));
}

function show(marked) {
  const number = (kind) => marked.filter((mark) => mark.kind === kind).length;
  const button = h("button", { type: "button", class: "button main", id: "enter" });
  const count = () => {
    const rows = chosen().length;
    button.textContent = t("orgjs-enter", { count: howMany(rows, pairs) });
    button.disabled = rows === 0 || reading.heading === null;
  };
  button.addEventListener("click", async () => {
    button.disabled = true;
    blame(pasteFault, null);
    try {
      const report = await send(chosen(), false);
      flash(t("orgjs-entered", { count: howMany(report.entries, pairs) }));
      location.reload();
    } catch (error) {
      blame(pasteFault, told(error));
      button.disabled = false;
    }
  });
  const bad = number("bad") + number("warn");
  rehearsal.replaceChildren(...[
    askHeading(),
    askColumns(),
    reading.taken ? h("p", { class: "notice" }, t("orgjs-numbers-taken")) : null,
    h("p", { class: bad ? "notice warn" : "notice good" }, t(bad ? "orgjs-checked-bad" : "orgjs-checked-good", { good: howMany(number("good"), pairs), bad: howMany(number("bad"), pairs), twice: howMany(number("warn"), pairs) })),
    table(marked, count),
    reading.heading === null ? h("p", { class: "notice warn", id: "heading-first" }, t("orgjs-heads-first")) : null,
    h("p", { class: "row" }, button),
  ].filter(Boolean));
  count();
}

/** Rehearses the list as it is read now. */
async function look() {
  blame(pasteFault, null);
  // Over nothing a row is no heading: it is shown as an entry until the question is answered.
  const heading = reading.heading ?? reading.lines.length > 1;
  let rows = entriesOf(reading.lines, heading, reading.columns, pairs);
  reading.taken = numbersTaken(rows, known.map((one) => one.number));
  if (reading.taken) rows = rows.map(({ number: _, ...row }) => row);
  if (rows.length === 0) return blame(pasteFault, t("orgjs-paste-empty"));
  try {
    show(marks(rows, await send(rows, true)));
  } catch (error) {
    blame(pasteFault, told(error));
  }
}

document.getElementById("check")?.addEventListener("click", async (clicked) => {
  rehearsal.replaceChildren();
  const lines = linesOf(paste.value);
  if (lines.length === 0) return blame(pasteFault, t("orgjs-paste-empty"));
  const looks = headingOf(lines);
  reading = { lines, looks, heading: looks, columns: columnsOf(lines, looks, pairs), taken: false };
  clicked.target.disabled = true;
  await look();
  clicked.target.disabled = false;
});

const single = document.getElementById("single");
if (single) {
  sends(single, async ({ name, partner, club, region, level }) => {
    const body = { name: name.trim() };
    for (const [key, value] of Object.entries({ partner, club, region })) if (value?.trim()) body[key] = value.trim();
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

const correct = document.getElementById("correct");
let wrong = null;
for (const button of document.querySelectorAll("[data-correct]")) {
  button.addEventListener("click", () => {
    const { correct: id, name, club, region } = button.dataset;
    wrong = id;
    const form = correct.querySelector("form");
    blameForm(form, null);
    const [first, second] = pairs ? name.split(" / ") : [name];
    const fields = { name: first, partner: second, club, region };
    for (const [key, value] of Object.entries(fields)) if (form.elements[key]) form.elements[key].value = value ?? "";
    correct.showModal();
  });
}
const correction = correct?.querySelector("form");
if (correction) {
  sends(correction, async ({ name, partner, club, region, reason }) => {
    const body = { name: name.trim(), club: club.trim(), region: region.trim(), reason };
    if (partner?.trim()) body.partner = partner.trim();
    await call("PATCH", `${api(event)}/entrants/${encodeURIComponent(wrong)}`, body);
    flash(t("orgjs-corrected"));
    location.reload();
  });
}
