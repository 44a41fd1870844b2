// Hints for whoever plays here for the first time. Whoever has read them puts them away, on this device, for this game.

const place = () => document.getElementById("start");

/** Shows the hints of a game unless they were put away; `again` shows them in any case. */
export function startHints(game, again = false) {
  const key = `fushi.start.${game}`;
  const panel = place();
  if (again) localStorage.removeItem(key);
  panel.hidden = localStorage.getItem(key) !== null;
  if (again) panel.scrollIntoView({ block: "nearest" });
  document.getElementById("start-ok").onclick = () => {
    localStorage.setItem(key, "1");
    panel.hidden = true;
  };
}
