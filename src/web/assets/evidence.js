// Evidence for referees, the same on the floor and in a board's file: calls, refused actions, what connections have
// shown, with persons' numbers and names, times and counts. It judges nothing.

import { call } from "./api.js";
import { api, grid } from "./desk.js";
import { called, personCalled, seatWord, whoName } from "./who.js";
import { data, h, lang, number, t } from "./words.js";

const { event, names, staff, members, orders, board } = data();

/** Who an occupant is, with the number of the entrant; of a pair one person, where a member is given. */
export function labelOf(who, member) {
  const name = whoName(who, names);
  return member === undefined ? name : personCalled(name, member);
}

/** Who sits at a seat: of a pair, one of both. */
export const sitter = (seat, who) => labelOf(who, members[seat]);

/** A seat and who sits there. */
export const placed = (seat, who) => `${seatWord(seat)} ${sitter(seat, who)}`;

/** Minutes and seconds since the board opened. */
export const since = (ms) => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`;

/** An instant, µs: the time, and the day where it is another one. */
export function when(us) {
  const at = new Date(us / 1000);
  const today = at.toDateString() === new Date().toDateString();
  return at.toLocaleString(lang, today ? { timeStyle: "medium" } : { dateStyle: "short", timeStyle: "medium" });
}

/** The page of the file of a board at a table. */
export const filePage = (board, table) => `/desk/${encodeURIComponent(event)}/boards/${board}/tables/${table}`;

/** Says what has become of a call. */
export const mark = (one, state) => call("POST", `${api(event)}/boards/${one.board}/tables/${one.table}/calls/${one.line}`, { state });

/** What has become of a call, in words. */
function stateOf(one) {
  if (one.done) return t("floor-call-done", { by: called(one.done.by, staff), at: when(one.done.at) });
  if (one.seen) return t("floor-call-seen", { by: called(one.seen.by, staff), at: when(one.seen.at) });
  return t("floor-call-sent");
}

/** A call with what referees may do about it; `marked(call, state)` is told. `more` stands beside it. */
export function callLine(one, { lead = null, time, marked, more = [] }) {
  const button = (state) => h("button", { class: "button quiet small", type: "button", "data-mark": state, onclick: () => marked(one, state) }, t(`floor-call-mark-${state}`));
  const buttons = orders && one.state !== "done" ? [one.state === "sent" ? button("seen") : null, button("done")] : [];
  return h("li", { class: `call ${one.state}`, "data-call": `${one.board}/${one.table}/${one.line}` },
    h("p", {}, lead, h("strong", {}, placed(one.seat, one.entrant)), " ", h("span", { class: "muted" }, time)),
    h("p", { class: "call-words" }, one.words === "" ? t("floor-call-wordless") : t("floor-call-words", { words: one.words })),
    h("p", { class: one.state === "sent" ? "call-state alarm-word" : "call-state muted" }, stateOf(one)),
    buttons.length + more.length > 0 ? h("div", { class: "row" }, buttons, more) : null);
}

/** A part below its heading: on the page of a board's file the second level, in the window of a table the third. */
const part = (title, ...inside) => h("section", {}, h(board === undefined ? "h3" : "h2", {}, title), inside);
const list = (lines) => h("ul", { class: "plain lines" }, lines.map((line) => h("li", {}, line)));

/** The file of a board: what was refused, and what connections have shown; calls where `marked` is given. */
export function fileParts(file, marked) {
  const parts = [];
  if (marked && file.calls.length > 0) {
    parts.push(part(t("floor-calls"), h("ul", { class: "plain" }, file.calls.map((one) => callLine(one, { time: `${since(one.at_ms)} · ${when(one.called_us)}`, marked })))));
  }
  const at = (one) => placed(one.seat, one.entrant);
  const refused = file.refused.map((one) => [h("strong", {}, at(one)), ` ${since(one.at_ms)}`, file.shown ? [" ", h("code", {}, one.tried ?? ""), ` – ${one.why ?? ""}`] : null]);
  const more = file.more.map((one) => t("orgjs-refused-more", { who: at(one), count: number(one.count), from: since(one.first_ms), to: since(one.last_ms) }));
  if (refused.length + more.length > 0) {
    parts.push(part(t("orgjs-file-refused"), list([...refused, ...more]), file.shown ? null : h("p", { class: "muted" }, t("orgjs-file-sealed"))));
  }
  if (file.looks.length > 0) {
    parts.push(part(t("floor-looks"), list(file.looks.map((one) => t("floor-look-line", { at: one.at_ms === null ? "–" : since(one.at_ms), name: one.name, reason: one.reason })))));
  }
  if (file.incidents.length > 0) {
    const heads = ["name", "what", "count", "first", "last"].map((name) => t(`floor-col-${name}`));
    const rows = file.incidents.map((one) => [labelOf(one.entrant, one.member), t(`orgjs-incident-${one.what}`), one.count, when(one.first_us), when(one.last_us)]);
    parts.push(part(t("orgjs-file-incidents"), h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("orgjs-file-incidents") }, grid(heads, rows))));
  }
  return parts;
}

/** The warnings of those who sit somewhere. */
export function warningParts(warnings, who) {
  const here = warnings.filter((one) => who.includes(one.entrant));
  if (here.length === 0) return [];
  return [part(t("orgjs-warnings"), list(here.map((one) => [`${when(one.at)} · `, t("orgjs-warning", { name: labelOf(one.entrant), what: t(`orgjs-warn-${one.code}`), by: called(one.by, staff), reason: one.reason })])))];
}

/** What is evidence of a person, in the order of the columns. */
const KINDS = ["left", "replaced", "disconnected"];

/** The whole event by person: how often the page was left, another device came, a connection was lost. */
export function evidenceTable(incidents) {
  const people = new Map();
  for (const one of incidents.filter(({ what }) => KINDS.includes(what))) {
    const key = `${one.entrant}/${one.member}`;
    const known = people.get(key) ?? { entrant: one.entrant, member: one.member, left: 0, replaced: 0, disconnected: 0, last: 0, boards: new Map() };
    known[one.what] += one.count;
    known.last = Math.max(known.last, one.last_us);
    known.boards.set(one.board === null ? "" : `${one.board}/${one.table}`, one);
    people.set(key, known);
  }
  if (people.size === 0) return h("p", { class: "muted" }, t("floor-evidence-none"));
  const link = (one) => (one.board === null ? h("span", { class: "muted" }, t("floor-evidence-between")) : h("a", { href: filePage(one.board, one.table) }, t("floor-evidence-board", { board: one.board, table: one.table })));
  const heads = ["name", ...KINDS, "last", "boards"].map((name) => t(`floor-col-${name}`));
  const sum = (one) => KINDS.reduce((all, kind) => all + one[kind], 0);
  const rows = [...people.values()].sort((a, b) => sum(b) - sum(a) || b.last - a.last)
    .map((one) => [labelOf(one.entrant, one.member), one.left, one.replaced, one.disconnected, when(one.last), h("span", { class: "file-links" }, [...one.boards.values()].map(link))]);
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("floor-evidence") }, grid(heads, rows));
}
