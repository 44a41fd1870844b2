// Taking a seat with the code of a slip.

import { call, deviceOf, heldEvents, keepDevice, keepSeat } from "./api.js";
import { notify } from "./app.js";
import { sends } from "./forms.js";
import { data, h, t } from "./words.js";

const { events } = data();
const form = document.getElementById("seat");

if (form) {
  // A code after `#` never reaches a log of the server; one in the query is taken out of the address bar.
  const behind = new URLSearchParams(location.hash.slice(1));
  const code = behind.get("code");
  if (code) form.elements.code.value = code;
  const query = new URLSearchParams(location.search);
  // The organizer's link enrols the device itself.
  const device = behind.get("device");
  if (device && query.has("event")) {
    keepDevice(query.get("event"), device);
    notify(t("js-device-kept"));
  }
  if (code || device || query.has("code")) {
    query.delete("code");
    const rest = query.toString();
    history.replaceState(null, "", location.pathname + (rest ? `?${rest}` : ""));
  }

  sends(form, async ({ event, code: typed }) => {
    const own = deviceOf(event);
    const body = own ? { code: typed, device: own } : { code: typed };
    const seat = await call("POST", `/api/v1/events/${encodeURIComponent(event)}/seat`, body);
    keepSeat(event, { token: seat.token, entrant: seat.entrant });
    location.assign(`/play/${encodeURIComponent(event)}`);
  });

  const held = document.getElementById("held");
  const known = heldEvents().filter((event) => event in events);
  const list = held.querySelector("ul");
  for (const event of known) {
    const address = `/play/${encodeURIComponent(event)}`;
    list.append(h("li", {}, h("a", { href: address }, t("js-seat-open", { title: events[event] }))));
  }
  held.hidden = known.length === 0;
}
