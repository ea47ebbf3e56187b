/** The camera: which part of the map is on the screen, and how large. */

const ZOOM_MAX = 6;

/** Positions of the map are in tiles, those of the screen in CSS pixels. */
export class Camera {
  constructor() {
    this.x = 0; // the centre of the screen, in tiles
    this.y = 0;
    this.zoom = 2; // CSS pixels for one pixel of the map
    this.width = 1;
    this.height = 1;
    this.tile = 16;
    this.map = { width: 1, height: 1 };
  }

  /** Take the size of the map, and show all of it; on a narrow screen, as much as fills its height. */
  open(world) {
    this.tile = world.tile;
    this.map = { width: world.width, height: world.height };
    this.fit();
    if (this.width < this.height) this.zoomBy((this.height / (world.height * this.tile)) / this.zoom);
  }

  resize(width, height) {
    this.width = width;
    this.height = height;
    this.#clamp();
  }

  /** CSS pixels of one tile. */
  get scale() {
    return this.tile * this.zoom;
  }

  /** The zoom with which the whole map fills the screen; a world of few tiles is shown large. */
  get zoomFit() {
    const { width, height } = this.map;
    return Math.min(ZOOM_MAX, this.width / (width * this.tile) * 0.95, this.height / (height * this.tile) * 0.95);
  }

  get zoomMin() {
    return Math.min(this.zoomFit, 0.95);
  }

  /** Show the whole map. */
  fit() {
    this.zoom = this.zoomFit;
    this.x = this.map.width / 2;
    this.y = this.map.height / 2;
  }

  /** Zoom by a factor; the point of the screen stays where it is. */
  zoomBy(factor, screenX = this.width / 2, screenY = this.height / 2) {
    const before = this.toMap(screenX, screenY);
    this.zoom = Math.min(ZOOM_MAX, Math.max(this.zoomMin, this.zoom * factor));
    const after = this.toMap(screenX, screenY);
    this.x += before.x - after.x;
    this.y += before.y - after.y;
    this.#clamp();
  }

  /** Move by CSS pixels. */
  pan(deltaX, deltaY) {
    this.x -= deltaX / this.scale;
    this.y -= deltaY / this.scale;
    this.#clamp();
  }

  /** Look at a tile, closely enough to see who is there. */
  lookAt(x, y, zoom = Math.max(this.zoom, 2)) {
    this.zoom = Math.min(ZOOM_MAX, zoom);
    this.x = x;
    this.y = y;
    this.#clamp();
  }

  toMap(screenX, screenY) {
    return { x: this.x + (screenX - this.width / 2) / this.scale, y: this.y + (screenY - this.height / 2) / this.scale };
  }

  screenX(x) {
    return (x - this.x) * this.scale + this.width / 2;
  }

  screenY(y) {
    return (y - this.y) * this.scale + this.height / 2;
  }

  /** A text that changes whenever the picture moves. */
  get key() {
    return `${this.x},${this.y},${this.zoom},${this.width},${this.height}`;
  }

  #clamp() {
    this.zoom = Math.max(this.zoom, this.zoomMin);
    this.x = clampAxis(this.x, this.map.width, this.width / this.scale);
    this.y = clampAxis(this.y, this.map.height, this.height / this.scale);
  }
}

/** Keep the map in view: centred where it is smaller than the screen. */
function clampAxis(centre, size, seen) {
  if (seen >= size) return size / 2;
  return Math.min(size - seen / 2, Math.max(seen / 2, centre));
}
