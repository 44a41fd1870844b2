// Rulings: the form asks for the blast radius first; only then can a ruling be confirmed. A ruling has a number: whoever
// finds it taken is told by whom, and looks again.

import { call, Refused } from "./api.js";
import { flash } from "./app.js";
import { differences, said as decisionSaid } from "./decision.js";
import { api, blame, told as refusalSaid } from "./desk.js";
import { shareOf, typed } from "./exact.js";
import { scoreText, valueText } from "./results.js";
import { called, namesSaid, position, whoName } from "./who.js";
import { data, h, lang, number, t } from "./words.js";

const { event, names, staff, method, methodName, drawn, open, correct, published } = data();
const form = document.getElementById("ruling");
const radius = document.getElementById("radius");
const made = document.getElementById("made");
const $ = (id) => document.getElementById(id);
const asked = new URLSearchParams(location.search);
let rulings = [];
/** The traveller of the chosen board: results by entrant. */
let results = new Map();
/** What is being looked at: the decision and its reason. */
let wanted = null;

const nameOf = (id) => whoName(id, names);
const when = (us) => new Date(us / 1000).toLocaleString(lang, { dateStyle: "short", timeStyle: "short" });
const said = (decision) => decisionSaid(decision, nameOf);
/** Ids of entrants in a sentence of the server as names. */
const spoken = (text) => namesSaid(text, names);
const told = (error) => spoken(refusalSaid(error));

/** Which ruling withdrew which. */
const withdrawn = () => new Map(rulings.filter((one) => one.decision.withdraw).map((one) => [one.decision.withdraw.ruling, one.number]));

function drawList() {
  const gone = withdrawn();
  if (rulings.length === 0) {
    made.replaceChildren(h("div", { class: "empty" }, h("p", {}, t("rulings-none"))));
    return;
  }
  made.replaceChildren(h("ol", { class: "rulings plain", reversed: true }, rulings.slice().reverse().map((one) => {
    const by = gone.get(one.number);
    const again = correct && !by && one.decision.void
      ? h("button", { class: "button quiet small", type: "button", "data-replay": one.number, onclick: () => askReplay(one) }, t("rulings-replay"))
      : null;
    const button = correct && !by && !one.decision.withdraw
      ? h("button", { class: "button quiet small", type: "button", "data-withdraw": one.number, onclick: () => askWithdraw(one) }, t("rulings-withdraw"), h("span", { class: "unseen" }, ` ${one.number}`))
      : null;
    return h("li", { class: by ? "ruling gone" : "ruling" },
      h("p", { class: "ruling-what" }, h("span", { class: "tag" }, t("rulings-number", { number: one.number })), one.pending ? h("span", { class: "tag" }, t("rulings-pending")) : null, " ", said(one.decision)),
      by ? h("p", { class: "ruling-gone" }, t("rulings-withdrawn-by", { number: by })) : null,
      h("p", {}, one.reason),
      h("p", { class: "muted" }, t("rulings-by", { name: called(one.by, staff), at: when(one.at) })),
      h("div", { class: "row" }, button, again,
        h("a", { class: "button quiet small", href: `/desk/${encodeURIComponent(event)}/rulings/${one.number}` }, t("rulings-form"), h("span", { class: "unseen" }, ` ${one.number}`))));
  })));
}

async function loadList() {
  ({ items: rulings } = await call("GET", `${api(event)}/rulings`));
  drawList();
}

// --- The form ---

const kind = () => form.elements.kind.value;

function arrange() {
  for (const part of form.querySelectorAll("[data-kind]")) part.hidden = !part.dataset.kind.split(" ").includes(kind());
  if (kind() === "standing") fillEntrants(Object.keys(names).map((id) => [id, nameOf(id)]));
  else fillEntrants([...results.keys()].map((id) => [id, labelOf(id)]));
  sayNow();
}

function fillEntrants(list) {
  const select = $("entrant");
  const before = select.value || asked.get("entrant");
  select.replaceChildren(...list.map(([id, label]) => h("option", { value: id, selected: id === before }, label)));
}

const labelOf = (id) => {
  const { seat, table } = results.get(id);
  return [nameOf(id), t("rulings-seat", { seat: position(seat) }), table ? t("orgjs-table", { table }) : null].filter(Boolean).join(" · ");
};

function sayNow() {
  const line = $("now");
  if (kind() === "standing") {
    line.textContent = "";
    return;
  }
  if (kind() === "void") {
    line.textContent = t("rulings-now-board", { count: number(results.size) });
    return;
  }
  const result = results.get($("entrant").value);
  line.textContent = result ? t("rulings-now", { score: scoreText(result.score), value: result.rate ? valueText(method, result.rate) : "–" }) : "";
  const link = result?.table && h("a", { href: `/events/${encodeURIComponent(event)}/boards/${$("board").value}/tables/${result.table}?from=${result.seat}` }, t("watch-replay"));
  if (link && result.over) line.append(" ", link);
}

let over = new Map();

async function loadBoard() {
  const board = $("board").value;
  results = new Map();
  if (board) {
    const { traveller } = await call("GET", `${api(event)}/views/traveller?board=${board}`);
    for (const { seat, results: lines } of traveller.seats) {
      for (const line of lines) results.set(line.entrant, { ...line, seat, over: over.get(Number(board)) });
    }
  }
  // A table in the address stands first, and its first seat is chosen.
  const table = asked.get("table");
  if (table && !asked.get("entrant")) {
    const at = [...results].filter(([, line]) => String(line.table) === table);
    if (at.length > 0) results = new Map([...at, ...[...results].filter(([, line]) => String(line.table) !== table)]);
  }
  arrange();
}

async function loadBoards() {
  const { items } = await call("GET", `${api(event)}/boards`);
  const begun = items.filter((one) => one.over > 0);
  over = new Map(items.map((one) => [one.board, one.state === "finished"]));
  $("no-boards").hidden = begun.length > 0;
  form.hidden = begun.length === 0;
  $("board").replaceChildren(...begun.map((one) => h("option", { value: one.board, selected: String(one.board) === asked.get("board") },
    t("rulings-board-option", { board: one.board, over: one.over, tables: one.tables }))));
  await loadBoard();
}

function outcomeRow(weight) {
  const place = $("outcomes").children.length + 1;
  $("outcomes").append(h("div", { class: "outcome" },
    h("div", { class: "field" }, h("label", { for: `weight-${place}` }, t("rulings-outcome-weight", { place })),
      h("input", { id: `weight-${place}`, inputmode: "decimal", autocomplete: "off", maxlength: 10, value: weight, "data-weight": true })),
    h("div", { class: "field" }, h("label", { for: `score-${place}` }, t("rulings-outcome-score", { place })),
      h("input", { id: `score-${place}`, inputmode: "text", autocomplete: "off", maxlength: 30, "data-score": true }))));
}

class Wrong extends Error {}
const wrong = (key, field) => {
  field?.setAttribute("aria-invalid", "true");
  field?.focus();
  return new Wrong(t(key));
};

const scoreOf = (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text);

function outcomes() {
  const list = [];
  let sum = 0;
  for (const row of $("outcomes").children) {
    const [weight, score] = [row.querySelector("[data-weight]"), row.querySelector("[data-score]")];
    if (weight.value.trim() === "" && score.value.trim() === "") continue;
    const [share, points] = [typed(weight.value), typed(score.value)];
    if (share === null || Number(share) <= 0) throw wrong("rulings-wrong-weight", weight);
    if (points === null) throw wrong("rulings-wrong-score", score);
    sum += Math.round(Number(share) * 1_000_000);
    list.push({ weight: shareOf(share), score: scoreOf(points) });
  }
  if (list.length === 0 || sum !== 100_000_000) throw wrong("rulings-wrong-sum", $("outcomes").querySelector("input"));
  return list;
}

function decision() {
  for (const input of form.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
  const what = kind();
  const board = Number($("board").value);
  const entrant = $("entrant").value;
  if (what === "void") return { void: { board } };
  if (!entrant) throw wrong("rulings-wrong-entrant", $("entrant"));
  if (what === "standing") return { standing: { entrant, standing: $("standing").value } };
  if (what === "status") return { status: { board, entrant, status: $("status").value } };
  if (what === "weighted") return { weighted: { board, entrant, outcomes: outcomes() } };
  if (what === "penalty") {
    const amount = typed($("amount").value);
    const share = ["score-rate", "linear-rate", "place-points"].includes(method);
    if (amount === null || Number(amount) <= 0 || (share && Number(amount) > 100)) throw wrong("rulings-wrong-amount", $("amount"));
    return { penalty: { board, entrant, amount: share ? { "of-top": shareOf(amount) } : { points: amount } } };
  }
  const score = typed($("score").value);
  if (score === null) throw wrong("rulings-wrong-score", $("score"));
  return { score: { board, entrant, score: scoreOf(score) } };
}

// --- The blast radius ---

function drawRadius({ changes, places, may }) {
  const results = changes.filter((one) => one.board !== null);
  const lines = changes.filter((one) => one.board === null);
  const moved = new Set(places);
  lines.sort((a, b) => moved.has(b.entrant) - moved.has(a.entrant));
  const body = [h("p", { class: places.length > 0 ? "notice warn" : "notice good" },
    t(changes.length === 0 ? "rulings-radius-none" : places.length > 0 ? "rulings-radius-places" : "rulings-radius-same",
      { places: number(places.length), results: number(results.length) }))];
  body.push(...differences([...results, ...lines], { method, methodName, nameOf }));
  if (published) body.push(h("p", {}, t("rulings-radius-published")));
  if (!may) body.push(h("p", { class: "notice warn" }, t("rulings-radius-chief")));
  $("confirm").hidden = !may;
  $("radius-body").replaceChildren(h("div", {}, body));
}

/** Whether the doubts about the ruling have been shown: whoever confirms then means it all the same. */
let doubted = false;

function drawDoubts(doubts) {
  doubted = doubts.length > 0;
  const box = $("radius-doubts");
  box.hidden = !doubted;
  box.replaceChildren(...doubts.map((one) => h("p", {}, spoken(one.message))));
  if (doubted) box.append(h("p", {}, t("rulings-doubt")));
}

const body = () => ({ number: rulings.length + 1, reason: wanted.reason, decision: wanted.decision, confirm: doubted });

/** Looks at what a ruling would change; where somebody ruled in the meantime, with the number that is free now. */
async function preview() {
  await loadList();
  for (let tries = 0; ; tries += 1) {
    try {
      const answer = await call("POST", `${api(event)}/rulings/preview`, body());
      $("radius-what").textContent = said(wanted.decision);
      drawRadius(answer);
      drawDoubts(answer.doubts);
      return;
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== "exists" || tries > 2) throw error;
      await loadList();
    }
  }
}

async function lookAt(what, place) {
  wanted = what;
  drawDoubts([]);
  blame(place, null);
  blame($("radius-conflict"), null);
  blame($("radius-fault"), null);
  try {
    await preview();
    $("confirm").disabled = false;
    if (!radius.open) radius.showModal();
    return true;
  } catch (error) {
    blame(place, told(error));
    return false;
  }
}

/** Somebody was faster: who, with what; and the same ruling is looked at again on top of it. */
async function conflict() {
  await preview();
  const last = rulings.at(-1);
  blame($("radius-conflict"), t("rulings-conflict", { name: called(last.by, staff), number: last.number, what: said(last.decision) }));
  $("radius-conflict").scrollIntoView({ block: "nearest" });
}

async function confirm() {
  const button = $("confirm");
  const fault = $("radius-fault");
  blame(fault, null);
  button.disabled = true;
  try {
    const answer = await call("POST", `${api(event)}/rulings`, body());
    flash(t(published ? "rulings-done-published" : "rulings-done", { number: answer.number }));
    location.assign(location.pathname);
  } catch (error) {
    button.disabled = false;
    if (error instanceof Refused && error.code === "exists") {
      try {
        await conflict();
      } catch (again) {
        blame(fault, told(again));
      }
    } else {
      blame(fault, told(error));
    }
  }
}

let replaying = null;

/** Asks whether a void board is to be replayed, with the board of the reserve set that would be played in its place. */
async function askReplay(ruling) {
  const fault = $("replay").querySelector('[role="alert"]');
  blame(fault, null);
  try {
    const plan = await call("POST", `${api(event)}/replays/preview`, { board: ruling.decision.void.board });
    replaying = plan.board;
    $("replay-what").textContent = t("rulings-replay-what", { board: plan.board, instead: plan.instead, tables: plan.tables });
    $("replay-why").value = ruling.reason;
    $("replay").showModal();
  } catch (error) {
    blame($("list-fault"), told(error));
  }
}

let leaving = null;

function askWithdraw(ruling) {
  leaving = ruling;
  $("withdraw-what").textContent = t("rulings-withdraw-what", { number: ruling.number, what: said(ruling.decision) });
  $("withdraw-why").value = "";
  blame($("withdraw").querySelector('[role="alert"]'), null);
  $("withdraw").showModal();
}

if (open) {
  outcomeRow("50");
  outcomeRow("50");
  $("outcome-more").addEventListener("click", () => outcomeRow(""));
  form.addEventListener("change", (changed) => {
    if (changed.target.id === "board") {
      loadBoard().catch((error) => blame($("fault"), told(error)));
    } else if (changed.target.name === "kind") arrange();
    else if (changed.target.id === "entrant") sayNow();
  });
  form.addEventListener("submit", async (submitted) => {
    submitted.preventDefault();
    const fault = $("fault");
    try {
      const reason = form.elements.reason.value.trim();
      const what = { decision: decision(), reason };
      if (!reason) throw wrong("rulings-wrong-reason", form.elements.reason);
      $("look").disabled = true;
      await lookAt(what, fault);
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      blame(fault, error.message);
    } finally {
      $("look").disabled = false;
    }
  });
  $("confirm").addEventListener("click", confirm);
  $("replay").querySelector("form").addEventListener("submit", async (submitted) => {
    submitted.preventDefault();
    const fault = $("replay").querySelector('[role="alert"]');
    const reason = $("replay-why").value.trim();
    if (!reason) return blame(fault, t("rulings-wrong-reason"));
    try {
      const made = await call("POST", `${api(event)}/replays`, { board: replaying, reason });
      flash(t("rulings-replay-done", { board: made.board, instead: made.instead }));
      location.assign(location.pathname);
    } catch (error) {
      blame(fault, told(error));
    }
  });
  $("withdraw").querySelector("form").addEventListener("submit", async (submitted) => {
    submitted.preventDefault();
    const reason = $("withdraw-why").value.trim();
    if (!reason) return blame($("withdraw").querySelector('[role="alert"]'), t("rulings-wrong-reason"));
    if (await lookAt({ decision: { withdraw: { ruling: leaving.number } }, reason }, $("withdraw").querySelector('[role="alert"]'))) $("withdraw").close();
  });
}

async function begin() {
  try {
    await loadList();
    if (open) await loadBoards();
  } catch (error) {
    blame($("list-fault"), told(error));
  }
}

if (drawn) {
  begin();
  // Other referees rule meanwhile.
  setInterval(() => {
    if (!document.hidden && !document.querySelector("dialog[open]")) loadList().catch(() => {});
  }, 10_000);
}
