// The form of a ruling on paper: what is known stands in it, the rest is filled in by hand.

import { call } from "./api.js";
import { differences, said } from "./decision.js";
import { api, blame, told } from "./desk.js";
import { seatWord, whoName } from "./who.js";
import { data, h, lang, t } from "./words.js";

const facts = data();
const nameOf = (id) => whoName(id, facts.names);
const $ = (id) => document.getElementById(id);
const when = (us) => new Date(us / 1000).toLocaleString(lang, { dateStyle: "long", timeStyle: "short" });

const line = (word, what) => (what === null ? [] : [h("dt", {}, t(word)), h("dd", {}, what)]);
/** A line to write on. */
const blank = (word, rows = 1) => [h("dt", {}, t(word)), h("dd", { class: "blank" }, Array.from({ length: rows }, () => h("span", { class: "write" })))];

/** Who sat at the table, seat by seat. */
async function sitters({ board, table }) {
  if (board === null || table === null) return null;
  const { traveller } = await call("GET", `${api(facts.event)}/views/traveller?board=${board}`);
  const here = traveller.seats.flatMap(({ seat, results }) => results.filter((one) => String(one.table) === String(table)).map((one) => `${seatWord(seat)} ${nameOf(one.entrant)}`));
  return here.length === 0 ? null : here.join(t("rulings-and"));
}

function draw(one, seats) {
  $("form-number").textContent = t("notice-number", { number: one.number });
  $("form").replaceChildren(
    h("dl", { class: "form-facts" },
      line("notice-board", one.board === null ? null : t("watch-board-number", { board: one.board })),
      line("notice-table", one.table === null ? null : String(one.table)),
      line("form-seats", seats),
      line("notice-who", one.entrant === null ? (one.board === null ? null : t("notice-everybody")) : nameOf(one.entrant)),
      blank("form-facts", 3),
      line("notice-decision", h("strong", {}, said(one.decision, nameOf))),
      blank("form-clause"),
      line("notice-reason", one.reason),
      line("notice-by", `${one.name} · ${when(one.at)}`),
      line("notice-withdrawn", one.withdrawn_by === null ? null : t("rulings-withdrawn-by", { number: one.withdrawn_by }))),
    ...differences(one.changes.items.slice(0, 8), { method: facts.method, methodName: facts.methodName, nameOf, level: "h2", heads: "notice" }),
    one.changes.items.length > 8 || one.changes.more > 0 ? h("p", { class: "muted" }, t("notice-more", { count: one.changes.more + Math.max(0, one.changes.items.length - 8) })) : "",
    h("dl", { class: "form-facts signatures" }, blank("form-sign-party"), blank("form-sign-referee"), blank("form-sign-chief"), blank("form-sign-time"), blank("form-deadline")));
}

async function begin() {
  try {
    const { rulings } = await call("GET", `${api(facts.event)}/rulings/notice`);
    const one = rulings.find(({ number }) => number === facts.number);
    if (!one) return blame($("fault"), t("form-missing"));
    draw(one, await sitters(one));
  } catch (error) {
    blame($("fault"), told(error));
  }
}

begin();
