// How results are compared: the fields of the settings page as the API takes them. What has no field stays as it was.

import { typed } from "./exact.js";

const PREFIX = "scoring_";

/** A whole number that is 0 or more. */
const whole = (text) => (/^\d{1,6}$/.test(text.trim()) ? Number(text) : 0);
/** An exact number; what is none is 0, which the server refuses in words where it cannot be. */
const exact = (text) => typed(text) ?? "0";
/** Percent as a fraction. */
const share = (text) => `${exact(text)}/100`;

/** Shows the parameters of the chosen method only. */
export function arrangeScoring(form) {
  const method = form.elements.scoring_method.value;
  for (const part of form.querySelectorAll("[data-method]")) part.hidden = !part.dataset.method.split(" ").includes(method);
  const chosen = form.querySelector("[name=scoring_method]:checked");
  document.getElementById("scoring-now").textContent = chosen.closest("label").querySelector("strong").textContent;
  // A step that means nothing with this method cannot be chosen.
  const rate = method === "score-rate" || method === "linear-rate";
  for (const option of form.querySelectorAll("select[name^=scoring_tie_] option")) {
    option.disabled = (option.value === "full-boards" && !rate) || (option.value === "common-boards" && method === "total");
  }
}

/** The scoring rules as they stand in the form. */
export function scoringOf(all, now) {
  const get = (name) => all[PREFIX + name] ?? "";
  const rounding = exact(get("rounding"));
  return {
    ...now,
    method: get("method"),
    equalise: get("equalise"),
    lone: get("lone"),
    style: get("style"),
    min_boards: whole(get("min_boards")),
    tie_break: ["average", ...[1, 2, 3].map((place) => get(`tie_${place}`)).filter(Boolean)],
    awards: {
      plus: share(get("award_plus")), even: share(get("award_even")), minus: share(get("award_minus")),
      imps: exact(get("award_imps")), own_average: get("own_average") === "true",
    },
    imp_table: { ...now.imp_table, scale: exact(get("imp_scale")) },
    butler: { trim: whole(get("trim")), trim_from: whole(get("trim_from")), datum_rounding: /^0+(\.0*)?$/.test(rounding) ? null : rounding },
  };
}

/** Whether a field of the form belongs to the scoring rules. */
export const isScoring = (name) => name.startsWith(PREFIX);
