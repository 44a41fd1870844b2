// What every page does: theme, logging out, notices.

import { call, Refused } from "./api.js";
import { h, t } from "./words.js";

const FLASH = "fushi.flash";

/** Shows a notice on top of the page. */
export function notify(text, kind = "good") {
  const place = document.getElementById("notices");
  place.replaceChildren(h("p", { class: `notice ${kind}` }, text));
}

/** Shows a notice on the page that comes next. */
export function flash(text) {
  sessionStorage.setItem(FLASH, text);
}

function choose({ themeChoice: theme, media }) {
  document.getElementById("dark").media = media;
  const year = 400 * 24 * 3600;
  document.cookie = `fushi_theme=${theme}; path=/; max-age=${year}; samesite=lax`;
  for (const button of document.querySelectorAll("[data-theme-choice]")) {
    button.setAttribute("aria-pressed", String(button.dataset.themeChoice === theme));
  }
}

for (const button of document.querySelectorAll("[data-theme-choice]")) {
  button.addEventListener("click", () => choose(button.dataset));
}

for (const button of document.querySelectorAll('[data-do="log-out"]')) {
  button.addEventListener("click", async () => {
    try {
      await call("DELETE", "/api/v1/session");
      flash(t("js-logged-out"));
      location.assign("/");
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      notify(error.message, "bad");
    }
  });
}

const waiting = sessionStorage.getItem(FLASH);
if (waiting) {
  sessionStorage.removeItem(FLASH);
  notify(waiting);
}
