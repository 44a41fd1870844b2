// The notice of rulings: each with whom it concerns, the reason, the figures before and after; then the publications.

import { call } from "./api.js";
import { differences, said } from "./decision.js";
import { asked, empty, facts, fill, nameOf, page, place, trying } from "./results.js";
import { seatWord } from "./who.js";
import { h, lang, number, t } from "./words.js";

const when = (us) => h("time", { datetime: new Date(us / 1000).toISOString() }, new Date(us / 1000).toLocaleString(lang, { dateStyle: "medium", timeStyle: "short" }));
const shared = { method: facts.method, methodName: facts.methodName, nameOf, level: "h4", heads: "notice" };

/** A term and what stands for it; nothing where there is nothing. */
const fact = (word, ...what) => (what[0] === null ? [] : [h("dt", {}, t(word)), h("dd", {}, what)]);

/** What differs: the figures of the entrant concerned in sight, others folded where they are many. */
function changed({ items, more }, entrant = null) {
  if (items.length === 0) return h("p", { class: "muted" }, t("notice-unchanged"));
  const few = items.length + more <= 4;
  const first = few ? items : items.filter((one) => one.entrant === entrant);
  const rest = few ? [] : items.filter((one) => one.entrant !== entrant);
  return [
    first.length > 0 ? h("div", { class: "changes" }, differences(first, shared)) : null,
    rest.length === 0 ? null : h("details", { class: "changes" },
      h("summary", {}, t("notice-changes", { count: number(rest.length + more) })),
      differences(rest, shared),
      more > 0 ? h("p", { class: "muted" }, t("notice-more", { count: number(more) })) : null),
  ];
}

function ruling(one) {
  const gone = one.withdrawn_by;
  const board = one.board === null ? null : h("a", { href: page(`/boards/${one.board}`) }, t("watch-board-number", { board: one.board }));
  return h("li", { class: gone ? "noticed gone" : "noticed", id: `ruling-${one.number}`, "data-board": one.board, tabindex: "-1" },
    h("h3", {}, t("notice-number", { number: one.number }), " ",
      one.revision === null ? h("span", { class: "tag" }, t("rulings-pending")) : null,
      gone ? h("a", { class: "gone-by", href: `#ruling-${gone}` }, t("rulings-withdrawn-by", { number: gone })) : null),
    h("p", { class: "decided" }, said(one.decision, nameOf)),
    h("dl", { class: "ruling-facts" },
      fact("notice-board", board),
      fact("notice-table", one.table),
      fact("notice-seat", one.seat === null ? null : seatWord(one.seat)),
      fact("notice-who", one.entrant === null ? (one.board === null ? null : t("notice-everybody")) : nameOf(one.entrant)),
      fact("notice-reason", one.reason),
      fact("notice-by", `${one.name} · `, when(one.at)),
      fact("notice-published", one.revision === null ? null : t("notice-published-in", { number: one.revision }))),
    changed(one.changes, one.entrant));
}

function revision(one, before) {
  const rests = before === one.rulings ? t("notice-no-new") : t(before + 1 === one.rulings ? "notice-new-one" : "notice-new", { from: before + 1, to: one.rulings });
  return h("li", { class: "noticed", id: `revision-${one.number}` },
    h("h3", {}, t("notice-revision", { number: one.number }), " ", h("span", { class: "tag" }, t(`notice-state-${one.state}`))),
    h("dl", { class: "ruling-facts" },
      fact("notice-at", when(one.at)),
      fact("notice-rests", rests),
      fact("notice-fingerprint", h("code", { class: "fingerprint" }, one.hash))),
    one.number === 1 ? null : changed(one.changes));
}

function draw({ rulings, revisions }) {
  if (rulings.length === 0 && revisions.length === 0) {
    fill(empty(t("notice-early"), t("notice-early-how")));
    return;
  }
  const part = (id, title, list) => h("section", { "aria-labelledby": id }, h("h2", { id }, title), list);
  fill(
    part("rulings-title", t("notice-rulings"), rulings.length === 0
      ? h("div", { class: "empty" }, h("p", {}, t("notice-none")))
      : h("ol", { class: "plain notices", reversed: true }, rulings.slice().reverse().map(ruling))),
    revisions.length === 0 ? null : part("revisions-title", t("notice-revisions"),
      h("ol", { class: "plain notices", reversed: true }, revisions.map((one, at) => revision(one, revisions[at - 1]?.rulings ?? 0)).reverse())));
  show();
}

/** Goes to the ruling in the address, or to the first one on the board in it. */
function show() {
  const board = new URLSearchParams(location.search).get("board");
  const wanted = location.hash ? place(decodeURIComponent(location.hash.slice(1))) : null;
  const found = wanted ?? [...document.querySelectorAll("[data-board]")].find((one) => one.dataset.board === board);
  for (const one of document.querySelectorAll(".noticed.wanted")) one.classList.remove("wanted");
  if (!found) return;
  found.classList.add("wanted");
  found.scrollIntoView({ block: "start" });
  found.focus({ preventScroll: true });
}

// Paper has no folds.
window.addEventListener("beforeprint", () => {
  for (const fold of document.querySelectorAll("details.changes")) fold.open = true;
});
window.addEventListener("hashchange", show);
trying(async () => draw(await call("GET", asked("rulings/notice"))));
