// Small charts as SVG: how often scores occurred, values by board. Each one has its numbers in words.

import { scoreText, size } from "./results.js";
import { t } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null && value !== undefined) made.setAttribute(key, String(value));
  made.append(...children.flat(Infinity));
  return made;
}

const said = (frequencies) => frequencies.map(({ score, count }) => t("watch-times", { score: scoreText(score), count })).join(", ");

/** Bars that lie, one for each score, with numbers beside them. */
export function bars(frequencies, label) {
  const most = Math.max(1, ...frequencies.map(({ count }) => count));
  const [row, left, width] = [26, 72, 360];
  const lines = frequencies.map(({ score, count }, n) => {
    const y = n * row;
    const long = Math.max(2, ((width - left - 44) * count) / most);
    return [
      svg("text", { x: left - 8, y: y + 18, "text-anchor": "end" }, scoreText(score)),
      svg("rect", { class: "bar-fill", x: left, y: y + 4, width: long, height: row - 8, rx: 3 }),
      svg("text", { x: left + long + 8, y: y + 18 }, String(count)),
    ];
  });
  return svg("svg", { class: "bars", viewBox: `0 0 ${width} ${Math.max(1, frequencies.length) * row}`, role: "img", "aria-label": `${label}: ${said(frequencies)}` }, lines);
}

/** Upright bars in a line of a table; the own score is marked. */
export function spark(frequencies, own) {
  const most = Math.max(1, ...frequencies.map(({ count }) => count));
  const step = Math.min(14, 140 / Math.max(1, frequencies.length));
  const lines = frequencies.map(({ score, count }, n) => {
    const high = Math.max(2, (26 * count) / most);
    return svg("rect", { class: score === own ? "bar-own" : "bar-fill", x: n * step, y: 28 - high, width: Math.max(1, step - 2), height: high, rx: 1 });
  });
  return svg("svg", { class: "spark", viewBox: "0 0 140 30", role: "img", "aria-label": said(frequencies) }, svg("line", { class: "bar-line", x1: 0, x2: 140, y1: 29, y2: 29 }), lines);
}

/** Where the axis of columns is written, and where its middle lies. */
const [GUTTER, MIDDLE, HALF] = [52, 62, 52];

/**
 * Values by board as columns around a middle line. Rates stand on an axis from 0 to 100 % whose middle is 50 %; other values
 * around 0, the largest of them filling the height.
 */
export function columns(results, rate, label, text) {
  const middle = rate ? 0.5 : 0;
  const values = results.map((one) => (one.rate ? size(one.rate) - middle : null));
  const most = rate ? 0.5 : Math.max(0.001, ...values.map((value) => Math.abs(value ?? 0)));
  const step = Math.max(10, Math.min(36, 640 / Math.max(1, results.length)));
  const width = GUTTER + step * results.length;
  const axis = rate ? [["100 %", MIDDLE - HALF], ["50 %", MIDDLE], ["0 %", MIDDLE + HALF]] : [["0", MIDDLE]];
  const lines = axis.map(([name, y]) => [
    svg("line", { class: y === MIDDLE ? "bar-line" : "bar-line faint", x1: GUTTER, x2: width, y1: y, y2: y }),
    svg("text", { class: "axis", x: GUTTER - 6, y: y + 4, "text-anchor": "end" }, name),
  ]);
  const drawn = results.map((one, n) => {
    const value = values[n];
    if (value === null) return [];
    const high = Math.max(1.5, (HALF * Math.abs(value)) / most);
    return [
      svg("rect", { class: value < 0 ? "bar-under" : "bar-fill", x: GUTTER + n * step + 2, y: value < 0 ? MIDDLE : MIDDLE - high, width: step - 4, height: high, rx: 2 },
        svg("title", {}, `${one.board}: ${text(one)}`)),
    ];
  });
  const names = results.map((one, n) => svg("text", { x: GUTTER + n * step + step / 2, y: 134, "text-anchor": "middle", class: "axis" }, step >= 20 || n % 4 === 0 ? one.board : ""));
  const words = results.map((one) => `${one.board}: ${text(one)}`).join(", ");
  return svg("svg", { class: "columns", viewBox: `0 0 ${width} 140`, width, role: "img", "aria-label": `${label}: ${words}` }, lines, drawn, names);
}
