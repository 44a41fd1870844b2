// Coming to the table: the seat that this device holds, and the rules, which come first.

import { call, heldSeat, keepSeat, Refused } from "./api.js";

const place = (id) => document.getElementById(id);

/** The rules come first: once for each seat and each version of the rules. */
function rules(facts, seat, connect) {
  const key = `fushi.rules.${facts.event}`;
  const wanted = `${seat.token.slice(-12)} ${facts.rulesHash}`;
  if (sessionStorage.getItem(key) === wanted || localStorage.getItem(key) === wanted) return connect(seat);
  const panel = place("rules");
  panel.hidden = false;
  place("accept").addEventListener("click", async () => {
    const fault = place("rules-fault");
    fault.hidden = true;
    place("accept").disabled = true;
    try {
      const path = `/api/v1/events/${encodeURIComponent(facts.event)}/checkin`;
      await call("POST", path, { rules_hash: facts.rulesHash }, seat.token);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // An event that is over takes no check-in any more, but may still be looked at.
      if (error.code !== "stage") {
        fault.textContent = error.message;
        fault.hidden = false;
        place("accept").disabled = false;
        return;
      }
    }
    sessionStorage.setItem(key, wanted);
    localStorage.setItem(key, wanted);
    connect(seat);
  });
}

/** Calls `connect(seat)` once the seat is known and its rules are accepted; without a seat it goes where seats are taken. */
export function enter(facts, connect) {
  // A token behind `#` is kept and taken out of the address bar.
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token) {
    keepSeat(facts.event, { token });
    history.replaceState(null, "", location.pathname + location.search);
  }
  const seat = heldSeat(facts.event);
  if (seat?.token) return rules(facts, seat, connect);
  location.replace(`/seat?event=${encodeURIComponent(facts.event)}`);
}
