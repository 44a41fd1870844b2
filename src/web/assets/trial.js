// A board to try: a seat without a slip, and at the end what computer players made of the same cards.

import { call, Refused } from "./api.js";
import { cells, columnsOf, heads } from "./story.js";
import { whoName } from "./who.js";
import { h, number, t } from "./words.js";

const place = (id) => document.getElementById(id);

/** The token of the board, for this tab only. */
const key = (game) => `fushi.trial.${game}`;

/** Forgets the board, and what was kept of it. */
export function forget({ game, event }) {
  for (const one of [key(game), `fushi.results.${event}`, `fushi.pending.${event}`]) sessionStorage.removeItem(one);
}

/** Calls `connect(seat)` with the board of this tab, or with a fresh one. */
export async function begin(facts, connect) {
  const held = sessionStorage.getItem(key(facts.game));
  if (held) {
    connect({ token: held });
    return;
  }
  forget(facts);
  try {
    const { token } = await call("POST", "/api/v1/trials", { game: facts.game });
    sessionStorage.setItem(key(facts.game), token);
    connect({ token });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const line = place("trial-fault");
    line.textContent = error.message;
    line.hidden = false;
  }
}

const again = (facts) => () => {
  forget(facts);
  location.reload();
};

/** What follows after the board: another one, or a look at events. */
const onward = (facts) => h("p", { class: "row" },
  h("button", { class: "button", type: "button", id: "try-again", onclick: again(facts) }, t("play-try-again")),
  h("a", { class: "button quiet", href: "/" }, t("play-try-events")));

/** The board that this tab remembers is forgotten. */
export function ended(facts) {
  forget(facts);
  const panel = place("waiting");
  panel.hidden = false;
  panel.replaceChildren(h("p", {}, t("play-try-ended")), onward(facts));
}

/** As long as the comparison is not there. */
export function comparing() {
  const panel = place("compared");
  if (!panel.hidden) return;
  panel.hidden = false;
  panel.replaceChildren(h("h2", {}, t("watch-compared")), h("p", { class: "muted" }, t("watch-compared-waits")));
}

/** A share in percent, two decimals, rounded half up. */
function percent([points, top]) {
  const hundredths = (BigInt(points) * 20000n + BigInt(top)) / (2n * BigInt(top));
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, "0")}`;
}

/** Equal results of equal players with equal stories together, in the order in which they came. */
function grouped(results) {
  const groups = new Map();
  for (const one of results) {
    const same = JSON.stringify([one.level, one.score, one.story]);
    if (groups.has(same)) groups.get(same).count += 1;
    else groups.set(same, { ...one, count: 1 });
  }
  return [...groups.values()];
}

/** The comparison: the own result among those of computer players in the same seat. */
export function drawCompared(game, facts, { rate, results }) {
  const panel = place("compared");
  const columns = columnsOf(results.map(({ story }) => story));
  const line = ({ level, score, story, count }) => h("tr", { class: level === null ? "mine" : "" },
    h("th", { scope: "row" }, level === null ? t("watch-compared-you") : whoName(`ai:${level}`, {}), count > 1 ? h("span", { class: "times" }, ` ×${number(count)}`) : null),
    h("td", { class: "number strong", "data-label": t("watch-score") }, score === null ? "–" : game.score(score)),
    cells(columns, story));
  panel.hidden = false;
  panel.replaceChildren(
    h("h2", { id: "compared-title" }, t("watch-compared")),
    rate ? h("p", { class: "own-score", id: "compared-rate" }, h("span", { class: "muted" }, t("watch-compared-rate")), " ", h("strong", {}, `${percent(rate)} %`)) : "",
    h("p", { class: "muted" }, t("watch-compared-how")),
    h("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-labelledby": "compared-title" },
      h("table", { class: "scores stories" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("watch-player")), h("th", { scope: "col", class: "number" }, t("watch-score")), heads(columns))),
        h("tbody", {}, grouped(results).map(line)))),
    onward(facts));
}
