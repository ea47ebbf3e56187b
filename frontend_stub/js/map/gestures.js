/** Gestures on the map: drag, wheel, pinch, click, and the keyboard. */

const CLICK_PIXELS = 6;
const KEY_PAN = 80;

/**
 * @param {HTMLElement} target
 * @param {import("./camera.js").Camera} camera
 * @param {{onMove: () => void, onClick: (x: number, y: number) => void, onHover: (x: number, y: number) => void, onKey: (key: string) => boolean}} listener
 */
export function listenToGestures(target, camera, listener) {
  /** @type {Map<number, {x: number, y: number}>} */
  const pointers = new Map();
  let travelled = 0;
  let pinch = 0;

  const at = (event) => {
    const box = target.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  target.addEventListener("pointerdown", (event) => {
    target.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, at(event));
    travelled = pointers.size > 1 ? Infinity : 0;
    pinch = 0;
  });
  target.addEventListener("pointermove", (event) => {
    const now = at(event);
    const before = pointers.get(event.pointerId);
    if (!before) {
      listener.onHover(now.x, now.y);
      return;
    }
    pointers.set(event.pointerId, now);
    if (pointers.size === 1) {
      travelled += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
      if (travelled <= CLICK_PIXELS) return;
      camera.pan(now.x - before.x, now.y - before.y);
    } else {
      pinch = zoomByPinch(camera, [...pointers.values()], pinch);
    }
    listener.onMove();
  });
  const release = (event) => {
    const known = pointers.delete(event.pointerId);
    if (known && event.type === "pointerup" && travelled <= CLICK_PIXELS) {
      const { x, y } = at(event);
      listener.onClick(x, y);
    }
  };
  target.addEventListener("pointerup", release);
  target.addEventListener("pointercancel", release);
  target.addEventListener("wheel", (event) => {
    event.preventDefault();
    const { x, y } = at(event);
    camera.zoomBy(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), x, y);
    listener.onMove();
  }, { passive: false });
  target.addEventListener("keydown", (event) => {
    if (!moveByKey(camera, event.key) && !listener.onKey(event.key)) return;
    event.preventDefault();
    listener.onMove();
  });
}

function zoomByPinch(camera, [one, other], before) {
  const distance = Math.hypot(one.x - other.x, one.y - other.y);
  if (before) camera.zoomBy(distance / before, (one.x + other.x) / 2, (one.y + other.y) / 2);
  return distance;
}

function moveByKey(camera, key) {
  const moves = {
    ArrowLeft: () => camera.pan(KEY_PAN, 0), ArrowRight: () => camera.pan(-KEY_PAN, 0),
    ArrowUp: () => camera.pan(0, KEY_PAN), ArrowDown: () => camera.pan(0, -KEY_PAN),
    "+": () => camera.zoomBy(1.25), "=": () => camera.zoomBy(1.25), "-": () => camera.zoomBy(0.8), 0: () => camera.fit(),
  };
  if (!(key in moves)) return false;
  moves[key]();
  return true;
}
