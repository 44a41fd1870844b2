// A long list, a page at a time: only what is looked at is drawn. The search goes over the whole list, by name or number.

import { facts, nameOf } from "./results.js";
import { h, number, t } from "./words.js";

/** So many lines at once. */
export const PAGE = 100;

/** What is searched for an entrant: its name, and its number where it has one. */
export const findable = (...ids) => ids.map((id) => ({ name: nameOf(id).toLocaleLowerCase(), number: String(facts.numbers?.[id] ?? "") }));

const matches = (text) => (one) => one.name.includes(text) || (one.number !== "" && one.number === text);

export class Pager {
  /** `body` is filled with what the items make; `nav` has the ways to other pages; `drawn()` is called after each change. */
  constructor(body, nav, drawn = () => {}) {
    Object.assign(this, { body, nav, drawn, items: [], text: "", first: 0 });
    this.whole = () => this.draw(true);
    this.part = () => this.draw(false);
    // Paper has no pages of this kind.
    window.addEventListener("beforeprint", this.whole);
    window.addEventListener("afterprint", this.part);
  }

  /** Another place to fill, with the same page and search. */
  into(body) {
    this.body = body;
  }

  /** Shows items `{find, make}`; `make(found)` answers a node or several, and is told whether they were searched for. */
  show(items) {
    this.items = items;
    this.draw(false);
  }

  /** Shows only what has this text in a name, or this number. */
  narrow(text) {
    if (text !== this.text) this.first = 0;
    this.text = text;
    this.draw(false);
  }

  draw(whole) {
    const found = this.text === "" ? this.items : this.items.filter((item) => item.find.some(matches(this.text)));
    if (this.first >= found.length) this.first = Math.max(0, Math.floor((found.length - 1) / PAGE) * PAGE);
    const last = whole ? found.length : Math.min(found.length, this.first + PAGE);
    const start = whole ? 0 : this.first;
    this.body.replaceChildren(...found.slice(start, last).flatMap((item) => item.make(this.text !== "")));
    this.ways(found.length, start, last);
    this.drawn();
  }

  ways(all, start, last) {
    const go = (first) => () => {
      this.first = first;
      this.draw(false);
      this.nav.querySelector("button:not(:disabled)")?.focus({ preventScroll: true });
      this.body.closest("table")?.scrollIntoView({ block: "start" });
    };
    const none = this.items.length > 0 && all === 0;
    this.nav.hidden = !none && all <= PAGE;
    if (none) {
      this.nav.replaceChildren(h("p", { class: "muted", id: "nobody", role: "status" }, t("watch-nobody")));
      return;
    }
    this.nav.replaceChildren(
      h("button", { class: "button quiet small", type: "button", id: "page-back", disabled: start === 0, onclick: go(start - PAGE) }, t("watch-page-back")),
      h("span", { role: "status" }, t("watch-page", { first: number(start + 1), last: number(last), all: number(all) })),
      h("button", { class: "button quiet small", type: "button", id: "page-on", disabled: last === all, onclick: go(start + PAGE) }, t("watch-page-on")));
  }
}
