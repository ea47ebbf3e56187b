/** The scene: everything on the map, painted back to front. */

import { bubbleLabel, emojiLabel, inTwoLines, Layout, nameLabel } from "./labels.js";
import { darknessAt, Night } from "./night.js";
import { drawSprite, HEIGHT, shade, spriteOf } from "./sprites.js";
import { half } from "./ground.js";

const SPRITE_ZOOM_MIN = 1.05; // in the overview, sprites are larger than the map's scale
const EMOJI_FROM = 0.4;
const NAMES_FROM = 1.6;
const AREAS_FROM = 2.1;
const BUBBLES_MAX = 12;
const EDGE = 4; // pixels between a name and the edge of the map
const FEET = 8; // pixels of a sprite between the middle of its tile and its lower edge
const ROWS_MAX = 4; // a name or a bubble that finds no place is moved by as many of its heights at most
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
    /** The names of places or areas on the screen: found once for a camera that stands still. */
    this.names = [];
    this.namesKey = "";
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
      const sprite = spriteOf(agent);
      const x = camera.screenX(agent.pose.x + 0.5);
      const y = camera.screenY(agent.pose.y + 0.5);
      if (agent.slug === view.chosen || agent.slug === view.hovered) ring(pen, x, y + 6 * scale, Math.max(9, 9 * scale), agent.slug === view.chosen);
      if (crowded && scale < SPRITE_ZOOM_MIN) dot(pen, x, y, sprite.look.clothes);
      else if (agent.asleep) sleeper(pen, sprite, x, y, scale);
      else drawSprite(pen, sprite, agent.pose, x, y + FEET * scale, scale);
    }
  }

  #paintPlaces(pen, camera) {
    if (this.namesKey !== camera.key) {
      this.namesKey = camera.key;
      this.names = camera.zoom >= AREAS_FROM ? areaNames(camera, this.world.areas) : placeNames(camera, this.world.places);
    }
    for (const { canvas, x, y, width, height } of this.names) pen.drawImage(canvas, x, y, width, height);
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
    const named = [];
    for (const agent of seen) {
      const isMarked = agent.slug === view.chosen || agent.slug === view.hovered;
      const x = camera.screenX(agent.pose.x + 0.5);
      const middle = camera.screenY(agent.pose.y + 0.5);
      const head = middle - (HEIGHT * spriteOf(agent).look.size - FEET) * scale;
      const speaks = agent.words && view.tick - agent.words.tick < 12;
      if (speaks && (speakers.length < BUBBLES_MAX || isMarked) && camera.zoom >= 0.7) speakers.push({ agent, x, head });
      else if (agent.emoji && (isMarked || (!crowded && camera.zoom >= EMOJI_FROM))) {
        const size = Math.min(22, Math.max(15, 9 * camera.zoom));
        const label = emojiLabel(speaks ? "💬" : agent.emoji);
        pen.drawImage(label.canvas, x - size / 2, head - size + 2, size, size);
      }
      if (isMarked || (!crowded && camera.zoom >= NAMES_FROM)) named.push({ agent, x, y: middle + (FEET + 0.5) * scale, isMarked });
    }
    paintNames(pen, named);
    paintBubbles(pen, speakers, view.dark);
  }
}

/** The chosen agent has its name first; another name that finds no free place is left out. */
function paintNames(pen, named) {
  const layout = new Layout();
  for (const { agent, x, y, isMarked } of named.sort((one, other) => Number(other.isMarked) - Number(one.isMarked))) {
    const style = isMarked ? { size: 12, bold: true, back: "#b2440f", ink: "#fff" } : { size: 10.5, bold: false, back: "rgba(255, 252, 244, .86)", ink: "#2b2a27" };
    const label = nameLabel(isMarked ? agent.name : agent.name.split(" ")[0], style);
    const place = layout.take(rows(label, x - label.width / 2, y, label.height));
    if (place) pen.drawImage(label.canvas, place.x, place.y, label.width, label.height);
  }
}

/** A bubble above a head is moved up if another one is there. */
function paintBubbles(pen, speakers, dark) {
  const layout = new Layout();
  for (const { agent, x, head } of speakers) {
    const label = bubbleLabel(agent.words.text, dark);
    const places = rows(label, x - label.width / 2, head - label.height, -label.height);
    const { x: left, y: top } = layout.take(places) ?? places[0];
    pen.drawImage(label.canvas, left, top, label.width, label.height);
  }
}

/** A place for a label, and those in steps above or below it. */
function rows(label, x, y, step) {
  return Array.from({ length: ROWS_MAX }, (_, row) => ({ ...label, x, y: y + row * step }));
}

const PLATE = { back: "rgba(28, 32, 38, .62)", ink: "#fdfaf2" };

/** Names of the areas that are wide enough for them. */
function areaNames(camera, areas) {
  const layout = new Layout();
  return areas.map((box) => {
    const label = nameLabel(box.name, { ...PLATE, size: 11, bold: false });
    if (label.width >= box.width * camera.scale * 1.2) return null;
    return layout.take(onScreen(camera, [{ ...label, x: middleOf(camera, box, label), y: camera.screenY(box.y) - label.height * 0.4 }]));
  }).filter(Boolean);
}

/** Names of all places: large or small, on one line or two, above, below or inside, whichever is free. */
function placeNames(camera, places) {
  const layout = new Layout();
  return places.map((box) => layout.take(onScreen(camera, placesOfName(camera, box)))).filter(Boolean);
}

function* placesOfName(camera, box) {
  for (const size of [12, 10]) {
    for (const text of new Set([box.name, inTwoLines(box.name)])) {
      const label = nameLabel(text, { ...PLATE, size, bold: true });
      const x = middleOf(camera, box, label);
      const top = camera.screenY(box.y);
      const bottom = camera.screenY(box.y + box.height);
      for (const y of [top - label.height * 1.1, bottom + label.height * 0.1, top + 2, bottom - label.height - 2, (top + bottom - label.height) / 2]) yield { ...label, x, y };
    }
  }
}

/** Where a name begins above the middle of a box; the name of a box at the edge of the screen is whole. */
function middleOf(camera, box, label) {
  const middle = camera.screenX(box.x + box.width / 2);
  const x = middle - label.width / 2;
  return middle > 0 && middle < camera.width ? Math.max(EDGE, Math.min(camera.width - label.width - EDGE, x)) : x;
}

/** The candidates that can be seen as a whole in height, and in part in width. */
function* onScreen(camera, candidates) {
  for (const one of candidates) {
    if (one.x + one.width > 0 && one.x < camera.width && one.y >= 0 && one.y + one.height <= camera.height) yield one;
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
