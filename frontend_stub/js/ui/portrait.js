/** Portraits: the head of an agent's sprite, for lists. */

import { h } from "./dom.js";
import { spriteOf } from "../map/sprites.js";

/**
 * @param {{name: string, age: number}} agent
 * @returns {HTMLCanvasElement}
 */
export function portrait(agent, size = 32) {
  const canvas = h("canvas.portrait", { width: 14, height: 14, "aria-hidden": "true" });
  canvas.style.width = canvas.style.height = `${size}px`;
  const pen = canvas.getContext("2d");
  pen.imageSmoothingEnabled = false;
  pen.drawImage(spriteOf(agent).sheet, 1, 0, 14, 14, 0, 0, 14, 14);
  return canvas;
}
