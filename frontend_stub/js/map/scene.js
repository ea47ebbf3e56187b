/** The scene: everything on the map, painted back to front. */

import { bubbleLabel, emojiLabel, nameLabel } from "./labels.js";
import { darknessAt, Night } from "./night.js";
import { drawSprite, HEIGHT, shade, spriteOf, WIDTH } from "./sprites.js";
import { half } from "./ground.js";

const SPRITE_ZOOM_MIN = 1.05; // in the overview, sprites are larger than the map's scale
const EMOJI_FROM = 0.4;
const NAMES_FROM = 1.6;
const AREAS_FROM = 2.1;
const BUBBLES_MAX = 12;
const EDGE = 4; // pixels between a name and the edge of the map
const CROWD = 120; // with more agents on the screen, they are dots in the overview, and only those that speak or are chosen have a name

/** Paints a town through a camera. */
export class Scene {
  /**
   * @param {import("../town/world.js").World} world
   * @param {OffscreenCanvas} ground
   */
  constructor(world, ground) {
    this.world = world;
    this.ground = ground;
    this.smallGround = half(ground);
    this.night = new Night(world);
    /** The ground as it is on the screen: painted once for a camera that stands still. */
    this.backdrop = new OffscreenCanvas(1, 1);
    this.backdropKey = "";
    this.groundKey = "";
  }

  /**
   * @param {CanvasRenderingContext2D} pen
   * @param {import("./camera.js").Camera} camera
   * @param {import("../town/town.js").Town} town whose agents are posed
   * @param {{hour: number, tick: number, chosen: string, object: string, dark: boolean, hovered: string}} view
   */
  paint(pen, camera, town, view) {
    this.#paintGround(pen, camera, darknessAt(view.hour));
    this.#paintObjects(pen, camera, town, view);
    const seen = this.#seen(camera, town);
    this.#paintAgents(pen, camera, seen, view);
    const veil = this.night.veil(view.hour, town.agents.values());
    if (veil) this.#paintMap(pen, camera, veil, true);
    this.#paintPlaces(pen, camera);
    this.#paintLabels(pen, camera, seen, town, view);
  }

  #paintGround(pen, camera, darkness) {
    const { width, height } = pen.canvas;
    const key = `${camera.key}|${Math.round(darkness * 40)}|${width}|${height}`;
    const standsStill = key === this.groundKey;
    this.groundKey = key;
    if (!standsStill) {
      this.#paintGroundOn(pen, camera, darkness);
      return;
    }
    if (key !== this.backdropKey) {
      Object.assign(this.backdrop, { width, height });
      const backdropPen = this.backdrop.getContext("2d", { alpha: false });
      backdropPen.setTransform(pen.getTransform());
      this.#paintGroundOn(backdropPen, camera, darkness);
      this.backdropKey = key;
    }
    pen.imageSmoothingEnabled = false;
    pen.drawImage(this.backdrop, 0, 0, camera.width, camera.height);
  }

  #paintGroundOn(pen, camera, darkness) {
    pen.fillStyle = shade("#6fa356", -darkness * 0.75);
    pen.fillRect(0, 0, camera.width, camera.height);
    if (camera.zoom < 0.75) this.#paintMap(pen, camera, this.smallGround, true);
    else this.#paintMap(pen, camera, this.ground, false);
  }

  /** Draw the part of a picture of the whole map that is on the screen. */
  #paintMap(pen, camera, picture, smoothing) {
    const { width, height } = this.world;
    const ratio = picture.width / width; // pixels of the picture for one tile
    const left = Math.max(0, Math.floor(camera.toMap(0, 0).x));
    const top = Math.max(0, Math.floor(camera.toMap(0, 0).y));
    const right = Math.min(width, Math.ceil(camera.toMap(camera.width, 0).x) + 1);
    const bottom = Math.min(height, Math.ceil(camera.toMap(0, camera.height).y) + 1);
    pen.imageSmoothingEnabled = smoothing;
    pen.drawImage(
      picture, left * ratio, top * ratio, (right - left) * ratio, (bottom - top) * ratio,
      camera.screenX(left), camera.screenY(top), (right - left) * camera.scale, (bottom - top) * camera.scale,
    );
    pen.imageSmoothingEnabled = false;
  }

  #paintObjects(pen, camera, town, view) {
    for (const [path, object] of town.objects) {
      const box = this.world.objectByPath.get(path);
      if (!box || (!object.isSet && camera.zoom < 1)) continue;
      this.#frame(pen, camera, box, object.isSet ? "#e0562b" : "rgba(255, 244, 200, .75)", object.isSet ? 2.5 : 1.2);
    }
    const chosen = this.world.objectByPath.get(view.object);
    if (chosen) this.#frame(pen, camera, chosen, "#ff9d3c", 3);
  }

  #frame(pen, camera, box, colour, width) {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.strokeRect(camera.screenX(box.x), camera.screenY(box.y), box.width * camera.scale, box.height * camera.scale);
  }

  #seen(camera, town) {
    const from = camera.toMap(-camera.scale, -camera.scale * 2);
    const to = camera.toMap(camera.width + camera.scale, camera.height + camera.scale);
    const seen = [];
    for (const agent of town.agents.values()) {
      const { x, y } = agent.pose;
      if (x >= from.x && x <= to.x && y >= from.y && y <= to.y) seen.push(agent);
    }
    return seen.sort((one, other) => one.pose.y - other.pose.y);
  }

  #paintAgents(pen, camera, seen, view) {
    const crowded = seen.length > CROWD;
    const scale = crowded ? camera.zoom : Math.max(SPRITE_ZOOM_MIN, camera.zoom);
    for (const agent of seen) {
      const sprite = spriteOf(agent.name);
      const x = camera.screenX(agent.pose.x + 0.5);
      const y = camera.screenY(agent.pose.y + 0.5);
      if (agent.slug === view.chosen || agent.slug === view.hovered) ring(pen, x, y + 6 * scale, Math.max(9, 9 * scale), agent.slug === view.chosen);
      if (crowded && scale < SPRITE_ZOOM_MIN) dot(pen, x, y, sprite.look.clothes);
      else if (agent.asleep) sleeper(pen, sprite, x, y, scale);
      else drawSprite(pen, sprite, agent.pose, x - (WIDTH / 2) * scale, y - (HEIGHT - 8) * scale, scale);
    }
  }

  #paintPlaces(pen, camera) {
    const near = camera.zoom >= AREAS_FROM;
    const style = { size: near ? 11 : 12, bold: !near, back: "rgba(28, 32, 38, .62)", ink: "#fdfaf2" };
    const boxes = near ? this.world.areas : this.world.places;
    const taken = [];
    for (const box of boxes) {
      const label = nameLabel(box.name, style);
      const middle = camera.screenX(box.x + box.width / 2);
      const x = middle > 0 && middle < camera.width // the name of a place at the edge is whole
        ? Math.max(EDGE, Math.min(camera.width - label.width - EDGE, middle - label.width / 2)) : middle - label.width / 2;
      const y = camera.screenY(box.y) - label.height * (near ? 0.4 : 1.1);
      const fits = label.width < box.width * camera.scale * (near ? 1.2 : 1.9);
      if (!fits || !onScreen(camera, x, y, label) || taken.some((other) => overlap(other, x, y, label))) continue;
      taken.push({ x, y, ...label });
      pen.drawImage(label.canvas, x, y, label.width, label.height);
    }
  }

  #paintLabels(pen, camera, seen, town, view) {
    for (const [path, object] of town.objects) {
      const box = this.world.objectByPath.get(path);
      if (!box || !(object.isSet || path === view.object) || camera.zoom < 0.4) continue;
      const label = nameLabel(`${box.name}: ${object.state}`, { size: 11, bold: true, back: object.isSet ? "#b83a12" : "#6b4a10", ink: "#fff" });
      pen.drawImage(label.canvas, camera.screenX(box.x + box.width / 2) - label.width / 2, camera.screenY(box.y + box.height) + 2, label.width, label.height);
    }
    const crowded = seen.length > CROWD;
    const scale = crowded ? camera.zoom : Math.max(SPRITE_ZOOM_MIN, camera.zoom);
    const speakers = [];
    for (const agent of seen) {
      const isMarked = agent.slug === view.chosen || agent.slug === view.hovered;
      const x = camera.screenX(agent.pose.x + 0.5);
      const head = camera.screenY(agent.pose.y + 0.5) - (HEIGHT - 8) * scale;
      const speaks = agent.words && view.tick - agent.words.tick < 12;
      if (speaks && (speakers.length < BUBBLES_MAX || isMarked) && camera.zoom >= 0.7) speakers.push({ agent, x, head });
      else if (agent.emoji && (isMarked || (!crowded && camera.zoom >= EMOJI_FROM))) {
        const size = Math.min(22, Math.max(15, 9 * camera.zoom));
        const label = emojiLabel(speaks ? "💬" : agent.emoji);
        pen.drawImage(label.canvas, x - size / 2, head - size + 2, size, size);
      }
      if (isMarked || (!crowded && camera.zoom >= NAMES_FROM)) this.#paintName(pen, camera.screenY(agent.pose.y + 0.5) + 8.5 * scale, agent, x, isMarked);
    }
    for (const { agent, x, head } of speakers) {
      const label = bubbleLabel(agent.words.text, view.dark);
      pen.drawImage(label.canvas, x - label.width / 2, head - label.height, label.width, label.height);
    }
  }

  #paintName(pen, y, agent, x, isMarked) {
    const text = isMarked ? agent.name : agent.name.split(" ")[0];
    const style = isMarked ? { size: 12, bold: true, back: "#b2440f", ink: "#fff" } : { size: 10.5, bold: false, back: "rgba(255, 252, 244, .86)", ink: "#2b2a27" };
    const label = nameLabel(text, style);
    pen.drawImage(label.canvas, x - label.width / 2, y, label.width, label.height);
  }
}

function dot(pen, x, y, colour) {
  pen.fillStyle = "#fff";
  pen.fillRect(x - 4, y - 4, 8, 8);
  pen.fillStyle = colour;
  pen.fillRect(x - 3, y - 3, 6, 6);
}

function ring(pen, x, y, radius, isChosen) {
  pen.beginPath();
  pen.ellipse(x, y, radius, radius * 0.55, 0, 0, 7);
  pen.fillStyle = isChosen ? "rgba(255, 138, 61, .45)" : "rgba(255, 255, 255, .4)";
  pen.fill();
  pen.lineWidth = 2;
  pen.strokeStyle = isChosen ? "#ff8a3d" : "#fff";
  pen.stroke();
}

/** A sleeper is a head on a pillow under a blanket. */
function sleeper(pen, sprite, x, y, scale) {
  pen.fillStyle = "#f4f0e6";
  pen.fillRect(x - 6 * scale, y - 8 * scale, 12 * scale, 7 * scale);
  pen.drawImage(sprite.sheet, 2, 0, 12, 10, x - 6 * scale, y - 9 * scale, 12 * scale, 10 * scale);
  pen.fillStyle = sprite.look.clothes;
  pen.fillRect(x - 6 * scale, y + scale, 12 * scale, 9 * scale);
}

function onScreen(camera, x, y, { width, height }) {
  return x + width > 0 && y + height > 0 && x < camera.width && y < camera.height;
}

function overlap(one, x, y, { width, height }) {
  return x < one.x + one.width && x + width > one.x && y < one.y + one.height && y + height > one.y;
}
