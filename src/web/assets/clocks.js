// Clocks that run on the page between two messages. They show; only the server's clock decides.

import { t } from "./words.js";

const WARN_BELOW = 6000;

/** Minutes and seconds, rounded up: 0:00 is really over. */
export function clockText(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export class Clocks {
  /** `warn(seconds)` is called for each of the last seconds of the own turn; `turn()` says whether it is. */
  constructor(store, turn, warn) {
    this.store = store;
    this.turn = turn;
    this.warn = warn;
    this.full = new Map();
    this.said = null;
    setInterval(() => this.tick(), 200);
  }

  /** Draws every clock that is on the page. */
  tick() {
    const { store } = this;
    for (const place of document.querySelectorAll("[data-clock]")) {
      const seat = place.dataset.clock;
      // Where the rules have a limit for slow play its time is shown, after it the time until the clock acts.
      const slow = store.slowLeft(seat);
      const left = slow ?? store.left(seat);
      if (left === null) {
        place.hidden = true;
        this.full.delete(seat);
        continue;
      }
      const key = `${store.seated?.play}.${seat}.${store.clock.at}`;
      const known = this.full.get(seat);
      const full = known && known.left >= left - 1500 ? Math.max(known.full, left) : left;
      this.full.set(seat, { key, left, full });
      place.hidden = false;
      const text = clockText(left);
      const digits = place.querySelector(".digits");
      if (digits.textContent !== text) digits.textContent = text;
      const noted = place.querySelector(".slow-word");
      if (noted) noted.hidden = store.slowSeat !== seat;
      place.classList.toggle("low", left < WARN_BELOW || store.slowSeat === seat);
      place.classList.toggle("still", !store.clock.running);
      place.style.setProperty("--part", String(Math.min(1, left / Math.max(1, full))));
    }
    this.own();
  }

  own() {
    const { me } = this.store;
    const left = this.turn() ? (this.store.slowLeft(me) ?? this.store.left(me)) : null;
    if (left === null || left > 5000 || left <= 0 || !this.store.clock.running) {
      this.said = null;
      return;
    }
    const seconds = Math.ceil(left / 1000);
    if (seconds !== this.said) {
      this.said = seconds;
      this.warn(seconds);
    }
  }
}

/** Time left, for ears. */
export const clockSaid = (ms) => t("play-seconds-left", { seconds: Math.ceil(ms / 1000) });
