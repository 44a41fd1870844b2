// The player's page: it joins what comes over the socket, what the person does, and what is drawn.

import { call, deviceOf, dropSeat, heldSeat, keepSeat, Refused } from "./api.js";
import { notify } from "./app.js";
import { nameOf, same } from "./cards.js";
import { Clocks } from "./clocks.js";
import { chosenSaid, Hand } from "./hand.js";
import holdem from "./holdem.js";
import { Net } from "./net.js";
import { drawConnection, drawResult, drawWaiting } from "./panels.js";
import { apply, change, setting, shake, sound } from "./sound.js";
import { Store } from "./store.js";
import { drawActions, drawSide, drawTable, sentence } from "./table.js";
import tuolaji from "./tuolaji.js";
import wakeng from "./wakeng.js";
import { seatWord } from "./who.js";
import { data, lang, t } from "./words.js";

const facts = data();
const game = { wakeng, tuolaji, holdem }[facts.game];
const store = new Store(facts.event);
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
  playable,
};

const hand = new Hand(place("hand"), {
  changed() {
    ui.hinted = "";
    refusal(null);
    drawActions(game, store, hand, ui);
  },
  tried(card) {
    sound("no");
    refusal(t("play-cannot-choose", { card: nameOf(card) }));
  },
});

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
  place("tool-call").hidden = !seated || Boolean(store.finished);
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
  hand.offer(store.cut || !open ? null : ui.playing.plays, open);
  drawActions(game, store, hand, ui);
  drawSide(game, store);
  clocks.tick();
  document.title = myTurn() ? `● ${t("play-your-turn")} · ${title}` : title;
}

/** Whether these cards can be sent: the server's list says so; where it is cut, the server will say. */
function playable(cards) {
  const { playing } = ui;
  if (!playing || cards.length === 0) return false;
  if (playing.plays.some((play) => same(play, cards))) return true;
  return store.cut && (!playing.count || playing.count === cards.length);
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
  if (!store.mine || ui.busy || !playable(cards)) {
    if (cards.length > 0) refusal(t("play-not-legal"));
    return;
  }
  send(`${ui.playing.verb} ${cards.join(" ")}`);
}

function bet(verb) {
  if (!store.mine || ui.busy || ui.amount === null || !game.amounts?.(store)) return;
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

/** What happened, for ears and for those who look elsewhere. */
function announce(message, news) {
  if (news === "event") {
    const { what } = message;
    if (what.kind !== "note" || what.note !== "deal") {
      if (what.seat !== store.me || what.kind === "note" || what.by) say(sentence(game, store, what, true));
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

function hear(message) {
  if (message.type === "accepted" || message.type === "refused") return answered(message);
  const news = store.take(message);
  if (news === "gap") {
    store.view = null;
    store.n = 0;
    return net.again();
  }
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

function answered({ type, command, code, message }) {
  if (type === "refused" && crossed(command, code)) return;
  if (type === "refused") {
    sound("no");
    if (command?.type === "ready") ui.readySaid = false;
    if (command?.type === "call") notify(message, "bad");
    // Over is over: a command of an earlier board needs no words.
    else if (!(command?.type === "act" && command.play !== store.seated?.play)) refusal(message);
    if (["busy", "try_again"].includes(code)) shake([60]);
  } else if (command?.type === "call") {
    notify(t("play-called-referee"));
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
  place("leave").addEventListener("click", () => {
    dropSeat(facts.event);
    location.assign(`/seat?event=${encodeURIComponent(facts.event)}`);
  });
}

function connect(seat) {
  place("rules").hidden = true;
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

/** The rules come first: once for each seat and each version of the rules. */
function rules(seat) {
  const key = `fushi.rules.${facts.event}`;
  const wanted = `${seat.token.slice(-12)} ${facts.rulesHash}`;
  if (sessionStorage.getItem(key) === wanted || localStorage.getItem(key) === wanted) return connect(seat);
  const panel = place("rules");
  panel.hidden = false;
  place("accept").addEventListener("click", async () => {
    const fault = place("rules-fault");
    fault.hidden = true;
    place("accept").disabled = true;
    try {
      const path = `/api/v1/events/${encodeURIComponent(facts.event)}/checkin`;
      await call("POST", path, { rules_hash: facts.rulesHash }, seat.token);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // An event that is over takes no check-in any more, but may still be looked at.
      if (error.code !== "stage") {
        fault.textContent = error.message;
        fault.hidden = false;
        place("accept").disabled = false;
        return;
      }
    }
    sessionStorage.setItem(key, wanted);
    localStorage.setItem(key, wanted);
    connect(seat);
  });
}

function begin() {
  apply();
  document.body.classList.add(`game-${facts.game}`);
  // A token behind `#` is kept and taken out of the address bar.
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token) {
    keepSeat(facts.event, { token });
    history.replaceState(null, "", location.pathname + location.search);
  }
  const seat = heldSeat(facts.event);
  if (seat?.token) return rules(seat);
  location.replace(`/seat?event=${encodeURIComponent(facts.event)}`);
}

begin();
