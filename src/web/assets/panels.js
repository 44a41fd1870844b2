// What stands beside the table: the connection, the waiting room, the result of a board.

import { seatWord } from "./who.js";
import { h, t } from "./words.js";

const place = (id) => document.getElementById(id);

/** The state of the connection, small at the head and as a banner where it matters. */
export function drawConnection(store, retake) {
  const line = place("connection");
  const said = { connecting: t("play-connecting"), on: t("play-connected"), lost: t("play-lost"), ended: t("play-ended") }[store.connection] ?? "";
  if (line.textContent !== said) line.textContent = said;
  line.dataset.state = store.connection;
  const banner = place("banner");
  const [text, kind, button] = message(store, retake);
  banner.hidden = !text;
  banner.className = `notice ${kind}`;
  const known = banner.dataset.text;
  if (known !== text) {
    banner.dataset.text = text;
    banner.replaceChildren(text, " ", ...(button ? [button] : []));
  }
}

function message(store, retake) {
  if (store.connection === "ended") {
    if (store.error === null || store.error.type === "replaced") {
      return [t("play-replaced"), "warn", h("button", { class: "button small", type: "button", id: "retake", onclick: retake }, t("play-retake"))];
    }
    const link = store.error.code === "token" ? h("a", { href: `/seat?event=${encodeURIComponent(store.event)}` }, t("play-seat-again")) : null;
    return [store.error.message, "bad", link];
  }
  if (store.connection === "lost") return [t("play-lost-long"), "warn"];
  if (store.error?.code === "not_open") return [store.error.message, "warn"];
  if (store.paused) return [t("play-paused"), "warn"];
  return ["", ""];
}

/** What a player without a board waits for. */
export function drawWaiting(store, { ready, said }) {
  const panel = place("waiting");
  const { waiting, finished, view } = store;
  const shown = Boolean(waiting) || (!view && store.connection === "on" && !store.seated);
  panel.hidden = !shown;
  if (!shown) return;
  const kind = waiting?.for ?? "start";
  const state = JSON.stringify([kind, waiting?.round, said, Boolean(finished), store.event]);
  if (panel.dataset.state === state) return;
  panel.dataset.state = state;
  const parts = [h("h2", {}, t(kind === "ready" && !store.seated ? "play-wait-first-title" : `play-wait-${kind}-title`))];
  // Who has said so already is not asked to.
  if (kind !== "ready" || !said) parts.push(h("p", {}, t(`play-wait-${kind}`, { round: waiting?.round ?? "" })));
  if (kind === "ready") {
    parts.push(said
      ? h("p", { class: "muted", id: "ready-said" }, t("play-ready-said"))
      : h("p", { class: "row" }, h("button", { class: "button", type: "button", id: "ready", onclick: ready }, t("play-ready"), h("kbd", { "aria-hidden": "true" }, "R"))));
  }
  if (kind === "end") {
    const event = `/events/${encodeURIComponent(store.event)}`;
    const own = store.entrant ? h("a", { class: "button", href: `${event}/entrants/${encodeURIComponent(store.entrant.id)}` }, t("play-to-card")) : null;
    parts.push(h("p", { class: "row" }, own, h("a", { class: own ? "button quiet" : "button", href: event }, t("play-to-results"))));
  }
  panel.replaceChildren(...parts);
  if (kind === "ready" && document.activeElement === document.body) place("ready")?.focus({ preventScroll: true });
}

/** The result of the board that is over. */
export function drawResult(game, store) {
  const panel = place("result");
  const { finished, seated } = store;
  panel.hidden = !finished;
  if (!finished || panel.dataset.play === String(finished.play)) return;
  panel.dataset.play = String(finished.play);
  const parts = [h("h2", { id: "result-title" }, t("play-result-title", { board: seated.board }))];
  if (finished.unfinished || !finished.scores) {
    parts.push(h("p", {}, t("play-result-unfinished")));
  } else {
    const own = finished.scores[seated.seat] ?? 0;
    const kind = own > 0 ? "plus" : own < 0 ? "minus" : "";
    parts.push(h("p", { class: `own-score ${kind}` }, h("span", { class: "muted" }, t("play-your-score")), " ", h("strong", {}, game.score(own))));
    const rows = Object.entries(finished.scores).map(([seat, score]) =>
      h("tr", { class: seat === seated.seat ? "mine" : "" }, h("th", { scope: "row" }, h("span", { class: "letter" }, seatWord(seat)), " ", store.name(seat)), h("td", { class: "number" }, game.score(score))));
    const lines = game.result(store);
    if (lines.length > 0) parts.push(h("ul", { class: "result-lines" }, lines.map((line) => h("li", {}, line))));
    parts.push(h("table", { class: "scores" }, h("caption", { class: "unseen" }, t("play-scores")), h("tbody", {}, rows)));
  }
  // Sealed until every table has played the board; the page says so until then. The seat stays open in this window.
  const board = `/events/${encodeURIComponent(store.event)}/boards/${seated.board}`;
  parts.push(h("p", {}, h("a", { href: board, target: "_blank", rel: "noopener" }, t("play-to-board"))));
  panel.replaceChildren(...parts);
}
