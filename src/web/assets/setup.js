// The first start: the account of the chief organizer, who is logged in with it.

import { flash } from "./app.js";
import { call } from "./api.js";
import { fault, sends } from "./forms.js";
import { t } from "./words.js";

const form = document.getElementById("setup");
const token = new URLSearchParams(location.hash.slice(1)).get("token");
document.getElementById("no-token").hidden = Boolean(token);
form.hidden = !token;

sends(form, async ({ display, name, password, again }) => {
  if (password !== again) return fault(form, t("js-passwords-differ"), form.elements.again);
  await call("POST", "/api/v1/setup", { token, name, display, password });
  await call("POST", "/api/v1/session", { name, password, cookie: true });
  flash(t("js-set-up"));
  location.assign("/desk");
});
