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

/** Why the server itself has read the key of the deals. */
const KEY_READ = { "to commit to the deals": "commit", "to deal the boards": "deal", "to show results": "show", "to write the bundle": "bundle", "to reveal": "reveal" };
const why = ({ act, reason }) => (act === "read-key" && Object.hasOwn(KEY_READ, reason) ? t(`audit-key-${KEY_READ[reason]}`) : reason);

function whoWord(who) {
  if (who === "server") return t("audit-server");
  if (who === "anybody") return t("audit-anybody");
  if (who.startsWith("entrant:")) return t("audit-player", { name: names[who.slice(8)] ?? who.slice(8) });
  return called(who, staff);
}

/** The leaves of a value by their path. */
function leaves(value, path = "", found = new Map()) {
  if (value !== null && typeof value === "object") {
    for (const [key, one] of Object.entries(value)) leaves(one, path ? `${path}.${key}` : key, found);
  } else if (path || (value !== null && value !== undefined)) {
    found.set(path, value === null || value === undefined ? "–" : String(value));
  }
  return found;
}

const plain = (path, value) => (/(^|\.)entrant$|(^|\.)entrants\.\d+$/.test(path) && names[value] ? names[value] : value);

/** What an act changed: fields that differ; where there is no before, all of them. */
function changes({ details }) {
  if (details === null || details === undefined) return null;
  const paired = typeof details === "object" && ("before" in details || "after" in details);
  const [before, after] = paired ? [leaves(details.before), leaves(details.after)] : [new Map(), leaves(details)];
  const keys = [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key));
  if (keys.length === 0) return null;
  const rows = keys.slice(0, FIELDS).map((key) => h("li", {}, key ? h("code", {}, key) : null, key ? " " : null,
    before.has(key) ? h("span", { class: "muted" }, plain(key, before.get(key))) : null, before.has(key) ? " → " : null,
    h("span", {}, after.has(key) ? plain(key, after.get(key)) : "–")));
  return h("details", {}, h("summary", {}, t("audit-details", { count: number(keys.length) })),
    h("ul", { class: "plain changes" }, rows, keys.length > FIELDS ? h("li", { class: "muted" }, t("audit-fields-more", { count: number(keys.length - FIELDS) })) : null));
}

function line(one) {
  return h("li", { class: "act" },
    h("p", { class: "act-what" }, h("strong", {}, actWord(one.act)), " ", h("span", { class: "muted" }, `${whoWord(one.who)} · ${when(one.at_us)}`)),
    one.reason ? h("p", {}, why(one)) : null,
    changes(one));
}

function wanted(one) {
  if ($("act").value && one.act !== $("act").value) return false;
  if ($("who").value && one.who !== $("who").value) return false;
  const typed = $("find").value.trim().toLocaleLowerCase();
  if (!typed) return true;
  const text = [actWord(one.act), one.act, whoWord(one.who), one.who, why(one), JSON.stringify(one.details), when(one.at_us)].join(" ").toLocaleLowerCase();
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
