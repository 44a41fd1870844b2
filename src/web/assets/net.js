// The socket: protocol v1. It joins, comes back by itself with what it has seen, and sends a command that was not
// answered once more, with the same id. It decides nothing.

const FIRST_WAIT = 400;
const LONGEST_WAIT = 10_000;
const PING_EVERY = 10_000;
const SILENT_MAX = 26_000;
/** Errors after which coming back at once cannot help. */
const FINAL = new Set(["token", "network", "device", "elsewhere", "version", "malformed", "join_first"]);

function fresh() {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return [...bytes].map((byte) => byte.toString(36).padStart(2, "0")).join("");
}

export class Net {
  /**
   * `hear(message)` is given every message of the server; `state(name, error)` says `connecting`, `on`, `lost` or
   * `ended`; `seen()` answers `{play, n}` of the last event, or null.
   */
  constructor({ event, token, device, lang, hear, state, seen }) {
    Object.assign(this, { token, device, hear, state, seen });
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.address = `${scheme}://${location.host}/api/v1/play?lang=${lang}`;
    this.key = `fushi.pending.${event}`;
    this.prefix = fresh();
    this.counter = 0;
    this.wait = FIRST_WAIT;
    this.socket = null;
    this.joined = false;
    this.ended = false;
    this.heard = 0;
    this.slow = 0;
    try {
      this.pending = new Map(JSON.parse(sessionStorage.getItem(this.key) ?? "[]"));
    } catch {
      this.pending = new Map();
    }
    window.addEventListener("online", () => this.soon(0));
    window.addEventListener("offline", () => this.socket?.close());
    setInterval(() => this.beat(), PING_EVERY);
  }

  /** Connects, or comes back. */
  open() {
    clearTimeout(this.timer);
    if (this.ended || this.socket) return;
    this.joined = false;
    this.state(this.heard ? "lost" : "connecting");
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.addEventListener("open", () => {
      const join = { type: "join", v: 1, token: this.token };
      if (this.device) join.device = this.device;
      // Who was too slow twice running asks for the board as it is: it is one message.
      const from = this.slow > 1 ? null : this.seen();
      if (from) join.from = from;
      socket.send(JSON.stringify(join));
    });
    socket.addEventListener("message", (frame) => {
      if (this.socket === socket) this.take(JSON.parse(frame.data));
    });
    socket.addEventListener("close", (event) => {
      if (this.socket !== socket) return;
      this.slow = event.code === 1008 && event.reason === "slow" ? this.slow + 1 : 0;
      this.socket = null;
      this.joined = false;
      if (this.ended) return;
      this.state("lost");
      this.soon(this.wait * (0.6 + Math.random() * 0.8));
      this.wait = Math.min(this.wait * 1.7, LONGEST_WAIT);
    });
  }

  soon(ms) {
    clearTimeout(this.timer);
    if (!this.ended && !this.socket) this.timer = setTimeout(() => this.open(), ms);
  }

  /** Begins anew: what was seen does not fit together. */
  again() {
    this.wait = FIRST_WAIT;
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.soon(0);
  }

  take(message) {
    this.heard = performance.now();
    switch (message.type) {
      case "welcome":
        this.joined = true;
        this.wait = FIRST_WAIT;
        this.state("on");
        this.hear(message);
        for (const command of this.pending.values()) this.send(command);
        return;
      case "error":
        if (FINAL.has(message.code)) this.end(message);
        else if (message.code === "not_open") this.wait = Math.max(this.wait, 3000);
        this.hear(message);
        return;
      case "replaced":
        this.end(message);
        this.hear(message);
        return;
      case "accepted":
      case "refused": {
        const command = this.pending.get(message.id);
        this.pending.delete(message.id);
        this.keep();
        this.hear({ ...message, command });
        return;
      }
      case "pong":
        return;
      default:
        this.hear(message);
    }
  }

  end(why) {
    this.ended = true;
    this.state("ended", why);
    this.socket?.close();
  }

  /** Takes the seat back after another window had it. */
  retake() {
    this.ended = false;
    this.socket = null;
    this.open();
  }

  keep() {
    sessionStorage.setItem(this.key, JSON.stringify([...this.pending]));
  }

  send(message) {
    if (this.joined && this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Sends a command that is answered; it is kept until then, over broken connections and a reload. */
  command(message) {
    this.counter += 1;
    const id = `${this.prefix}.${this.counter}`;
    const whole = { ...message, id };
    this.pending.set(id, whole);
    this.keep();
    this.send(whole);
    return id;
  }

  act(play, text, after) {
    const message = { type: "act", play, do: text };
    if (after !== undefined) message.after = after;
    return this.command(message);
  }

  /** Asks whether an action would be accepted, and why not: it changes nothing and is not kept. */
  check(play, text) {
    this.send({ type: "check", play, do: text });
  }

  ready() {
    return this.command({ type: "ready" });
  }

  callReferee(play, text) {
    const message = { type: "call" };
    if (play !== undefined) message.play = play;
    if (text) message.text = text;
    return this.command(message);
  }

  focus(visible) {
    this.send({ type: "focus", visible });
  }

  /** Whether an action waits for its answer. */
  busy() {
    return [...this.pending.values()].some((command) => command.type === "act");
  }

  beat() {
    if (!this.joined) return;
    if (performance.now() - this.heard > SILENT_MAX) {
      const socket = this.socket;
      this.socket = null;
      this.joined = false;
      socket?.close();
      this.state("lost");
      this.soon(0);
      return;
    }
    this.send({ type: "ping", t: Math.round(performance.now()) });
  }
}
