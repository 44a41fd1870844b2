// Logging in with name and password.

import { call } from "./api.js";
import { sends } from "./forms.js";
import { data } from "./words.js";

const form = document.getElementById("login");
sends(form, async ({ name, password }) => {
  await call("POST", "/api/v1/session", { name, password, cookie: true });
  // Staff begin at the desk, unless they came from elsewhere.
  const { to } = data();
  location.assign(to && to !== "/" ? to : "/desk");
});
