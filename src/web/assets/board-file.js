// The page of a board's file: everything that was recorded about it, for referees.

import { call, Refused } from "./api.js";
import { api, blame, told } from "./desk.js";
import { fileParts, mark, placed, warningParts } from "./evidence.js";
import { data, h, t } from "./words.js";

const { event, board, table } = data();
const $ = (id) => document.getElementById(id);

async function show() {
  try {
    const [file, { items: warnings }] = await Promise.all([
      call("GET", `${api(event)}/boards/${board}/tables/${table}/file`),
      call("GET", `${api(event)}/warnings`),
    ]);
    blame($("fault"), null);
    const seats = Object.entries(file.seats);
    $("who").replaceChildren(h("p", { class: "muted" }, t("floor-file-round", { round: file.round })),
      h("ul", { class: "plain file-seats" }, seats.map(([seat, who]) => h("li", {}, placed(seat, who)))));
    const parts = [...fileParts(file, marked), ...warningParts(warnings, seats.map(([, who]) => who))];
    $("file").replaceChildren(...(parts.length > 0 ? parts : [h("p", { class: "empty" }, t("floor-file-nothing"))]));
  } catch (error) {
    blame($("fault"), told(error));
  }
}

async function marked(one, state) {
  try {
    await mark(one, state);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return blame($("fault"), error.message);
  }
  await show();
}

show();
