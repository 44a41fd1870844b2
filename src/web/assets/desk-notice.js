// The notice: instants as the reader's clock and language write them, with the time zone, as the sheet leaves the room.

import "./desk.js";
import { lang } from "./words.js";

const written = new Intl.DateTimeFormat(lang, { dateStyle: "long", timeStyle: "long" });
for (const time of document.querySelectorAll("time[data-us]")) {
  const at = new Date(Number(time.dataset.us) / 1000);
  time.dateTime = at.toISOString();
  time.textContent = written.format(at);
}
