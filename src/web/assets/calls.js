// Calls of the referee on the player's page: sent, seen by a referee, done. Each change is a toast; the
// button for calls says how the latest open one stands.

import { toast } from "./toast.js";
import { data, h, t } from "./words.js";

const ORDER = ["sent", "seen", "done"];
const KEY = `fushi.calls.${data().event}`;

let calls = new Map();
try {
  calls = new Map(JSON.parse(sessionStorage.getItem(KEY) ?? "[]"));
} catch {
  // What cannot be read is as if nobody had called.
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
