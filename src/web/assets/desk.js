// What the pages of the desk share: buttons that call the API after they asked, dialogs, printing, QR codes.

import { call, Refused } from "./api.js";
import { flash, notify } from "./app.js";
import { h, knows, number, t } from "./words.js";

/** The API of an event. */
export const api = (event) => `/api/v1/events/${encodeURIComponent(event)}`;

/** A refusal in words; anything else is a fault of the page and is thrown on. */
export function told(error) {
  if (!(error instanceof Refused)) throw error;
  return error.message;
}

/** Shows what is wrong, or takes it away. */
export function blame(place, text) {
  place.textContent = text ?? "";
  place.hidden = !text;
}

/** A sentence by the code of a fault, else the server's own. */
export function sentence(code, message, prefix = "js-fault") {
  const key = `${prefix}-${code.replaceAll("_", "-")}`;
  return knows(key) ? t(key) : message;
}

/** A QR code as the server outlined it. */
export function qr({ size, path }, label) {
  const make = (name, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const picture = make("svg", { class: "qr", role: "img", "aria-label": label, viewBox: `0 0 ${size} ${size}` });
  picture.append(make("rect", { class: "paper", width: size, height: size }), make("path", { class: "ink", d: path }));
  return picture;
}

/** So many players, or pairs, in words. */
export function howMany(count, pairs) {
  const one = pairs ? "orgjs-pair" : "orgjs-player";
  return count === 1 ? t(one) : t(`${one}s`, { count: number(count) });
}

/** Minutes and seconds. */
export function clock(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (value) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/** A table: heads, and rows of cells; numbers stand at the right. */
export function grid(heads, rows) {
  const cell = (value) => h("td", { class: typeof value === "number" ? "number" : false }, value);
  return h("table", {},
    h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map(cell)))));
}

async function act(button, more) {
  const { method, path, then } = button.dataset;
  await call(method, path, { ...JSON.parse(button.dataset.body), ...more });
  if (then) location.assign(then);
  else location.reload();
}

for (const button of document.querySelectorAll("[data-act]")) {
  const dialog = button.dataset.ask ? document.getElementById(button.dataset.ask) : null;
  const run = async (place, sender, more) => {
    sender.disabled = true;
    try {
      await act(button, more);
    } catch (error) {
      if (error instanceof Refused && error.code === "stage") {
        // Somebody else was faster, or another window: the page is behind.
        flash(t("orgjs-behind"));
        location.reload();
        return;
      }
      sender.disabled = false;
      place(told(error));
    }
  };
  if (!dialog) {
    button.addEventListener("click", () => run((text) => notify(text, "bad"), button, {}));
    continue;
  }
  const yes = dialog.querySelector('[type="submit"]');
  const sure = dialog.querySelector("[data-sure]");
  sure?.addEventListener("change", () => {
    yes.disabled = !sure.checked;
  });
  button.addEventListener("click", () => {
    // What cannot be undone is agreed to each time anew.
    if (sure) sure.checked = false;
    yes.disabled = Boolean(sure);
    dialog.showModal();
  });
  dialog.querySelector("form").addEventListener("submit", (submitted) => {
    submitted.preventDefault();
    const place = dialog.querySelector('[role="alert"]');
    blame(place, null);
    if (sure && !sure.checked) return;
    run((text) => blame(place, text), yes, Object.fromEntries(new FormData(submitted.target)));
  });
}

for (const button of document.querySelectorAll("[data-close]")) {
  button.addEventListener("click", () => button.closest("dialog").close());
}
for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => window.print());
