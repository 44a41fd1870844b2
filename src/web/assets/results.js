// What the pages of results share: numbers as the server rounds them, marks, search, printing, sealed words.

import { Refused } from "./api.js";
import { notify } from "./app.js";
import { whoName } from "./who.js";
import { data, h, signed, t } from "./words.js";

export const facts = data();
export const place = (id) => document.getElementById(id);
export const api = (path) => `/api/v1/events/${encodeURIComponent(facts.event)}/${path}`;
/** An address with one more question in it, before its fragment. */
function asking(address, question) {
  const [way, fragment] = address.split("#");
  return `${way}${way.includes("?") ? "&" : "?"}${question}${fragment === undefined ? "" : `#${fragment}`}`;
}

/** The API for results: what the public sees, whoever is logged in, but on a page that is the desk's own view. */
export const asked = (path) => (facts.view === "desk" ? api(path) : asking(api(path), "public=true"));

/** A page of the event, in the same view. */
export function page(path) {
  const address = `/events/${encodeURIComponent(facts.event)}${path}`;
  return facts.view === "desk" ? asking(address, "view=desk") : address;
}

const RATES = new Set(["score-rate", "linear-rate"]);

/** Whether a method's values are shares that are shown in percent. */
export const isRate = (method) => RATES.has(method);

/** A fraction `[num, den]` rounded half away from zero. */
export function fixed([num, den], decimals, factor = 1) {
  const scale = 10n ** BigInt(decimals);
  const [top, bottom] = [BigInt(num) * BigInt(factor), BigInt(den)];
  const size = top < 0n ? -top : top;
  const rounded = (2n * size * scale + bottom) / (2n * bottom);
  const sign = top < 0n && rounded !== 0n ? "−" : "";
  const whole = String(rounded / scale);
  return decimals === 0 ? sign + whole : `${sign}${whole}.${String(rounded % scale).padStart(decimals, "0")}`;
}

/** A value as tables show it; shorter in dense ones. */
export function valueText(method, value, dense = false) {
  if (!value) return "–";
  if (isRate(method)) return fixed(value, dense ? 1 : 2, 100) + (dense ? "" : " %");
  return fixed(value, dense ? 1 : 2);
}

/** A fraction as a number, for drawing only. */
export const size = ([num, den]) => Number(num) / Number(den);

/** A raw score. */
export const scoreText = (score) => (score === null || score === undefined ? "–" : typeof score === "number" ? signed(score) : String(score));

const counts = (result) => result.rate !== null && result.rate !== undefined;

/** A value with its marks: `*` by ruling, `!` with a penalty, in brackets when it does not count. */
export function marked(text, result) {
  const marks = (result.ruling ? "*" : "") + (result.penalties ? "!" : "");
  return counts(result) ? text + marks : `(${text})${marks}`;
}

/** The numbers of the rulings that a result of a view rests on. */
export const rulingsOf = (result) => [result.ruling, ...(result.penalties ?? [])].filter(Boolean);

/** The same as parts of a page: each mark leads to its ruling. */
export function markedLinks(text, result) {
  const link = (mark, one) => h("a", { class: "ruling-link", href: page(`/rulings#ruling-${one}`), "aria-label": t("watch-ruling-of", { number: one }) }, mark);
  const marks = [result.ruling ? link("*", result.ruling) : null, (result.penalties ?? []).map((one) => link("!", one))];
  return [counts(result) ? text : `(${text})`, marks];
}

/** What the marks mean, and the way to the rulings. */
export const legend = () => h("p", { class: "table-note" }, t("watch-legend"), " · ", h("a", { href: page("/rulings") }, t("watch-to-rulings")));

/** The marks in words, for ears. */
export function marksSaid(result) {
  return [result.ruling && t("watch-by-ruling"), result.penalties && t("watch-penalty"), !counts(result) && t("watch-not-counted")].filter(Boolean).join(" · ");
}

/** Who an entrant, a stand-in or a computer player is. */
export const nameOf = (id) => whoName(id, facts.names);

/** The name of an entrant, with a link to the card where there is one. */
export function nameLink(id, name = facts.names[id]) {
  if (name === undefined) return h("span", { class: "who-name" }, nameOf(id));
  return h("a", { class: "who-name", href: page(`/entrants/${encodeURIComponent(id)}`) }, name);
}

/** Kind words where there is nothing to show. */
export const empty = (title, how, link) => h("div", { class: "empty" }, h("p", {}, h("strong", {}, title)), how ? h("p", { class: "muted" }, how) : null, link ?? null);

/** Puts what was made into the sheet. */
export function fill(...children) {
  const sheet = place("sheet");
  sheet.replaceChildren(...children.filter(Boolean));
  sheet.removeAttribute("aria-busy");
}

/** Runs what asks the server, and says a refusal in words. */
export async function trying(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    place("sheet")?.removeAttribute("aria-busy");
    notify(error.message, "bad");
  }
}

/** Calls `search` with what is typed into the search field, in small letters. */
export function onFind(search) {
  const field = place("find");
  let timer = 0;
  field?.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => search(field.value.trim().toLocaleLowerCase()), 120);
  });
  return () => field?.value.trim().toLocaleLowerCase() ?? "";
}

/** Listens to the standings as they change. */
export function follow(hear, state) {
  const source = new EventSource(asked("live"));
  source.addEventListener("standings", (message) => {
    state(true);
    hear(JSON.parse(message.data));
  });
  source.addEventListener("error", () => state(false));
  window.addEventListener("pagehide", () => source.close());
}

for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => window.print());
