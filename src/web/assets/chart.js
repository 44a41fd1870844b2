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

/** Values by board as columns around a middle line. `middle` is where the average lies. */
export function columns(results, middle, label, text) {
  const values = results.map((one) => (one.rate ? size(one.rate) - middle : null));
  const most = Math.max(0.001, ...values.map((value) => Math.abs(value ?? 0)));
  const step = Math.max(10, Math.min(36, 640 / Math.max(1, results.length)));
  const width = step * results.length;
  const drawn = results.map((one, n) => {
    const value = values[n];
    if (value === null) return [];
    const high = Math.max(1.5, (50 * Math.abs(value)) / most);
    return [
      svg("rect", { class: value < 0 ? "bar-under" : "bar-fill", x: n * step + 2, y: value < 0 ? 56 : 56 - high, width: step - 4, height: high, rx: 2 },
        svg("title", {}, `${one.board}: ${text(one)}`)),
    ];
  });
  const names = results.map((one, n) => svg("text", { x: n * step + step / 2, y: 124, "text-anchor": "middle", class: "axis" }, step >= 20 || n % 4 === 0 ? one.board : ""));
  const words = results.map((one) => `${one.board}: ${text(one)}`).join(", ");
  return svg("svg", { class: "columns", viewBox: `0 0 ${width} 130`, width, role: "img", "aria-label": `${label}: ${words}` },
    svg("line", { class: "bar-line", x1: 0, x2: width, y1: 56, y2: 56 }), drawn, names);
}
