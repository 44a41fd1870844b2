// What an accessibility checker looks for, and what our own pages promise. Returns faults in words.
const faults = [];
const visible = (element) => {
  if (!element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) return false;
  const box = element.getBoundingClientRect();
  return box.width > 1 && box.height > 1;
};
const named = (element) => {
  const text = (id) => document.getElementById(id)?.textContent ?? "";
  const by = element.getAttribute("aria-labelledby");
  if (by) return by.split(/\s+/).map(text).join(" ").trim();
  const own = element.getAttribute("aria-label");
  if (own) return own.trim();
  if (element.labels?.length) return [...element.labels].map((label) => label.textContent).join(" ").trim();
  return (element.textContent || element.getAttribute("title") || element.getAttribute("alt") || "").trim();
};
const where = (element) => {
  const id = element.id ? `#${element.id}` : "";
  const kind = typeof element.className === "string" && element.className ? `.${element.className.split(/\s+/).join(".")}` : "";
  return `${element.tagName.toLowerCase()}${id}${kind} “${(element.textContent ?? "").trim().slice(0, 30)}”`;
};
const fault = (what, element) => faults.push(element ? `${what}: ${where(element)}` : what);

// The document.
if (!["en", "zh-CN", "zh-TW"].includes(document.documentElement.lang)) fault("no language");
if (!document.title.trim()) fault("no title");
const headings = [...document.querySelectorAll("h1")].filter(visible);
if (headings.length !== 1) fault(`${headings.length} visible h1`);
if (document.querySelectorAll("main").length !== 1) fault("not exactly one main");
const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
for (const id of new Set(ids.filter((id, place) => ids.indexOf(id) !== place))) fault(`the id ${id} stands twice`);
let last = 1;
for (const heading of [...document.querySelectorAll("h1, h2, h3, h4, h5")].filter(visible)) {
  const level = Number(heading.tagName[1]);
  if (level > last + 1) fault("a level of headings is left out", heading);
  last = level;
}
if (document.querySelector("[style]:not([data-moved])") && document.querySelector("[onclick], [onload]")) fault("inline script");
if ([...document.querySelectorAll("[tabindex]")].some((element) => element.tabIndex > 0)) fault("a positive tabindex");
const wide = document.documentElement.scrollWidth - window.innerWidth;
if (wide > 0) {
  const widest = [...document.querySelectorAll("body *")].filter(visible).filter((element) => element.getBoundingClientRect().right > window.innerWidth + 1);
  fault(`the page is ${wide} px wider than the window`, widest[0]);
}

// Names, roles, references.
const roles = "alert alertdialog button checkbox dialog group heading img link list listbox listitem log main navigation none option presentation progressbar radio radiogroup region row separator slider status switch tab table tablist tabpanel textbox timer toolbar".split(" ");
for (const element of document.querySelectorAll("[role]")) {
  if (!roles.includes(element.getAttribute("role"))) fault("an unknown role", element);
}
for (const element of document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, [role=button], [role=group], [role=img], dialog[open], meter, progress")) {
  if (visible(element) && !named(element)) fault("has no name", element);
}
for (const name of ["aria-labelledby", "aria-describedby", "aria-controls"]) {
  for (const element of document.querySelectorAll(`[${name}]`)) {
    for (const id of element.getAttribute(name).split(/\s+/)) {
      if (!document.getElementById(id)) fault(`${name} names ${id}, which is not there`, element);
    }
  }
}
for (const image of document.querySelectorAll("img, svg[role=img]")) {
  if (image.tagName === "IMG" && !image.hasAttribute("alt")) fault("a picture without alt", image);
}
for (const list of document.querySelectorAll("ul, ol")) {
  for (const child of list.children) if (child.tagName !== "LI") fault("in a list, but no item", child);
}
for (const element of document.querySelectorAll("button button, a a, a button, button a")) fault("one control in another", element);

// Targets of fingers: 44 px, unless a link stands in a sentence.
const inSentence = (element) => element.matches("p a, li a, label a") && getComputedStyle(element).display === "inline";
for (const element of document.querySelectorAll("a[href], button, select, input:not([type=hidden], [type=checkbox], [type=range])")) {
  if (!visible(element) || inSentence(element) || element.disabled || element.closest(".skip")) continue;
  // Whoever hits the label round a radio button hits the button.
  const target = element.type === "radio" ? element.closest("label") ?? element : element;
  const box = target.getBoundingClientRect();
  if (box.height < 43.5 && !element.matches(".event-title")) fault(`only ${Math.round(box.height)} px high`, element);
  if (box.width < 39.5) fault(`only ${Math.round(box.width)} px wide`, element);
}

// Contrast of text, from computed colours.
const parse = (text) => {
  const numbers = text.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
  if (text.startsWith("color(srgb")) return [numbers[0] * 255, numbers[1] * 255, numbers[2] * 255, numbers[3] ?? 1];
  return [numbers[0], numbers[1], numbers[2], numbers[3] ?? 1];
};
const over = (top, under) => {
  const alpha = top[3];
  return [0, 1, 2].map((place) => top[place] * alpha + under[place] * (1 - alpha)).concat(1);
};
const ground = (element) => {
  const layers = [];
  for (let at = element; at; at = at.parentElement) {
    const colour = parse(getComputedStyle(at).backgroundColor);
    if (colour[3] > 0) layers.push(colour);
    if (colour[3] === 1) break;
  }
  return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255, 1]);
};
const light = (colour) => {
  const [r, g, b] = colour.slice(0, 3).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const opacity = (element) => {
  let all = 1;
  for (let at = element; at; at = at.parentElement) all *= Number(getComputedStyle(at).opacity);
  return all;
};
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const seen = new Set();
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.textContent.trim() || seen.has(element) || !visible(element)) continue;
  seen.add(element);
  if (element.closest("script, noscript, [disabled], [aria-disabled=true], .unseen, .skip, [data-plain]")) continue;
  const style = getComputedStyle(element);
  const under = ground(element);
  const colour = parse(style.color);
  colour[3] *= opacity(element);
  const [high, low] = [light(over(colour, under)), light(under)].sort((a, b) => b - a);
  const ratio = (high + 0.05) / (low + 0.05);
  const size = parseFloat(style.fontSize);
  const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  if (ratio < (large ? 3 : 4.5)) fault(`contrast ${ratio.toFixed(2)}`, element);
}
return faults;
