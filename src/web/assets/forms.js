// Forms that scripts send: one place for faults in words, one submission at a time.

import { Refused } from "./api.js";
import { t } from "./words.js";

/** Shows what is wrong, and where, or takes it away. */
export function fault(form, text, field) {
  const place = form.querySelector('[role="alert"]');
  place.textContent = text ?? "";
  place.hidden = !text;
  for (const input of form.querySelectorAll("input")) input.removeAttribute("aria-invalid");
  if (field) {
    field.setAttribute("aria-invalid", "true");
    field.focus();
  }
}

/** Sends a form through `send`, which is given its fields and may throw `Refused`. */
export function sends(form, send) {
  const button = form.querySelector('button[type="submit"]');
  form.addEventListener("submit", async (submitted) => {
    submitted.preventDefault();
    const empty = [...form.querySelectorAll("input[required]")].find((input) => input.value.trim() === "");
    if (empty) return fault(form, t("js-empty"), empty);
    fault(form, null);
    button.disabled = true;
    try {
      await send(Object.fromEntries(new FormData(form)));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      fault(form, error.message);
    } finally {
      button.disabled = false;
    }
  });
}
