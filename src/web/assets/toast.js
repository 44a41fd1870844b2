// A word that lies over the page for some seconds and moves nothing.

import { h } from "./words.js";

const STAYS = 8000;
let timer = null;

/** Shows a toast. It goes by itself, or when it is touched. */
export function toast(text, kind = "") {
  const place = document.getElementById("toast");
  const line = h("p", { class: `toast ${kind}` }, text);
  line.addEventListener("click", () => line.remove());
  place.replaceChildren(line);
  clearTimeout(timer);
  timer = setTimeout(() => line.remove(), STAYS);
}
