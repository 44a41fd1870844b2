// The audit log of an event: read in pages, oldest first, and shown newest first; filters work on what was read.

import { call } from "./api.js";
import { api, blame, told } from "./desk.js";
import { called } from "./who.js";
import { data, h, knows, lang, number, t } from "./words.js";

const { event, names, staff } = data();
const $ = (id) => document.getElementById(id);
/** How many lines are drawn at once. */
const PART = 100;
/** Where the changed fields of one act end. */
const FIELDS = 30;
let lines = [];
let shown = PART;

const when = (us) => new Date(us / 1000).toLocaleString(lang, { dateStyle: "short", timeStyle: "medium" });
const actWord = (act) => (knows(`audit-act-${act}`) ? t(`audit-act-${act}`) : act);

function whoWord(who) {
  if (who === "server") return t("audit-server");
  if (who === "anybody") return t("audit-anybody");
  if (who.startsWith("entrant:")) return t("audit-player", { name: names[who.slice(8)] ?? who.slice(8) });
  return called(who, staff);
}

/** What an act changed, in the words of the server. */
function changes({ changes: fields }) {
  if (fields.length === 0) return null;
  const rows = fields.slice(0, FIELDS).map(({ what, before, after }) => h("li", {}, h("span", { class: "muted" }, what), " ",
    before === undefined ? null : [before, " → "], after ?? t("audit-nothing")));
  return h("details", {}, h("summary", {}, t("audit-details", { count: number(fields.length) })),
    h("ul", { class: "plain changes" }, rows, fields.length > FIELDS ? h("li", { class: "muted" }, t("audit-fields-more", { count: number(fields.length - FIELDS) })) : null));
}

function line(one) {
  return h("li", { class: "act" },
    h("p", { class: "act-what" }, h("strong", {}, actWord(one.act)), " ", h("span", { class: "muted" }, `${whoWord(one.who)} · ${when(one.at_us)}`)),
    one.why ? h("p", {}, one.why) : null,
    changes(one));
}

function wanted(one) {
  if ($("act").value && one.act !== $("act").value) return false;
  if ($("who").value && one.who !== $("who").value) return false;
  const typed = $("find").value.trim().toLocaleLowerCase();
  if (!typed) return true;
  const text = [actWord(one.act), one.act, whoWord(one.who), one.who, one.why, JSON.stringify(one.details), JSON.stringify(one.changes), when(one.at_us)].join(" ").toLocaleLowerCase();
  return text.includes(typed) || Object.entries(names).some(([id, name]) => name.toLocaleLowerCase().includes(typed) && text.includes(`"${id}"`));
}

function draw() {
  const found = lines.filter(wanted);
  $("log").replaceChildren(...found.slice(0, shown).map(line));
  $("count").textContent = found.length === 0 ? t("audit-none") : t("audit-count", { count: number(found.length), all: number(lines.length) });
  $("more").hidden = found.length <= shown;
}

function choices(select, values, word) {
  const sorted = [...new Set(values)].sort((a, b) => word(a).localeCompare(word(b), lang));
  for (const value of sorted) select.append(h("option", { value }, word(value)));
}

async function read() {
  let after = "";
  do {
    const page = await call("GET", `${api(event)}/audit?limit=500${after}`);
    lines.push(...page.items);
    after = page.next ? `&after=${encodeURIComponent(page.next)}` : "";
    $("count").textContent = t("audit-reading", { count: number(lines.length) });
  } while (after);
  lines.reverse();
  choices($("act"), lines.map((one) => one.act), actWord);
  choices($("who"), lines.map((one) => one.who), whoWord);
  draw();
}

const again = () => {
  shown = PART;
  draw();
};
for (const id of ["act", "who"]) $(id).addEventListener("change", again);
let timer = 0;
$("find").addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(again, 150);
});
$("more").addEventListener("click", () => {
  shown += PART;
  draw();
});
read().catch((error) => blame($("fault"), told(error)));
