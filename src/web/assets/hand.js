// The own hand: choosing cards by click, touch, drag and keyboard. What can be chosen comes from the server's list of
// legal plays; the hand itself knows no rule.

import { colour, face, nameOf, rankOf, within } from "./cards.js";
import { h, t } from "./words.js";

export class Hand {
  /** `changed()` is called when the choice changes, `shut()` when somebody tries to choose who cannot play now. */
  constructor(place, { changed, shut }) {
    Object.assign(this, { place, changed, shut });
    this.groups = [];
    this.buttons = new Map();
    this.chosen = new Set();
    this.plays = null;
    this.kind = (card) => card;
    this.open = false;
    this.at = null;
    this.sweep = null;
    place.addEventListener("keydown", (event) => this.key(event));
    place.addEventListener("pointerdown", (event) => this.down(event));
    place.addEventListener("pointermove", (event) => this.move(event));
    place.addEventListener("keyup", (event) => event.key === " " && event.preventDefault());
    window.addEventListener("pointerup", () => (this.sweep = null));
    window.addEventListener("pointercancel", () => {
      // The finger wanted to scroll: what it touched first is as before.
      if (this.sweep?.first === this.sweep?.last) this.toggle(this.sweep?.first, !this.sweep?.to);
      this.sweep = null;
    });
    place.addEventListener("click", (event) => {
      // Pointers were answered when they came down; this is the keyboard's or a reader's click.
      if (event.detail === 0) this.toggle(event.target.closest(".card")?.dataset.key);
    });
  }

  /** Shows these groups of cards; what stays keeps its choice and the focus. */
  show(groups) {
    const seen = new Map();
    const wanted = groups.map((cards) =>
      cards.map((card) => {
        const copy = seen.get(card) ?? 0;
        seen.set(card, copy + 1);
        return { card, key: `${card}.${copy}` };
      }),
    );
    const text = JSON.stringify(wanted);
    if (text === this.shown) return this.mark();
    this.shown = text;
    this.groups = wanted;
    const focused = document.activeElement?.dataset?.key;
    const before = this.buttons;
    this.buttons = new Map();
    const rows = wanted.map((cards) =>
      h("div", { class: "suit-row" }, cards.map(({ card, key }) => {
        const button = before.get(key) ?? this.make(card, key);
        this.buttons.set(key, button);
        return button;
      })),
    );
    this.place.replaceChildren(...rows);
    this.chosen = new Set([...this.chosen].filter((key) => this.buttons.has(key)));
    if (!this.buttons.has(this.at)) this.at = this.buttons.keys().next().value ?? null;
    if (focused && this.buttons.has(focused)) this.buttons.get(focused).focus();
    else if (focused && this.at) this.buttons.get(this.at).focus();
    this.mark();
  }

  make(card, key) {
    return h("button", {
      class: `card ${colour(card)}`,
      type: "button",
      "data-key": key,
      "data-card": card,
      "aria-label": nameOf(card),
      "aria-pressed": "false",
      tabindex: "-1",
    }, h("span", { class: "face", "aria-hidden": "true" }, face(card)));
  }

  /**
   * Says which plays there are: lists of cards, or null where any choice may be one; whether one may choose; and what of
   * a card counts, since the list names one play of those that differ in nothing else.
   */
  offer(plays, open, kind = (card) => card) {
    this.plays = plays?.map((cards) => cards.map(kind)) ?? null;
    this.kind = kind;
    this.open = open;
    if (!open) this.chosen.clear();
    this.mark();
  }

  cardOf(key) {
    return this.buttons.get(key)?.dataset.card;
  }

  /** The cards that are chosen, in the order of the hand. */
  selection() {
    return [...this.buttons.keys()].filter((key) => this.chosen.has(key)).map((key) => this.cardOf(key));
  }

  /** Whether a play contains these cards. */
  fits(cards) {
    const kinds = cards.map(this.kind);
    return this.plays === null || this.plays.some((play) => within(kinds, play));
  }

  mark() {
    const whole = this.selection();
    const selection = this.fits(whole) ? whole : [];
    for (const [key, button] of this.buttons) {
      const chosen = this.chosen.has(key);
      const fits = !this.open || chosen || this.fits([...selection, this.cardOf(key)]);
      button.setAttribute("aria-pressed", String(chosen));
      button.classList.toggle("faded", !fits);
      button.tabIndex = key === this.at ? 0 : -1;
    }
    this.place.classList.toggle("open", this.open);
  }

  /** Chooses a card or puts it back. A card that does not go with the choice begins a new one. */
  toggle(key, to) {
    if (!key || !this.buttons.has(key)) return;
    this.at = key;
    const has = this.chosen.has(key);
    const want = to ?? !has;
    if (want && !has) {
      const card = this.cardOf(key);
      if (!this.open) {
        this.mark();
        return this.shut();
      }
      if (!this.fits([...this.selection(), card])) {
        // A sweep chooses what can be played together.
        if (to !== undefined) return this.mark();
        // Cards that cannot be played are chosen all the same, by themselves: the page then says why not.
        if (this.fits([card]) || this.fits(this.selection())) this.chosen.clear();
      }
      this.chosen.add(key);
    } else if (!want && has) {
      this.chosen.delete(key);
    }
    this.mark();
    this.changed();
  }

  /** Chooses exactly these cards. */
  choose(cards) {
    this.chosen.clear();
    const left = [...cards];
    for (const key of this.buttons.keys()) {
      const place = left.indexOf(this.cardOf(key));
      if (place >= 0) {
        left.splice(place, 1);
        this.chosen.add(key);
      }
    }
    this.mark();
    this.changed();
  }

  clear() {
    this.choose([]);
  }

  /** The next card of a rank: what the rank's key does. Jokers have none. */
  rank(rank) {
    const keys = [...this.buttons.keys()].filter((key) => rankOf(this.cardOf(key)) === rank);
    const selection = this.selection();
    const free = keys.filter((key) => !this.chosen.has(key));
    const next = free.find((key) => this.fits([...selection, this.cardOf(key)])) ?? free[0];
    if (next) {
      this.toggle(next);
      this.buttons.get(next).focus();
    } else {
      for (const key of keys) this.chosen.delete(key);
      this.mark();
      this.changed();
    }
  }

  focus() {
    this.buttons.get(this.at)?.focus();
  }

  down(event) {
    const key = event.target.closest(".card")?.dataset.key;
    if (!key || event.button !== 0) return;
    this.toggle(key);
    this.buttons.get(key)?.focus({ preventScroll: true });
    this.sweep = { to: this.chosen.has(key), first: key, last: key };
    // A finger must be able to reach other cards.
    event.target.releasePointerCapture?.(event.pointerId);
  }

  move(event) {
    if (!this.sweep) return;
    if (event.buttons === 0) {
      this.sweep = null;
      return;
    }
    const key = document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".card")?.dataset.key;
    if (!key || key === this.sweep.last || !this.buttons.has(key)) return;
    // A quick hand jumps over cards: those between belong to the sweep.
    const keys = [...this.buttons.keys()];
    const from = keys.indexOf(this.sweep.last);
    const to = keys.indexOf(key);
    this.sweep.last = key;
    const step = from < to ? 1 : -1;
    for (let at = from + step; at !== to + step; at += step) this.toggle(keys[at], this.sweep.to);
  }

  key(event) {
    const keys = [...this.buttons.keys()];
    const at = keys.indexOf(this.at);
    const rows = this.groups.map((cards) => cards.map((one) => one.key));
    const row = rows.findIndex((cards) => cards.includes(this.at));
    const beside = (step) => {
      const cards = rows[row + step];
      return cards?.[Math.min(rows[row].indexOf(this.at), cards.length - 1)];
    };
    const goal = {
      ArrowRight: () => keys[Math.min(at + 1, keys.length - 1)],
      ArrowLeft: () => keys[Math.max(at - 1, 0)],
      ArrowDown: () => beside(1),
      ArrowUp: () => beside(-1),
      Home: () => keys[0],
      End: () => keys[keys.length - 1],
    }[event.key]?.();
    if (goal) {
      event.preventDefault();
      this.at = goal;
      this.mark();
      this.buttons.get(goal).focus();
    } else if (event.key === " ") {
      event.preventDefault();
      this.toggle(this.at);
    }
  }
}

/** What is chosen, for ears. */
export const chosenSaid = (cards) =>
  cards.length === 0 ? t("play-nothing-chosen") : t("play-chosen", { cards: cards.map(nameOf).join(t("play-comma")) });
