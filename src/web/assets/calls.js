// Calls of the referee on the player's page: sent, seen by a referee, done. Each change is a toast that lies over the
// page, moves nothing, can be closed and goes away by itself; the button for calls says how the latest open one stands.

import { data, h, t } from "./words.js";

const ORDER = ["sent", "seen", "done"];
/** How long a toast stays, ms. What it says stands at the button, too. */
const STAYS = 12_000;
const KEY = `fushi.calls.${data().event}`;

const box = h("div", { id: "toasts", role: "status", "aria-live": "polite" });
document.body.append(box);

let calls = new Map();
try {
  calls = new Map(JSON.parse(sessionStorage.getItem(KEY) ?? "[]"));
} catch {
  // What cannot be read is as if nobody had called.
}

/** Shows a toast in place of the one before it; one of a fault stays until it is closed. */
export function toast(text, kind = "good") {
  const close = () => made.remove();
  const made = h("p", { class: `toast ${kind}` }, h("span", {}, text),
    h("button", { class: "toast-close", type: "button", "aria-label": t("play-call-close"), onclick: close }, "×"));
  box.replaceChildren(made);
  if (kind !== "bad") setTimeout(close, STAYS);
}

/** Writes at the button how the latest call stands with which nobody has dealt yet. */
function atButton() {
  const button = document.getElementById("tool-call");
  const open = [...calls.values()].filter((state) => state !== "done").at(-1);
  button.querySelector(".call-state")?.remove();
  if (open) button.append(h("span", { class: "call-state" }, t(`play-call-tool-${open}`)));
}

/** A call has gone on. It never goes back, whatever comes late; what was known already needs no toast. */
export function callWentOn({ play, n, state }) {
  const key = `${play}/${n}`;
  const known = ORDER.indexOf(calls.get(key));
  if (ORDER.indexOf(state) <= known) return;
  // Of a call that this page did not make only what is still open matters.
  if (known >= 0 || state !== "done") toast(t(`play-call-${state}`));
  calls.set(key, state);
  sessionStorage.setItem(KEY, JSON.stringify([...calls]));
  atButton();
}

atButton();
