/** The map view: a canvas that shows the town, and what is under a finger. */

import { Camera } from "./camera.js";
import { listenToGestures } from "./gestures.js";
import { paintGround } from "./ground.js";
import { Scene } from "./scene.js";

const REACH_PIXELS = 22;
const RATIO_MAX = 2;

/**
 * @typedef {object} MapListener
 * @property {(slug: string) => void} onAgent
 * @property {(path: string) => void} onObject
 * @property {() => void} onNothing
 * @property {(following: boolean) => void} onFollowing
 */

/** Owns the canvas; `paint` is called once a frame. */
export class MapView {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {MapListener} listener
   */
  constructor(canvas, listener) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d", { alpha: false });
    this.camera = new Camera();
    this.listener = listener;
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {import("../town/world.js").World | null} */
    this.world = null;
    this.town = null;
    this.hovered = "";
    this.following = false;
    this.isStale = true;
    this.painted = "";
    new ResizeObserver(() => this.#resize()).observe(canvas.parentElement);
    listenToGestures(canvas, this.camera, {
      onMove: () => this.setFollowing(false),
      onClick: (x, y) => this.#click(x, y),
      onHover: (x, y) => this.#hover(x, y),
      onKey: (key) => this.#key(key),
    });
  }

  /** Show another world. */
  async open(map, world, loadImage) {
    this.scene = null;
    this.world = world;
    this.#resize();
    this.camera.open(world);
    const ground = await paintGround(map, world, loadImage);
    if (this.world !== world) return; // another world was opened meanwhile
    this.scene = new Scene(world, ground);
    this.isStale = true;
  }

  setFollowing(following) {
    if (this.following === following) return;
    this.following = following;
    this.listener.onFollowing(following);
  }

  /**
   * Paint a frame, if anything has changed.
   * @returns {boolean} whether it was painted
   */
  paint(town, view, isMoving) {
    this.town = town;
    if (!this.scene) return false;
    const chosen = this.following ? town.agents.get(view.chosen) : undefined;
    if (chosen) this.camera.lookAt(chosen.pose.x + 0.5, chosen.pose.y + 0.5, this.camera.zoom);
    const key = `${this.camera.key}|${view.chosen}|${view.object}|${this.hovered}|${view.dark}|${town.version}`;
    if (!isMoving && !this.isStale && key === this.painted) return false;
    this.painted = key;
    this.isStale = false;
    const ratio = this.canvas.width / this.camera.width;
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.scene.paint(this.pen, this.camera, town, { ...view, hovered: this.hovered });
    return true;
  }

  #resize() {
    const { clientWidth, clientHeight } = this.canvas.parentElement;
    if (!clientWidth || !clientHeight) return;
    const ratio = Math.min(RATIO_MAX, devicePixelRatio || 1);
    this.canvas.width = Math.round(clientWidth * ratio);
    this.canvas.height = Math.round(clientHeight * ratio);
    this.camera.resize(clientWidth, clientHeight);
    this.isStale = true;
  }

  #agentNear(x, y) {
    let found = "";
    let nearest = Math.max(REACH_PIXELS, this.camera.scale * 0.8);
    for (const agent of this.town?.agents.values() ?? []) {
      const distance = Math.hypot(
        this.camera.screenX(agent.pose.x + 0.5) - x, this.camera.screenY(agent.pose.y) - y);
      if (distance < nearest) [nearest, found] = [distance, agent.slug];
    }
    return found;
  }

  #click(x, y) {
    const slug = this.#agentNear(x, y);
    if (slug) {
      this.listener.onAgent(slug);
      return;
    }
    const at = this.camera.toMap(x, y);
    const object = this.world?.objectAt(at.x, at.y);
    if (object) this.listener.onObject(object.path);
    else this.listener.onNothing();
  }

  #hover(x, y) {
    this.hovered = this.#agentNear(x, y);
    const at = this.camera.toMap(x, y);
    const isTarget = this.hovered || this.world?.objectAt(at.x, at.y);
    this.canvas.classList.toggle("is-target", Boolean(isTarget));
  }

  #key(key) {
    if (key !== "f" && key !== "F") return false;
    queueMicrotask(() => this.setFollowing(true));
    return true;
  }
}
