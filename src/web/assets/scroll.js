// A list on a projector: down slowly, a rest, and up to the first again; page by page where motion is unwanted. A finger,
// a wheel or a key stops it for a while.

const REST = 6000;
/** Pixels a millisecond. */
const PACE = 0.04;

/** Lets an element scroll by itself as long as the page is open. */
export function scrollsByItself(element) {
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  let until = performance.now() + REST;
  let down = true;
  let position = 0;
  let last = performance.now();

  function step(now) {
    const passed = Math.min(100, now - last);
    last = now;
    const end = element.scrollHeight - element.clientHeight;
    if (end > 4 && now >= until) {
      if (!down) {
        position = 0;
        element.scrollTop = 0;
        down = true;
        until = now + REST;
      } else {
        position = calm.matches ? element.scrollTop + element.clientHeight * 0.85 : position + passed * PACE;
        element.scrollTop = position;
        if (calm.matches) until = now + REST;
        if (position >= end) {
          down = false;
          until = now + REST;
        }
      }
    }
    requestAnimationFrame(step);
  }

  for (const kind of ["wheel", "pointerdown", "keydown"]) {
    element.addEventListener(kind, () => {
      until = performance.now() + 3 * REST;
      requestAnimationFrame(() => {
        position = element.scrollTop;
      });
    });
  }
  requestAnimationFrame(step);
}
