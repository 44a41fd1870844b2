// The table: the others, the middle, oneself, what one can do. It draws what the store holds; the game says how.

import { minis } from "./cards.js";
import { seatName, seatWord } from "./who.js";
import { h, number, t } from "./words.js";

const place = (id) => document.getElementById(id);

/** Replaces what is in a place, if it has changed; the focus stays where it was. */
function draw(id, ...children) {
  const at = place(id);
  const made = h("div", {}, ...children);
  if (at.dataset.shown === made.innerHTML) return;
  at.dataset.shown = made.innerHTML;
  const focused = at.contains(document.activeElement) ? document.activeElement.dataset.name : null;
  at.replaceChildren(...made.childNodes);
  if (focused) at.querySelector(`[data-name="${CSS.escape(focused)}"]`)?.focus();
}

function clock(game, store, seat) {
  if (game.still?.(store)) return null;
  return h("span", { class: "clock", "data-clock": seat, hidden: true, role: "timer", "aria-label": t("play-clock") },
    h("span", { class: "digits" }, "0:00"), h("span", { class: "slow-word", hidden: true }, t("play-slow")), h("span", { class: "bar", "aria-hidden": "true" }));
}

function markList(game, store, seat) {
  const marks = game.marks(store, seat).map((mark) => h("span", { class: `mark ${mark.kind ?? ""}` }, mark.text));
  return marks.length > 0 ? h("span", { class: "marks" }, marks) : null;
}

function amountOf(game, store, seat) {
  if (game.stack) return h("span", { class: "stack" }, number(game.stack(store, seat) ?? 0));
  const cards = game.held(store, seat);
  if (cards === null || cards === undefined) return null;
  return h("span", { class: "count" }, h("span", { class: "count-card", "aria-hidden": "true" }), number(cards), h("span", { class: "unseen" }, t("play-cards-held")));
}

function seatBox(game, store, seat) {
  const { seats } = store.seated;
  const who = seats[seat] ?? { name: seat, kind: "ai", connected: true };
  const name = seatName(who);
  const turn = !store.finished && game.turn(store).includes(seat);
  const gone = who.kind === "person" && !who.connected;
  return h("div", { class: `seat ${turn ? "turn" : ""} ${gone ? "gone" : ""}`, "data-seat": seat },
    h("div", { class: "seat-head" },
      h("span", { class: "seat-name" }, h("span", { class: "letter" }, seatWord(seat)), h("span", { class: "name", title: name }, name)),
      clock(game, store, seat)),
    h("div", { class: "seat-line" },
      amountOf(game, store, seat),
      who.kind === "ai" ? h("span", { class: "mark" }, t("play-ai")) : null,
      gone ? h("span", { class: "mark bad" }, t("play-disconnected")) : null,
      markList(game, store, seat)),
    h("div", { class: "front" }, game.before(store, seat)),
    openHand(game, store, seat));
}

function openHand(game, store, seat) {
  const cards = game.openHand(store, seat);
  return cards ? h("div", { class: "open-hand" }, minis(cards)) : null;
}

function me(game, store) {
  const seat = store.me;
  const turn = !store.finished && game.turn(store).includes(seat);
  return h("div", { class: `seat own ${turn ? "turn" : ""}`, "data-seat": seat },
    h("div", { class: "own-name" },
      h("span", { class: "seat-name" }, h("span", { class: "letter" }, seatWord(seat)), h("span", { class: "name" }, store.name(seat))),
      h("span", { class: "seat-line" }, amountOf(game, store, seat), markList(game, store, seat))),
    h("div", { class: "front" }, game.before(store, seat)),
    clock(game, store, seat));
}

function factList(pairs) {
  return h("dl", { class: "facts-list" }, pairs.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

/** Draws everything but the hand and the choices. */
export function drawTable(game, store) {
  const { seated } = store;
  const head = [[t("play-board"), seated.board]];
  if (seated.table > 0) head.push([t("play-table"), number(seated.table)]);
  draw("facts", factList([...head, ...game.facts(store)]));
  const others = game.others(store.me, store);
  place("others").style.setProperty("--seats", String(others.length));
  place("others").classList.toggle("many", others.length > 3);
  draw("others", others.map((seat) => seatBox(game, store, seat)));
  draw("centre", game.centre(store));
  draw("me", me(game, store));
}

function choiceButton(choice, act) {
  const kind = choice.danger ? "danger" : choice.quiet ? "quiet" : "";
  return h("button", {
    class: `button ${kind}`, type: "button", disabled: Boolean(choice.off), "data-name": choice.act, "data-act": choice.act,
    "aria-label": choice.said ?? null, onclick: () => act(choice),
  }, choice.text, choice.key ? h("kbd", { "aria-hidden": "true" }, choice.key.toUpperCase()) : null);
}

/** The place where an amount is set: slider, number, usual amounts. */
function amountSetter(game, store, ui) {
  const bounds = game.amounts?.(store);
  if (!bounds) return null;
  const { min, max, unit, presets, verb } = bounds;
  const clamp = (value) => Math.max(min, Math.min(max, Math.round(value / unit) * unit || min));
  ui.amount = clamp(ui.amount ?? min);
  const slider = h("input", { type: "range", min, max, step: unit, value: ui.amount, id: "amount-slider", "aria-label": t("play-amount") });
  const field = h("input", { type: "number", inputmode: "numeric", min, max, step: unit, value: ui.amount, id: "amount", "aria-label": t("play-amount") });
  const button = h("button", { class: "button", type: "button", id: "amount-send", "data-name": "amount-send", onclick: () => ui.bet(verb) });
  const label = () => {
    button.replaceChildren(t(verb === "bet" ? "play-bet-amount" : "play-raise-amount", { chips: number(ui.amount) }), h("kbd", { "aria-hidden": "true" }, "B"));
  };
  const set = (value, from) => {
    ui.amount = clamp(value);
    if (from !== slider) slider.value = String(ui.amount);
    if (from !== field) field.value = String(ui.amount);
    label();
  };
  slider.addEventListener("input", () => set(Number(slider.value), slider));
  field.addEventListener("input", () => set(Number(field.value), field));
  field.addEventListener("change", () => set(Number(field.value)));
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") ui.bet(verb);
  });
  label();
  const shortcuts = presets.map(([name, value]) => h("button", { class: "button quiet small", type: "button", "data-name": name, onclick: () => set(value) }, name));
  return h("div", { class: "amounts" }, h("div", { class: "amount-line" }, slider, field, button), h("div", { class: "presets" }, shortcuts));
}

/** Draws what one can do now. `ui` holds what the person is doing: chosen cards, the amount, a question that is open. */
export function drawActions(game, store, hand, ui) {
  const at = place("actions");
  // Nothing is drawn anew that stays the same: a button must not vanish under a finger.
  const state = JSON.stringify([
    store.seated.play, store.mine, store.finished !== null, store.paused, store.connection, ui.busy, ui.sure, waitingFor(game, store),
    store.mine && [game.prompt(store), game.choices(store), game.amounts?.(store), ui.playing && [ui.playing.text, ui.playing.pass, ui.playing.canPass, ui.playing.plays.length > 0]],
  ]);
  if (at.dataset.state === state) return updatePlay(store, hand, ui);
  at.dataset.state = state;
  const focused = at.contains(document.activeElement) ? document.activeElement.dataset.name : null;
  at.replaceChildren(...buttons(game, store, hand, ui));
  if (focused) at.querySelector(`[data-name="${CSS.escape(focused)}"]:not(:disabled)`)?.focus();
  updatePlay(store, hand, ui);
}

function buttons(game, store, hand, ui) {
  if (store.finished) return [];
  if (!store.mine) return [h("p", { class: "prompt muted" }, waitingFor(game, store))];
  if (ui.busy) return [h("p", { class: "prompt muted" }, t("play-sending"))];
  const parts = [h("p", { class: "prompt" }, game.prompt(store))];
  const choices = game.choices(store);
  if (ui.sure) {
    const choice = choices.find((one) => one.act === ui.sure);
    if (choice) {
      parts.push(h("div", { class: "row" },
        h("button", { class: "button", type: "button", "data-name": "sure", onclick: () => ui.act(choice, true) }, t("play-sure", { what: choice.text })),
        h("button", { class: "button quiet", type: "button", "data-name": "not-sure", onclick: () => ui.act(null) }, t("play-not-sure"))));
      return parts;
    }
  }
  if (choices.length > 0) parts.push(h("div", { class: "row choices" }, choices.map((choice) => choiceButton(choice, ui.act))));
  const setter = amountSetter(game, store, ui);
  if (setter) parts.push(setter);
  if (ui.playing) parts.push(playButtons(store, hand, ui));
  if (parts.length === 1) return [h("p", { class: "prompt muted" }, waitingFor(game, store))];
  return parts;
}

function playButtons(store, hand, ui) {
  const { playing } = ui;
  const row = [
    h("button", { class: "button", type: "button", id: "play-send", "data-name": "play", onclick: () => ui.play() }, h("span", { class: "label" }, playing.text)),
  ];
  if (playing.canPass) {
    row.push(h("button", { class: "button quiet", type: "button", id: "pass", "data-name": "pass", "data-act": "pass", disabled: !playing.pass, onclick: () => ui.act({ act: "pass" }) }, t("play-pass"), h("kbd", { "aria-hidden": "true" }, "P")));
  }
  row.push(
    h("button", { class: "button quiet", type: "button", id: "hint", "data-name": "hint", disabled: playing.plays.length === 0, onclick: () => ui.hint() }, t("play-hint"), h("kbd", { "aria-hidden": "true" }, "H")),
    h("button", { class: "button quiet", type: "button", id: "clear", "data-name": "clear", onclick: () => hand.clear() }, t("play-clear")),
  );
  return h("div", { class: "row plays" }, row);
}

/** What depends on the chosen cards alone. */
function updatePlay(store, hand, ui) {
  const send = place("play-send");
  if (!send || !ui.playing) return;
  const cards = hand.selection();
  const { text, count } = ui.playing;
  send.disabled = !ui.playable(cards);
  send.querySelector(".label").textContent = count ? t("play-with-count", { what: text, chosen: cards.length, count }) : cards.length > 0 ? t("play-with", { what: text, chosen: cards.length }) : text;
  place("clear").disabled = cards.length === 0;
}

function waitingFor(game, store) {
  if (store.connection !== "on") return t("play-lost");
  if (store.paused) return t("play-paused");
  const names = game.turn(store).filter((seat) => seat !== store.me).map((seat) => store.name(seat));
  if (names.length === 0) return t("play-watch");
  return t("play-waits-for", { who: names.join(t("play-comma")) });
}

/** The column beside the table: the last trick, what happened, own results. */
export function drawSide(game, store) {
  const parts = [];
  const last = game.lastTrick(store);
  if (last) {
    parts.push(h("section", {}, h("h2", {}, t("play-last-trick")), h("ul", { class: "plain trick-list" }, last.map(({ seat, shown, won }) =>
      h("li", { class: won ? "won" : "" }, h("span", { class: "letter" }, seatWord(seat)), shown)))));
  }
  if (store.log.some(({ what }) => what.note !== "deal")) {
    const shown = store.log.filter(({ what }) => what.note !== "deal");
    const lines = (game.remembered?.(store, shown) ?? shown).slice(-60).reverse().map((line) => h("li", {}, sentence(game, store, line.what, false)));
    parts.push(h("section", {}, h("h2", {}, t("play-log")), h("ul", { class: "plain log", tabindex: "0", "aria-label": t("play-log") }, lines)));
  }
  if (store.results.length > 0) parts.push(results(game, store));
  draw("side", parts);
  place("side").hidden = parts.length === 0 || !store.view;
}

/** The own boards so far. */
export function results(game, store) {
  const rows = store.results.slice().reverse().map(({ board, score }) =>
    h("tr", {}, h("td", {}, board), h("td", { class: "number" }, score === null ? "–" : game.score(score))));
  return h("section", {}, h("h2", {}, t("play-own-boards")), h("table", { class: "own-boards" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("play-board")), h("th", { scope: "col", class: "number" }, t("play-score")))),
    h("tbody", {}, rows)));
}

/** A line of the journal as a sentence, for eyes or for ears. */
export function sentence(game, store, what, ears) {
  if (what.kind === "hidden") return t("play-log-hidden", { who: store.name(what.seat) });
  if (what.kind === "note") {
    const who = what.seat ? store.name(what.seat) : "";
    const seconds = what.ms === undefined ? "" : Math.round(what.ms / 1000);
    return t(`play-note-${what.note}`, { who, seconds });
  }
  const text = game.said(store, what, ears);
  return what.by ? t(`play-by-${what.by}`, { what: text }) : text;
}
