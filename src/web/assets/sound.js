// Sounds made by the browser itself, vibration, and the other switches of a player, kept on the device.

const KEY = "fushi.settings";
const usual = { sound: true, vibrate: true, four: false, big: false };
let settings = { ...usual };
try {
  settings = { ...usual, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
} catch {
  // What cannot be read is as if nothing had been chosen.
}

let context = null;

/** The value of a switch. */
export const setting = (name) => settings[name];

/** Changes a switch, here and for later. */
export function change(name, value) {
  settings[name] = value;
  localStorage.setItem(KEY, JSON.stringify(settings));
  apply();
}

/** Lets the page look as the switches say. */
export function apply() {
  document.body.classList.toggle("four-colours", settings.four);
  document.body.classList.toggle("big-cards", settings.big);
}

// Browsers let a page sound only after somebody has touched it.
for (const kind of ["pointerdown", "keydown"]) {
  window.addEventListener(kind, () => {
    if (!settings.sound) return;
    context ??= "AudioContext" in window ? new AudioContext() : null;
    if (context?.state === "suspended") context.resume();
  });
}

function tone(frequency, after, length, loud) {
  const begin = context.currentTime + after;
  const source = context.createOscillator();
  const gain = context.createGain();
  source.type = "sine";
  source.frequency.value = frequency;
  gain.gain.setValueAtTime(0, begin);
  gain.gain.linearRampToValueAtTime(loud, begin + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.0001, begin + length);
  source.connect(gain).connect(context.destination);
  source.start(begin);
  source.stop(begin + length);
}

const TUNES = {
  turn: [[660, 0, 0.16, 0.12], [880, 0.11, 0.22, 0.12]],
  card: [[320, 0, 0.06, 0.07]],
  warn: [[520, 0, 0.09, 0.1]],
  over: [[523, 0, 0.2, 0.1], [659, 0.13, 0.2, 0.1], [784, 0.26, 0.34, 0.1]],
  no: [[180, 0, 0.18, 0.1]],
  call: [[988, 0, 0.18, 0.14], [784, 0.2, 0.18, 0.14], [988, 0.4, 0.3, 0.14]],
};

/** Plays a tune, if sounds are on. */
export function sound(name) {
  if (!settings.sound || context?.state !== "running") return;
  for (const note of TUNES[name] ?? []) tone(...note);
}

/** Shakes the device, if that is on and it can. */
export function shake(pattern) {
  if (settings.vibrate && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}
