// Settings of an event: a draft is saved as it is typed, and the preview follows.

import { call } from "./api.js";
import { api, blame, grid, howMany, sentence, told } from "./desk.js";
import { arrangeScoring, isScoring, scoringOf } from "./desk-scoring.js";
import { seatWord } from "./who.js";
import { data, h, number, t } from "./words.js";

const { event, draft, scoring, ownRules } = data();
const form = document.getElementById("settings");
const saved = document.getElementById("saved");
const alert = form.querySelector('[role="alert"]');
const expected = document.getElementById("expected");
const shown = document.getElementById("preview");
const WHOLE = ["boards", "boards_per_round", "reserve_boards", "round_minutes", "late_s", "between_s", "alarm_s", "absent_s"];
/** Fields in seconds that the API takes in ms. */
const SECONDS = { ai_delay_s: "ai_delay_ms", grace_s: "grace_ms" };
const LIVE = ["pace", "round_minutes", "late_s", "between_s", "ai_delay_ms", "grace_ms", "auto_rounds", "alarm_s", "absent_s"];

const after = form.elements.delayed_after;
if (after.dataset.us) {
  const at = new Date(Number(after.dataset.us) / 1000);
  after.value = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const format = () => form.elements.format.value;

function arrange(changed) {
  const own = format() === "human-ai";
  for (const part of form.querySelectorAll("[data-only]")) part.hidden = !own;
  const robin = format() === "round-robin";
  for (const part of form.querySelectorAll("[data-not]")) part.hidden = own || robin;
  for (const part of form.querySelectorAll("[data-movement]")) part.hidden = robin;
  for (const part of form.querySelectorAll("[data-robin]")) part.hidden = !robin;
  for (const part of form.querySelectorAll("[data-final]")) part.hidden = form.elements.rr_final.value !== "true";
  arrangeScoring(form, changed);
}

/** Who has a group without a draw, one a line: entrant, group. */
const pins = (text) => Object.fromEntries(text.split("\n").map((line) => line.trim().split(/[\s,;:，；：]+/)).filter((pair) => pair.length === 2));

/** What is said of a round-robin. */
function robin(all) {
  const whole = (name) => (/^\d{1,9}$/.test((all[`rr_${name}`] ?? "").trim()) ? Number(all[`rr_${name}`]) : 0);
  const body = Object.fromEntries(["group_size", "deals", "win", "draw", "loss"].map((name) => [name, whole(name)]));
  body.final = all.rr_final === "true";
  if (!body.final) return body;
  for (const name of ["quota", "wild", "final_size", "final_deals"]) body[name] = whole(name);
  return { ...body, carry: all.rr_carry, seeding: all.rr_seeding, pins: pins(all.rr_pins) };
}

/** The fields as the API takes them; with another format the rounds become those that are usual for it. */
function fields(change) {
  const all = Object.fromEntries(new FormData(form));
  const body = {};
  for (const [name, value] of Object.entries(all)) {
    if (name.startsWith("rr_") || name.startsWith("delayed_") || isScoring(name) || ["why", "own_rules"].includes(name)) continue;
    if (name in SECONDS) body[SECONDS[name]] = Math.round((Number(value) || 0) * 1000);
    else if (WHOLE.includes(name)) body[name] = /^\d{1,9}$/.test(value.trim()) ? Number(value) : 0;
    else body[name] = value;
  }
  if (change === "format") delete body.boards_per_round;
  // With another way of playing, or other rules, a round lasts as long as is usual for it.
  if (["format", "pace", "ruleset"].includes(change)) delete body.round_minutes;
  // Rules of one's own are kept as they are; their file is sent by its own button.
  if (body.ruleset === ownRules) delete body.ruleset;
  body.auto_rounds = all.auto_rounds === "true";
  if (format() === "round-robin") {
    body.round_robin = robin(all);
    for (const name of ["boards", "boards_per_round", "fill"]) delete body[name];
  }
  if (format() !== "human-ai") {
    delete body.seat;
    body.pace = "rounds";
  }
  if (!draft) return { ...Object.fromEntries(LIVE.filter((name) => name in body).map((name) => [name, body[name]])), reason: all.why };
  body.title = body.title.trim();
  body.host = body.host.trim();
  body.scoring = scoringOf(all, scoring);
  const about = all.delayed_about.trim();
  const at = new Date(all.delayed_after).getTime();
  body.delayed = about === "" ? "none" : { description: about, length: Number(all.delayed_length) || 0, known_after: Number.isNaN(at) ? 0 : at * 1000 };
  return body;
}

const summary = (preview) => t("orgjs-preview", {
  entrants: howMany(preview.entrants, format() === "pairs"), tables: number(preview.tables), rounds: number(preview.rounds), boards: number(preview.boards),
});

function timetable(preview) {
  const heads = [t("orgjs-col-round"), t("orgjs-col-boards"), t("orgjs-col-tables"), t("orgjs-col-from"), t("orgjs-col-to")];
  const span = (boards) => (boards.length > 1 ? `${boards[0]}–${boards[boards.length - 1]}` : `${boards[0]}`);
  // Minutes after the start, as hours and minutes.
  const time = (minute) => `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, "0")}`;
  const rows = preview.timetable.map((round) => [round.round, span(round.boards), round.tables, time(round.from_minute), time(round.to_minute)]);
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("orgjs-timetable") }, grid(heads, rows));
}

const TABLES = 20;

/** Who sits there: an entrant by number, a stand-in in words. */
const sitter = (who) => (/^S\d+$/.test(who) ? t("who-stand-in", { number: who.slice(1) }) : who);

function movement(preview) {
  const rounds = preview.movement ?? [];
  const tables = rounds[0]?.tables.slice(0, TABLES) ?? [];
  // Computer opponents sit everywhere else: only entrants and stand-ins are worth a place in a narrow cell.
  const one = (who, at) => (who === "AI" ? null : `${seatWord(preview.positions[at].join(""))} ${sitter(who)}`);
  const who = (round, place) => round.tables[place]?.sittings[0]?.map(one).filter(Boolean).join(" · ") ?? "–";
  const heads = [t("orgjs-col-table"), ...rounds.map((round) => t("orgjs-round", { round: round.round }))];
  const rows = tables.map((table, place) => [String(table.table), ...rounds.map((round) => who(round, place))]);
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("orgjs-movement") }, grid(heads, rows));
}

const range = ([least, most]) => (least === most ? number(least) : t("orgjs-range", { least: number(least), most: number(most) }));

/** What the audit found, in the colour of it: good only where nothing was found. */
function verdict(preview) {
  const notes = preview.notes.map((note) => h("li", {}, sentence(note.code, note.message)));
  const list = notes.length > 0 ? h("ul", { id: "findings" }, notes) : null;
  if (!preview.sound) return [h("p", { class: "notice warn", id: "verdict" }, t("orgjs-unsound")), list];
  const good = notes.length === 0;
  const groups = range(preview.group_sizes);
  const sound = () => (preview.comparisons ? t("orgjs-sound", { groups, times: range(preview.comparisons) }) : t("orgjs-sound-groups", { groups }));
  return [h("div", { class: good ? "notice good" : "notice warn", id: "verdict" }, h("p", {}, good ? sound() : t("orgjs-playable")), list)];
}

function show(preview) {
  const minutes = preview.timetable.at(-1)?.to_minute ?? 0;
  shown.replaceChildren(h("div", {},
    h("p", {}, h("strong", {}, summary(preview))),
    preview.groups.length > 0 ? h("p", { id: "groups" }, preview.groups.map((one) => t("orgjs-group", { stage: one.stage, group: one.group, entrants: number(one.entrants) })).join(" · ")) : null,
    preview.advancing ? h("p", {}, t("orgjs-advancing", { count: number(preview.advancing) })) : null,
    preview.stand_ins > 0 ? h("p", {}, t("orgjs-stand-ins", { count: number(preview.stand_ins) })) : null,
    h("p", {}, minutes < 60 ? t("orgjs-length-minutes", { minutes }) : t("orgjs-length", { hours: Math.floor(minutes / 60), minutes: minutes % 60 })),
    h("p", {}, t("orgjs-board-time", { minutes: Math.ceil(preview.board_seconds / 60) })),
    ...(preview.groups.length > 0 ? [] : verdict(preview)),
    h("ul", { class: "faults" }, preview.faults.map((fault) => h("li", {}, sentence(fault.code, fault.message)))),
    h("h3", {}, t("orgjs-timetable")),
    timetable(preview),
    ...(preview.groups.length > 0 ? [] : [
      h("details", {}, h("summary", {}, t("orgjs-movement")), movement(preview)),
      h("details", {}, h("summary", {}, t("orgjs-audit")), h("ul", {}, preview.audit.map((line) => h("li", {}, line)))),
    ]),
  ));
}

let asked = 0;

async function preview() {
  asked += 1;
  const mine = asked;
  const entrants = Math.min(10_000, Math.max(1, Number(expected.value) || 1));
  shown.classList.add("old");
  try {
    const answer = await call("GET", `${api(event)}/preview?entrants=${entrants}&movement=${entrants <= 200}`);
    if (mine === asked) show(answer);
  } catch (error) {
    const text = told(error);
    if (mine === asked) shown.replaceChildren(h("p", { class: "notice warn" }, text));
  } finally {
    if (mine === asked) shown.classList.remove("old");
  }
}

let saving = Promise.resolve();

/** The first field whose number the browser itself refuses: too small, too large, no number. */
const odd = () => [...form.elements].find((field) => field.type === "number" && !field.disabled && field.offsetParent !== null && !field.validity.valid);

async function save(change) {
  const wrong = odd();
  if (wrong) {
    const label = form.querySelector(`label[for="${wrong.id}"]`)?.textContent ?? wrong.name;
    const whole = wrong.step === "" || wrong.step === "1";
    blame(alert, t(whole ? "orgjs-odd-whole" : "orgjs-odd-number", { field: label.trim(), from: wrong.min, to: wrong.max }));
    saved.textContent = t("orgjs-not-saved");
    return null;
  }
  saved.textContent = t("orgjs-saving");
  try {
    const answer = await call("PATCH", api(event), fields(change));
    blame(alert, null);
    saved.textContent = t("orgjs-saved");
    return answer;
  } catch (error) {
    blame(alert, told(error));
    saved.textContent = t("orgjs-not-saved");
    return null;
  }
}

/** What stands above the page, as the server writes it now. */
async function head() {
  try {
    const answer = await fetch(location.href, { credentials: "same-origin", headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".desk-head");
    if (fresh) document.querySelector(".desk-head").replaceWith(document.adoptNode(fresh));
  } catch {
    // The head follows with the next change.
  }
}

/** Saves after the one before; a change of format brings that format's usual rounds. */
function queue(change) {
  saving = saving.then(async () => {
    const answer = await save(change);
    if (change === "format" && answer) form.elements.boards_per_round.value = answer.boards_per_round;
    if (answer) form.elements.round_minutes.value = answer.live.round_minutes;
    // What differs from shipped rules is told by the page.
    if (change === "ruleset" && answer) location.reload();
    // Preview and head follow when they can; nobody waits for them.
    if (answer) {
      preview();
      head();
    }
  });
}

const ownText = document.getElementById("own_rules");
const ownFault = document.getElementById("own-rules-fault");
document.getElementById("own-rules-use")?.addEventListener("click", async () => {
  await saving;
  try {
    await call("PATCH", api(event), { ruleset_file: ownText.value });
    location.reload();
  } catch (error) {
    blame(ownFault, told(error));
  }
});
document.getElementById("rules-file")?.addEventListener("change", async (chosen) => {
  const [file] = chosen.target.files;
  if (file) ownText.value = await file.text();
});

let waiting;
form.addEventListener("input", (changed) => {
  if (["own_rules", "rules-file"].includes(changed.target.id)) return;
  arrange(changed.target);
  if (!draft) return;
  clearTimeout(waiting);
  const name = changed.target.name;
  waiting = setTimeout(() => queue(name), changed.target.type === "radio" || changed.target.tagName === "SELECT" ? 0 : 500);
});
form.addEventListener("submit", (submitted) => {
  submitted.preventDefault();
  clearTimeout(waiting);
  queue("all");
});
let later;
expected.addEventListener("input", () => {
  clearTimeout(later);
  later = setTimeout(preview, 400);
});
// What was typed a moment ago is saved before the page goes on.
for (const link of form.querySelectorAll("a.button")) {
  link.addEventListener("click", async (clicked) => {
    if (!draft) return;
    clicked.preventDefault();
    clearTimeout(waiting);
    await saving;
    if (await save()) location.assign(link.href);
  });
}
arrange();
preview();
