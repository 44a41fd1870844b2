// Sentences of the page's language, which the server put into the page; `{name}` stands where a variable stands.

const element = document.getElementById("words");
const sentences = element ? JSON.parse(element.textContent) : {};

/** What the server gave this page besides words. */
export function data() {
  const given = document.getElementById("data");
  return given ? JSON.parse(given.textContent) : {};
}

/** The game of the page: hold'em has its own words for a few things, such as a hand for a board. */
const { game } = data();

/** The sentence of a key with its variables; the key itself where there is none. */
export function t(key, vars = {}) {
  const sentence = sentences[`${key}-${game}`] ?? sentences[key];
  if (sentence === undefined) return key;
  return sentence.replace(/\{([a-z]+)\}/g, (whole, name) => (name in vars ? String(vars[name]) : whole));
}

/** Whether there is a sentence of this key. */
export const knows = (key) => key in sentences;

/** The language of the page. */
export const lang = document.documentElement.lang;

const numbers = new Intl.NumberFormat(lang);

/** A whole number as the language writes it. */
export const number = (value) => numbers.format(value);

/** A score with its sign. */
export const signed = (value) => (value > 0 ? `+${numbers.format(value)}` : numbers.format(value).replace("-", "−"));

/**
 * An element: `h("p", {class: "x", onclick: f}, "text", child)`. Texts are texts, never markup; `false` and `null`
 * leave attributes and children out.
 */
export function h(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "vars") for (const [name, one] of Object.entries(value)) made.style.setProperty(name, one);
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    made.append(child instanceof Node ? child : String(child));
  }
  return made;
}
