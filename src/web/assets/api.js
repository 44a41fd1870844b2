// Calls of the API, and what they answer, in words.

import { t, lang, knows } from "./words.js";

/** A refusal in words: `code` for scripts, `message` for people, `seconds` to wait. */
export class Refused extends Error {
  constructor(code, message, status, seconds) {
    super(message);
    this.code = code;
    this.status = status;
    this.seconds = seconds;
  }
}

function told(problem, seconds) {
  const lines = (problem.faults ?? []).map((fault) => {
    const key = `js-fault-${fault.code.replaceAll("_", "-")}`;
    return knows(key) ? t(key) : fault.message;
  });
  if (lines.length === 0) lines.push(problem.detail || problem.title);
  if (seconds) lines.push(t("js-wait-seconds", { seconds }));
  return lines.join("\n");
}

/** Calls the API. Answers the body, or throws `Refused` with a sentence for people. */
export async function call(method, path, body, token) {
  const headers = { Accept: "application/json" };
  const csrf = document.querySelector('meta[name="csrf"]');
  if (token) headers.Authorization = `Bearer ${token}`;
  else if (csrf && method !== "GET") headers["X-CSRF-Token"] = csrf.content;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const address = `${path}${path.includes("?") ? "&" : "?"}lang=${lang}`;
  let response;
  try {
    const sent = body === undefined ? undefined : JSON.stringify(body);
    response = await fetch(address, { method, headers, body: sent, credentials: "same-origin" });
  } catch {
    throw new Refused("offline", t("js-offline"), 0);
  }
  if (response.status === 204) return null;
  let answer;
  try {
    answer = await response.json();
  } catch {
    throw new Refused("unexpected", t("js-unexpected"), response.status);
  }
  if (response.ok) return answer;
  const seconds = Number(response.headers.get("Retry-After")) || 0;
  throw new Refused(answer.code ?? "unexpected", told(answer, seconds), response.status, seconds);
}

const HELD = "fushi.seat.";

/** Keeps the token of a seat: for this tab, and for later ones on this device. */
export function keepSeat(event, seat) {
  const text = JSON.stringify(seat);
  sessionStorage.setItem(HELD + event, text);
  localStorage.setItem(HELD + event, text);
}

/** The seat that this tab holds, else the last one of this device. */
export function heldSeat(event) {
  const text = sessionStorage.getItem(HELD + event) ?? localStorage.getItem(HELD + event);
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

/** Forgets a seat. */
export function dropSeat(event) {
  const own = sessionStorage.getItem(HELD + event);
  if (own === null || own === localStorage.getItem(HELD + event)) localStorage.removeItem(HELD + event);
  sessionStorage.removeItem(HELD + event);
}

/** The token of this device in an event that is played on enrolled devices. */
export const deviceOf = (event) => localStorage.getItem(`fushi.device.${event}`);

/** Keeps the token of this device. */
export const keepDevice = (event, token) => localStorage.setItem(`fushi.device.${event}`, token);

/** The events in which this device holds a seat. */
export function heldEvents() {
  const events = new Set();
  for (const store of [sessionStorage, localStorage]) {
    for (let place = 0; place < store.length; place += 1) {
      const key = store.key(place);
      if (key.startsWith(HELD)) events.add(key.slice(HELD.length));
    }
  }
  return [...events];
}
