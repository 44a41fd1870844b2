// The standings for a projector: huge, live, scrolling by themselves. A finger or a wheel stops the scrolling for a while.

import { empty, fill, follow, place } from "./results.js";
import { arrow, shown } from "./places.js";
import { h, number, t } from "./words.js";

const REST = 6000;
let was = {};
let known = null;
let until = performance.now() + REST;
let down = true;

function draw(sheet) {
  const boards = sheet.boards.join(",");
  if (known && known.boards !== boards) was = known.now;
  known = { boards, now: Object.fromEntries(sheet.standings.map((line, n) => [line.entrant, n])) };
  place("counted").textContent = sheet.complete ? t("watch-complete") : t("watch-counted", { boards: number(sheet.boards.length) });
  if (sheet.boards.length === 0) {
    fill(empty(t("watch-none"), t("watch-none-how")));
    return;
  }
  fill(h("table", { class: "huge" }, h("caption", { class: "unseen" }, document.title),
    h("thead", { class: "unseen" }, h("tr", {}, ["rank", "name", "average"].map((word) => h("th", { scope: "col" }, t(`watch-${word}`))))),
    h("tbody", {}, sheet.standings.map((line, n) => h("tr", {},
      h("td", { class: "number rank" }, line.rank ?? "–"),
      h("th", { scope: "row" }, line.name, " ", arrow(was, line, n)),
      h("td", { class: "number" }, shown(line)))))));
}

const sheet = place("sheet");
const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
let position = 0;
let last = performance.now();

/** Down slowly, a rest, and up to the first again; page by page where motion is unwanted. */
function step(now) {
  const passed = Math.min(100, now - last);
  last = now;
  const end = sheet.scrollHeight - sheet.clientHeight;
  if (end > 4 && now >= until) {
    if (!down) {
      position = 0;
      sheet.scrollTop = 0;
      down = true;
      until = now + REST;
    } else {
      position = calm.matches ? sheet.scrollTop + sheet.clientHeight * 0.85 : position + passed * 0.04;
      sheet.scrollTop = position;
      if (calm.matches) until = now + REST;
      if (position >= end) {
        down = false;
        until = now + REST;
      }
    }
  }
  requestAnimationFrame(step);
}

for (const kind of ["wheel", "pointerdown", "keydown"]) {
  sheet.addEventListener(kind, () => {
    until = performance.now() + 3 * REST;
    requestAnimationFrame(() => {
      position = sheet.scrollTop;
    });
  });
}

follow(draw, (on) => {
  if (!on) place("counted").textContent = t("watch-again");
});
requestAnimationFrame(step);
