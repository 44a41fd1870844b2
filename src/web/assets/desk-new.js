// A new event: a game and a name; the rest has usual values.

import { call } from "./api.js";
import { sends } from "./forms.js";
import { data, lang, t } from "./words.js";

const { games, host } = data();
const form = document.getElementById("new");
const title = form.elements.title;
let own = false;

const today = () => {
  const now = new Date();
  const two = (value) => String(value).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
};

function propose() {
  if (!own) title.value = t("orgjs-title", { game: games[form.elements.game.value], day: today() });
}

title.addEventListener("input", () => {
  own = title.value.trim() !== "";
});
for (const radio of form.elements.game) radio.addEventListener("change", propose);
propose();

// What a club plays in an evening; everything can be changed on the next page.
const USUAL = {
  wakeng: { format: "individual", boards: 12, boards_per_round: 3 },
  tuolaji: { format: "pairs", boards: 12, boards_per_round: 2 },
  holdem: { format: "individual", boards: 24, boards_per_round: 6 },
};

sends(form, async ({ game, title: name }) => {
  const made = await call("POST", "/api/v1/events", { game, title: name.trim(), host, language: lang, pace: "rounds", ...USUAL[game] });
  location.assign(`/desk/${encodeURIComponent(made.id)}/settings`);
});
