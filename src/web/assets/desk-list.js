// A pasted list: its rows, what its columns are, and whether its first row is a heading. Nothing here is sent: what is
// guessed is shown, and whoever pastes the list has the last word.

/** What a column may be. */
export const MEANINGS = ["number", "name", "partner", "club", "region", "level", "id"];

/** Words over columns, as spreadsheets have them. */
const HEADS = {
  name: /^(full ?name|name|姓名|名字|选手|選手|队员|隊員|参赛者|參賽者|player|entrant)$/i,
  partner: /^(partner|搭档|搭檔|同伴)$/i,
  club: /^(club|team|单位|單位|俱乐部|俱樂部|代表队|代表隊|队名|隊名|学校|學校|协会|協會)$/i,
  region: /^(region|province|city|country|地区|地區|省|省份|城市|国家|國家|赛区|賽區)$/i,
  level: /^(level|ai|等级|等級|电脑|電腦)$/i,
  id: /^(id|标识|標識)$/i,
  number: /^(no\.?|#|nr\.?|number|编号|編號|序号|序號|号码|號碼)$/i,
};
/** The same person's word with a number behind it: over a column, or somebody who is called so. */
const FIRST = /^(?:姓名|选手|選手|队员|隊員|player|name) ?[1一甲a]$/i;
const SECOND = /^(?:姓名|选手|選手|队员|隊員|player|name) ?[2二乙b]$/i;
/** Part of a heading, in a cell that is short enough for one. */
const PART = /姓名|名字|选手|選手|队员|隊員|搭档|搭檔|单位|單位|俱乐部|俱樂部|代表队|代表隊|地区|地區|编号|編號|序号|序號|号码|號碼|电话|電話|手机|手機|备注|備註|性别|性別|级别|級別|等级|等級|name|player|partner|club|team|region|phone|mail|number|remark|note/i;
const LONGEST = 16;
const WHOLE = /^\d{1,9}[.)、]?$/;

const isOrdinal = (cell) => FIRST.test(cell) || SECOND.test(cell);

/** What a heading says that its column is. */
function meaningOf(cell) {
  if (FIRST.test(cell)) return "name";
  if (SECOND.test(cell)) return "partner";
  return Object.keys(HEADS).find((name) => HEADS[name].test(cell)) ?? null;
}

/** The lines that hold something, as cells. */
export function linesOf(text) {
  // Tabs come from spreadsheets; a comma or semicolon from files.
  const split = (line) => (line.includes("\t") ? line.split("\t") : line.split(/[,;，；]/)).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
  return text.split(/\r?\n/).map((line, place) => ({ line: place + 1, text: line }))
    // A line for spreadsheets, and rows without a word.
    .filter((one) => !/^"?sep=."?\s*$/i.test(one.text) && one.text.replaceAll(/[,;，；"\s]/g, "") !== "")
    .map((one) => ({ line: one.line, cells: split(one.text) }));
}

/** Whether the first row is a heading: `true`, `false`, or `null` where it looks like one and may be an entry. */
export function headingOf(lines) {
  const cells = (lines[0]?.cells ?? []).filter(Boolean);
  if (cells.length === 0 || cells.some((cell) => WHOLE.test(cell))) return false;
  if (!cells.some((cell) => meaningOf(cell) || (cell.length <= LONGEST && PART.test(cell)))) return false;
  // Nobody is called “name”; but somebody may be called “player 1”.
  return cells.some((cell) => HEADS.name.test(cell)) && !cells.some(isOrdinal) ? true : null;
}

/** What the columns are, as far as the first row or what stands in them says it. */
export function columnsOf(lines, heading, inPairs) {
  const rows = heading === false ? lines : lines.slice(1);
  const count = Math.max(0, ...lines.map((line) => line.cells.length));
  const whole = (place) => rows.length > 0 && rows.every((row) => WHOLE.test(row.cells[place] ?? ""));
  if (heading !== false) {
    const named = Array.from({ length: count }, (_, place) => meaningOf(lines[0].cells[place] ?? ""));
    // A number is one number; letters in it make it an id.
    const columns = named.map((name, place) => (name === "number" && !whole(place) ? null : name));
    if (columns.includes("name")) return columns.map((name, place) => (columns.indexOf(name) === place ? name : null));
  }
  const columns = Array.from({ length: count }, () => null);
  const first = count > 1 && whole(0) ? 1 : 0;
  if (first === 1) columns[0] = "number";
  columns[first] = "name";
  if (inPairs && count > first + 1) columns[first + 1] = "partner";
  return columns;
}

/** The rows as entries. */
export function entriesOf(lines, heading, columns, inPairs) {
  const rows = heading === false ? lines : lines.slice(1);
  return rows.map(({ line, cells }) => {
    const row = { line, name: "", more: "" };
    columns.forEach((name, place) => {
      if (name && cells[place]) row[name] = name === "number" ? cells[place].replace(/\D+$/, "") : cells[place];
    });
    // A pair may stand in one cell with a slash.
    if (inPairs && !row.partner && /[/／&＆]/.test(row.name)) {
      [row.name, row.partner] = row.name.split(/[/／&＆]/, 2).map((part) => part.trim());
    }
    if (inPairs && heading === false) row.more = cells.filter((cell, place) => cell && !columns[place]).join(" ");
    return row;
  });
}

/** Whether numbers of the list are taken, or stand in it twice: then none of them is kept. */
export function numbersTaken(entries, known) {
  const numbers = entries.map((entry) => Number(entry.number)).filter((number) => number > 0);
  const taken = new Set(known);
  return numbers.some((number) => taken.has(number)) || new Set(numbers).size < numbers.length;
}
