// What the page knows: the messages of the server put together. It computes nothing about the game.

import { seatName, seatWord } from "./who.js";

const LOG_MAX = 400;

export class Store {
  constructor(event) {
    this.event = event;
    this.connection = "connecting";
    this.error = null;
    this.entrant = null;
    this.seated = null;
    this.n = 0;
    this.view = null;
    this.before = null;
    this.legal = null;
    this.cut = false;
    this.clock = null;
    /** The seat whose present decision was noted as slow. */
    this.slowSeat = null;
    this.paused = false;
    this.waiting = null;
    /** What a referee has said and the player has not yet acknowledged. */
    this.warnings = [];
    this.finished = null;
    this.log = [];
    /** When the table's time 0 was, by the clock of this page. */
    this.zero = Infinity;
    /** The own boards that are over. */
    this.results = [];
  }

  /** The last event that was seen, for coming back; nothing is missed of a board that is known to have ended. */
  seen() {
    return this.seated && this.view && !this.finished ? { play: this.seated.play, n: this.n } : null;
  }

  get me() {
    return this.seated?.seat ?? null;
  }

  /** The name of somebody at the table. */
  name(seat) {
    const seats = this.seated?.seats ?? {};
    const name = seats[seat] ? seatName(seats[seat]) : seatWord(seat);
    // AI players of one level share a name: the seat tells them apart.
    const twice = Object.entries(seats).some(([other, who]) => other !== seat && seatName(who) === name);
    return twice ? `${name} (${seatWord(seat)})` : name;
  }

  /** Whether the own seat must or may decide now. */
  get mine() {
    return !this.finished && Array.isArray(this.legal);
  }

  /** Whether nobody can act because the clock stands. */
  get stands() {
    return this.paused && !this.finished;
  }

  /** Takes a message in. Answers what is new: a word, or null. */
  take(message) {
    switch (message.type) {
      case "welcome":
        this.entrant = message.entrant;
        this.results = message.boards;
        this.error = null;
        return "welcome";
      case "seated":
        return this.sit(message);
      case "snapshot":
        if (message.play !== this.seated?.play) return null;
        this.n = message.n;
        this.before = null;
        this.zero = Infinity;
        this.log = message.past ?? [];
        this.board(message, true);
        return "snapshot";
      case "event":
        return this.line(message);
      case "presence":
        if (message.play === this.seated?.play && this.seated.seats[message.seat]) {
          this.seated.seats[message.seat].connected = message.connected;
        }
        return "presence";
      case "finished":
        return this.finish(message);
      case "waiting":
        this.waiting = message;
        return "waiting";
      case "paused":
        if (message.play === this.seated?.play) this.paused = message.paused;
        return "paused";
      case "warned":
        this.warnings.push(message);
        return "warned";
      case "error":
        this.error = message;
        return "error";
      default:
        return null;
    }
  }

  sit(message) {
    const other = message.play !== this.seated?.play;
    this.seated = message;
    if (other) {
      this.n = 0;
      this.view = null;
      this.legal = null;
      this.log = [];
      this.paused = false;
      this.zero = Infinity;
    }
    this.waiting = null;
    this.finished = null;
    return other ? "seated" : "back";
  }

  board(message, now) {
    this.before = this.view;
    this.view = message.view;
    /** Whose play is the highest of the trick in play. */
    this.ahead = message.ahead ?? null;
    this.legal = message.legal ?? null;
    this.cut = message.cut ?? false;
    const { running, elapsed_ms: elapsed, seats, slow_ms: slow } = message.clock;
    const here = performance.now();
    // A line that comes late, after a broken connection, is older than it looks: the earliest zero is the true one.
    this.zero = now ? here - elapsed : Math.min(this.zero, here - elapsed);
    this.clock = { running, seats, slow, at: this.zero + elapsed };
    if (slow !== undefined || !(this.slowSeat in seats)) this.slowSeat = null;
    this.paused = !running && !this.finished;
  }

  line(message) {
    if (message.play !== this.seated?.play || message.n <= this.n) return null;
    if (message.n !== this.n + 1) return "gap";
    this.n = message.n;
    if (message.what.kind === "note" && message.what.note === "restart") this.zero = Infinity;
    this.board(message, false);
    if (message.what.kind === "note" && message.what.note === "slow") this.slowSeat = message.what.seat;
    // What was chosen unseen stands in the list from the moment at which it is known.
    for (const one of message.revealed ?? []) {
      const line = this.log.find(({ n }) => n === one.n);
      if (line) line.what = one.what;
    }
    this.log.push({ n: message.n, what: message.what });
    if (this.log.length > LOG_MAX) this.log.shift();
    return "event";
  }

  finish(message) {
    if (message.play !== this.seated?.play) return null;
    this.finished = message;
    this.legal = null;
    this.clock = null;
    this.paused = false;
    const { play, board, round, seat } = this.seated;
    if (!this.results.some((one) => one.play === play)) {
      this.results.push({ play, board, round, seat, score: message.scores?.[seat] ?? null });
    }
    return "finished";
  }

  /** Milliseconds that a seat has left now; null if it need not decide. */
  left(seat) {
    const ms = this.clock?.seats?.[seat];
    if (ms === undefined) return null;
    return this.clock.running ? Math.max(0, ms - (performance.now() - this.clock.at)) : ms;
  }

  /** Milliseconds that a seat may still take without being slow; null where there is no such limit, or it is over. */
  slowLeft(seat) {
    const ms = this.clock?.slow;
    if (ms === undefined || this.left(seat) === null) return null;
    const left = this.clock.running ? ms - (performance.now() - this.clock.at) : ms;
    return left > 0 ? left : null;
  }
}
