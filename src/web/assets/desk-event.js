// An event while it is played: numbers and time go on by themselves; when something has happened the page is loaded again.

import { call, Refused } from "./api.js";
import { api, clock } from "./desk.js";
import { scrollsByItself } from "./scroll.js";
import { data, lang, number, t } from "./words.js";

const { event, live, progress: first } = data();
const timer = document.getElementById("timer");
const how = document.getElementById("how");
const bar = document.getElementById("bar");

/** What decides which buttons there are. */
const key = (progress) => JSON.stringify([progress.rounds, progress.rounds_over, progress.paused, progress.plays > 0 && progress.over === progress.plays]);

let until = null;
let left = null;
let paused = false;

function show(progress) {
  paused = progress.paused;
  left = progress.round_left_ms ?? null;
  until = left === null ? null : performance.now() + left;
  if (how) {
    const counts = { played: progress.over - progress.unfinished, cut: progress.unfinished, plays: progress.plays, connected: progress.connected };
    const said = Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, number(count)]));
    how.textContent = t(progress.unfinished > 0 ? "orgjs-progress-cut" : "orgjs-progress", said);
    bar.max = Math.max(1, progress.plays);
    bar.value = progress.over;
  }
  tick();
}

function tick() {
  if (!timer) return;
  timer.hidden = until === null && !paused;
  const ms = paused || until === null ? left ?? 0 : until - performance.now();
  timer.textContent = paused ? (left === null ? t("orgjs-paused") : `${clock(ms)} ${t("orgjs-paused")}`) : clock(ms);
  timer.classList.toggle("ending", !paused && ms < 60_000);
}

async function look() {
  try {
    const { progress } = await call("GET", `${api(event)}/progress`);
    if (key(progress) !== key(first) && !document.querySelector("dialog[open]")) return location.reload();
    show(progress);
  } catch (error) {
    // It is asked again soon.
    if (!(error instanceof Refused)) throw error;
  }
  setTimeout(look, document.hidden ? 10_000 : 2000);
}

const seats = document.querySelector(".seat-list");
if (seats) {
  // Chinese names by pinyin or strokes, as the language of the page sorts them.
  const { compare } = new Intl.Collator(lang, { numeric: true });
  const name = (line) => line.querySelector(".seat-name").textContent;
  scrollsByItself(seats.parentElement);
  seats.replaceChildren(...[...seats.children].toSorted((a, b) => compare(name(a), name(b))));
}

if (live) {
  show(first);
  setInterval(tick, 250);
  setTimeout(look, 2000);
} else if (document.body.classList.contains("projector")) {
  // Seats are drawn at some time: the hall's screen finds out by itself.
  setTimeout(() => location.reload(), 15_000);
}
