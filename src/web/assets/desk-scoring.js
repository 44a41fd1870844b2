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
export function arrangeScoring(form, changed) {
  // A step stands once: where it is chosen again, it leaves its earlier place.
  if (changed?.name?.startsWith("scoring_tie_") && changed.value !== "") {
    for (const other of form.querySelectorAll("select[name^=scoring_tie_]")) if (other !== changed && other.value === changed.value) other.value = "";
  }
  const method = form.elements.scoring_method.value;
  for (const part of form.querySelectorAll("[data-method]")) part.hidden = !part.dataset.method.split(" ").includes(method);
  const chosen = form.querySelector("[name=scoring_method]:checked");
  document.getElementById("scoring-now").textContent = chosen.closest("label").querySelector("strong").textContent;
  // A step that means nothing with this method cannot be chosen.
  const top = ["score-rate", "linear-rate", "place-points"].includes(method);
  for (const option of form.querySelectorAll("select[name^=scoring_tie_] option")) {
    option.disabled = (option.value === "full-boards" && !top) || (option.value === "common-boards" && method === "total");
  }
}

/** The scoring rules as they stand in the form. */
export function scoringOf(all, now) {
  const get = (name) => all[PREFIX + name] ?? "";
  // An empty field stays as it was: a fraction such as 1/3 cannot stand in one.
  const kept = (name, make, before) => (get(name).trim() === "" ? before : make(get(name)));
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
      plus: kept("award_plus", share, now.awards.plus), even: kept("award_even", share, now.awards.even), minus: kept("award_minus", share, now.awards.minus),
      imps: kept("award_imps", exact, now.awards.imps), own_average: get("own_average") === "true",
    },
    imp_table: { ...now.imp_table, scale: kept("imp_scale", exact, now.imp_table.scale) },
    butler: { trim: whole(get("trim")), trim_from: whole(get("trim_from")), datum_rounding: /^0+(\.0*)?$/.test(rounding) ? null : rounding },
  };
}

/** Whether a field of the form belongs to the scoring rules. */
export const isScoring = (name) => name.startsWith(PREFIX);
