// What the server says about chosen cards: whether they can be played, and in the words of the rules why not. It is asked
// once for each choice and each moment of the board; a question is no attempt and costs nothing.

import { readable, same } from "./cards.js";

/** How long a choice of cards stays as it is before the server is asked about it, ms. */
const ASK_AFTER = 120;

export class Asking {
  /** What was said at this moment of the board, by the text of the action. */
  #verdicts = new Map();
  #moment = "";
  #timer = null;
  /** The action that is sent as soon as the server has said that it is legal. */
  #wanted = null;

  /** `chosen()` are the cards in question, `check(play, text)` sends the question. */
  constructor(store, ui, chosen, check) {
    Object.assign(this, { store, ui, chosen, check });
  }

  /** The action that plays these cards. */
  text(cards) {
    return `${this.ui.playing.verb} ${cards.join(" ")}`;
  }

  /** Whether the server's list names these cards, or others that differ in nothing that counts. */
  #listed(cards) {
    const { plays, kind } = this.ui.playing;
    return plays.some((play) => play.length === cards.length && same(play.map(kind), cards.map(kind)));
  }

  #ask() {
    clearTimeout(this.#timer);
    this.#timer = null;
    const cards = this.chosen();
    const { store, ui } = this;
    if (!store.mine || !ui.playing || cards.length === 0 || this.#listed(cards) || store.stands) return;
    const text = this.text(cards);
    if (this.#verdicts.has(text)) return;
    this.#verdicts.set(text, null);
    this.check(store.seated.play, text);
  }

  /** What the server has said about these cards; null where it has not. */
  verdict(cards) {
    const now = `${this.store.seated.play}.${this.store.n}`;
    if (this.#moment !== now) {
      this.#moment = now;
      this.#wanted = null;
      this.#verdicts.clear();
    }
    return this.#verdicts.get(this.text(cards)) ?? null;
  }

  /** Whether these cards can be sent: the server's list says so; where it is cut, the server was asked. */
  playable(cards) {
    if (!this.ui.playing || cards.length === 0) return false;
    return this.#listed(cards) || this.verdict(cards)?.legal === true;
  }

  /** Why these cards cannot be played, in the words of the rules; null where they can, or where nobody knows yet. */
  why(cards) {
    if (!this.ui.playing || cards.length === 0 || this.#listed(cards)) return null;
    const known = this.verdict(cards);
    if (!known && this.#timer === null) this.#timer = setTimeout(() => this.#ask(), ASK_AFTER);
    return known?.message ?? null;
  }

  /** These cards are to be played: they are asked about at once, and sent when they turn out to be legal. */
  want(cards) {
    this.#wanted = this.text(cards);
    this.#ask();
  }

  /** Takes an answer: `{ text, message, wanted }`; null where it is of an earlier moment. */
  heard({ play, n, do: text, message }) {
    const { store } = this;
    if (`${play}.${n}` !== `${store.seated?.play}.${store.n}` || this.#moment !== `${play}.${n}`) return null;
    const said = message && readable(message);
    this.#verdicts.set(text, { legal: message === undefined, message: said });
    const wanted = this.#wanted === text && message === undefined;
    this.#wanted = null;
    return { text, message: said, wanted };
  }

  /** What was asked over a connection that broke was perhaps never answered: it is asked again. */
  again() {
    this.#moment = "";
  }
}
