// The player's page: it joins what comes over the socket, what the person does, and what is drawn.

import { deviceOf, dropSeat } from "./api.js";
import { Asking } from "./asking.js";
import { callWentOn } from "./calls.js";
import { readable } from "./cards.js";
import { Clocks } from "./clocks.js";
import { enter } from "./enter.js";
import { chosenSaid, Hand } from "./hand.js";
import holdem from "./holdem.js";
import { Net } from "./net.js";
import { drawConnection, drawResult, drawWaiting } from "./panels.js";
import { apply, change, setting, shake, sound } from "./sound.js";
import { Store } from "./store.js";
import { startHints } from "./start.js";
import { drawActions, drawSide, drawTable, notNow, sentence, standsWhy } from "./table.js";
import { toast } from "./toast.js";
import * as trial from "./trial.js";
import tuolaji from "./tuolaji.js";
import wakeng from "./wakeng.js";
import { seatWord } from "./who.js";
import { data, lang, t } from "./words.js";

const facts = data();
const game = { wakeng, tuolaji, holdem }[facts.game];
const store = new Store(facts.event);
store.trial = Boolean(facts.trial);
const place = (id) => document.getElementById(id);
const title = document.title;
let net = null;

const ui = {
  playing: null,
  amount: null,
  sure: null,
  busy: false,
  readySaid: false,
  open: false,
  hints: 0,
  hinted: "",
  act,
  play,
  hint,
  bet,
  playable: (cards) => asking.playable(cards),
  why: (cards) => asking.why(cards),
};

const hand = new Hand(place("hand"), {
  changed() {
    ui.hinted = "";
    refusal(null);
    drawActions(game, store, hand, ui);
  },
  shut() {
    if (!store.view || store.finished || game.hand(store).length === 0) return;
    refusal(ui.busy ? t("play-sending") : notNow(game, store));
  },
});

const asking = new Asking(store, ui, () => hand.selection(), (board, text) => net.check(board, text));

const myTurn = () => Boolean(store.mine && store.view && game.turn(store).includes(store.me));

const clocks = new Clocks(store, myTurn, (seconds) => {
  sound("warn");
  if (seconds === 5) say(t("play-seconds-left", { seconds }));
});

/** Says something to those who listen. */
function say(text) {
  const live = place("live");
  const line = document.createElement("p");
  line.textContent = text;
  live.append(line);
  while (live.childElementCount > 4) live.firstElementChild.remove();
}

function refusal(text) {
  const line = place("refused");
  line.hidden = !text;
  line.textContent = text ?? "";
}

function draw() {
  drawConnection(store, () => net.retake());
  drawWaiting(store, { ready, said: ui.readySaid });
  drawResult(game, store);
  const seated = Boolean(store.view);
  place("table").hidden = !seated;
  place("tool-call").hidden = !seated || Boolean(store.finished) || store.trial;
  document.body.classList.toggle("at-table", seated);
  if (!seated) {
    place("side").hidden = true;
    return;
  }
  ui.busy = net.busy();
  ui.playing = store.mine ? game.playing(store) : null;
  drawTable(game, store);
  const groups = game.hand(store);
  place("hand").hidden = groups.length === 0;
  hand.show(groups);
  const open = Boolean(ui.playing);
  hand.offer(store.cut || !open ? null : ui.playing.plays, open, ui.playing?.kind);
  drawActions(game, store, hand, ui);
  drawSide(game, store);
  clocks.tick();
  document.title = myTurn() ? `● ${t("play-your-turn")} · ${title}` : title;
}

/** The server has said whether chosen cards can be played. */
function checked(message) {
  const said = asking.heard(message);
  if (!said) return;
  if (said.wanted && store.mine && !ui.busy && !store.stands) return send(said.text);
  if (!store.view) return;
  drawActions(game, store, hand, ui);
  const cards = hand.selection();
  if (said.message && cards.length > 0 && ui.playing && asking.text(cards) === said.text) say(said.message);
}

function send(text, after) {
  refusal(null);
  ui.sure = null;
  net.act(store.seated.play, text, after);
  draw();
}

function act(choice, sure = false) {
  if (!choice) {
    ui.sure = null;
    return draw();
  }
  if (!store.mine || ui.busy || choice.off) return;
  if (store.stands) return refusal(standsWhy(store));
  if (choice.sure && !sure) {
    ui.sure = choice.act;
    draw();
    return document.querySelector('[data-name="not-sure"]')?.focus();
  }
  // Cards go on being drawn: a call says how many there are now.
  send(choice.act, choice.drawn ? store.view.drawn : undefined);
}

function play() {
  const cards = hand.selection();
  if (!store.mine || ui.busy || cards.length === 0) return;
  if (store.stands) return refusal(standsWhy(store));
  if (asking.playable(cards)) return send(asking.text(cards));
  // Nobody has said yet whether this can be played: it is asked first, so that nothing is refused.
  if (asking.verdict(cards) === null) asking.want(cards);
  else sound("no");
}

function bet(verb) {
  if (!store.mine || ui.busy || ui.amount === null || !game.amounts?.(store)) return;
  if (store.stands) return refusal(standsWhy(store));
  send(`${verb} ${ui.amount}`);
}

/** Chooses the next legal play: one for each kind that differs. */
function hint() {
  const { playing } = ui;
  if (!playing || playing.plays.length === 0) return;
  const kinds = new Map();
  for (const cards of playing.plays) {
    const kind = playing.pattern(cards);
    if (!kinds.has(kind)) kinds.set(kind, cards);
  }
  const list = [...kinds.values()];
  const key = `${store.seated.play}.${store.n}`;
  ui.hints = ui.hinted === key ? (ui.hints + 1) % list.length : 0;
  hand.choose(list[ui.hints]);
  ui.hinted = key;
  say(chosenSaid(hand.selection()));
}

function ready() {
  if (ui.readySaid || store.waiting?.for !== "ready") return;
  ui.readySaid = true;
  net.ready();
  draw();
}

/** Whoever was timed out is told so. */
function timedOut(what) {
  const played = /^(play|pass|lay-away)\b/.test(what.do);
  const said = { what: game.said(store, what, false) };
  toast(t(played ? "play-timed-out" : "play-timed-out-choice", said), "warn");
  shake([200, 80, 200]);
}

/** What happened, for ears and for those who look elsewhere. */
function announce(message, news) {
  if (news === "event") {
    const { what } = message;
    if (what.kind !== "note" || what.note !== "deal") {
      for (const one of message.revealed ?? []) say(sentence(game, store, one.what, true));
      if (what.seat !== store.me || what.kind === "note" || what.by) say(sentence(game, store, what, true));
      if (what.seat === store.me && what.by === "clock" && what.kind === "action") timedOut(what);
      sound("card");
    }
  }
  if (news === "seated") say(t("play-seated-said", { board: store.seated.board, seat: seatWord(store.seated.seat) }));
  if (news === "finished") {
    sound("over");
    window.scrollTo(0, 0);
    const own = message.scores?.[store.me];
    if (own !== undefined) say(`${t("play-your-score")} ${game.score(own)}`);
  }
  if (news === "paused") say(t(store.paused ? "play-paused" : "play-goes-on"));
}

/** A warning stays until the player has taken note of it. */
function warned() {
  const dialog = place("warned");
  const [first] = store.warnings;
  if (!first || dialog.open) return;
  place("warned-what").textContent = t(`play-warned-${first.code}`);
  place("warned-reason").textContent = first.reason;
  place("warned-count").textContent = t("play-warned-count", { count: first.count });
  dialog.showModal();
}

place("warned").addEventListener("close", () => {
  store.warnings.shift();
  warned();
});

let wasMine = false;
let wasPhase = null;

/** The end of the drawing is said: from then on there are seconds left for a call. */
function callWindow() {
  const phase = store.view?.phase ?? null;
  if (phase === "window" && wasPhase === "draw" && store.mine) {
    sound("turn");
    say(t("play-window-said", { seconds: store.seated.rules.call_window_s }));
  }
  wasPhase = phase;
}

function hear(message) {
  if (message.type === "accepted" || message.type === "refused") return answered(message);
  if (message.type === "called") return callWentOn(message);
  if (message.type === "compared") return trial.drawCompared(game, facts, message);
  if (message.type === "checked") return checked(message);
  const news = store.take(message);
  if (news === "gap") {
    store.view = null;
    store.n = 0;
    return net.again();
  }
  if (news === "welcome") asking.again();
  if (message.type === "replaced") store.error = message;
  if (news === "warned") {
    sound("no");
    shake([200, 80, 200]);
    warned();
  }
  if (news === "waiting") {
    // A connection that broke takes the word back: it is given again.
    if (ui.readySaid && message.for === "ready" && !net.pending.size) net.ready();
    if (message.for !== "ready") ui.readySaid = false;
  }
  if (news === "seated") {
    Object.assign(ui, { readySaid: false, amount: null, sure: null, hinted: "" });
    place("result").dataset.play = "";
  }
  if (news === "event" || news === "snapshot") {
    ui.sure = null;
    if (!store.mine) ui.amount = null;
  }
  announce(message, news);
  draw();
  if (store.trial && news === "finished") trial.comparing();
  if (store.trial && news === "error" && message.code === "token") trial.ended(facts);
  callWindow();
  const mine = myTurn();
  if (mine && !wasMine) {
    sound("turn");
    shake([120]);
    say(`${t("play-your-turn")} ${game.prompt(store)}`);
  }
  wasMine = mine;
}

/** A call of trump that crossed with the next card is made once more, with the new number of cards. */
function crossed(command, code) {
  const { play, do: text, after } = command ?? {};
  if (code !== "wrong_phase" || !text?.startsWith("call ") || play !== store.seated?.play) return false;
  if (!store.legal?.includes(text) || store.view.drawn === after) return false;
  net.act(play, text, store.view.drawn);
  return true;
}

function answered({ type, command, code, message, play, n }) {
  if (type === "refused" && crossed(command, code)) return;
  if (type === "refused") {
    sound("no");
    if (command?.type === "ready") ui.readySaid = false;
    if (command?.type === "call") toast(message, "bad");
    // Over is over: a command of an earlier board needs no words.
    else if (!(command?.type === "act" && command.play !== store.seated?.play)) refusal(readable(message));
    if (["busy", "try_again"].includes(code)) shake([60]);
  } else if (command?.type === "call") {
    callWentOn({ play, n, state: "sent" });
  }
  draw();
}

function keys(event) {
  const typing = event.target.closest?.("input:not([type=range]), textarea, select, dialog[open]");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key.toLowerCase();
  if (key === "?") return place("keys").showModal();
  if (key === "r" && store.waiting) return ready();
  if (!store.mine || ui.busy) return;
  const choice = game.choices(store).find((one) => one.key === key && !one.off);
  if (choice) return act(choice);
  if (key === "b" && game.amounts?.(store)) return bet(game.amounts(store).verb);
  if (!ui.playing) return;
  if (key === "h") return hint();
  if (key === "p" && ui.playing.pass) return act({ act: "pass" });
  if (key === "escape") return hand.clear();
  if (key === "enter" && (!event.target.closest?.("button, a") || event.target.closest(".card"))) {
    event.preventDefault();
    return play();
  }
  const rank = key === "0" ? "T" : key.toUpperCase();
  if (/^[2-9TJQKA]$/.test(rank)) hand.rank(rank);
  else if (event.key.startsWith("Arrow") && !event.target.closest?.(".hand, input")) {
    event.preventDefault();
    hand.focus();
  }
}

function sheets() {
  const sheet = (button, id) => place(button).addEventListener("click", () => place(id).showModal());
  sheet("tool-keys", "keys");
  sheet("tool-settings", "settings");
  sheet("tool-call", "call");
  place("settings-close").addEventListener("click", () => place("settings").close());
  place("call-cancel").addEventListener("click", () => place("call").close());
  place("call-send").addEventListener("click", () => {
    net.callReferee(store.finished ? undefined : store.seated?.play, place("call-text").value.trim());
    place("call-text").value = "";
    place("call").close();
  });
  for (const name of ["sound", "vibrate", "four", "big"]) {
    const box = place(`set-${name}`);
    box.checked = setting(name);
    box.addEventListener("change", () => {
      change(name, box.checked);
      if (name === "sound" && box.checked) sound("turn");
    });
  }
  place("start-again").addEventListener("click", () => {
    startHints(facts.game, true);
    place("settings").close();
  });
  place("leave").addEventListener("click", () => {
    if (store.trial) {
      trial.forget(facts);
      return location.assign("/");
    }
    dropSeat(facts.event);
    location.assign(`/seat?event=${encodeURIComponent(facts.event)}`);
  });
}

function connect(seat) {
  place("rules").hidden = true;
  startHints(facts.game);
  net = new Net({
    event: facts.event,
    token: seat.token,
    device: deviceOf(facts.event),
    lang,
    hear,
    seen: () => store.seen(),
    state(state) {
      store.connection = state;
      draw();
    },
  });
  sheets();
  document.addEventListener("keydown", keys);
  document.addEventListener("visibilitychange", () => net.focus(!document.hidden));
  net.open();
}

apply();
document.body.classList.add(`game-${facts.game}`);
if (store.trial) trial.begin(facts, connect);
else enter(facts, connect);
