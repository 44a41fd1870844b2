// A word that lies over the page for some seconds, moves nothing and can be closed.

import { h, t } from "./words.js";

/** How long a toast stays, ms. */
const STAYS = 12_000;

const box = h("div", { id: "toasts", role: "status", "aria-live": "polite" });
document.body.append(box);

/** Shows a toast in place of the one before it; one of a fault stays until it is closed. */
export function toast(text, kind = "good") {
  const close = () => made.remove();
  const made = h("p", { class: `toast ${kind}` }, h("span", {}, text),
    h("button", { class: "toast-close", type: "button", "aria-label": t("play-call-close"), onclick: close }, "×"));
  box.replaceChildren(made);
  if (kind !== "bad") setTimeout(close, STAYS);
}
