/** The map as the page reads it: areas, objects and doors of a Tiled document, in tiles. */

/**
 * @typedef {{path: string, name: string, x: number, y: number, width: number, height: number}} Box in tiles
 */

const SEPARATOR = ": ";

/** Boxes of a world, and what is at a tile. */
export class World {
  /** @param {any} map a document in the format of the Tiled editor */
  constructor(map) {
    this.width = map.width;
    this.height = map.height;
    this.tile = map.tilewidth;
    this.areas = boxesOf(map, "areas");
    this.objects = boxesOf(map, "objects");
    this.doors = boxesOf(map, "doors");
    this.places = placesOf(this.areas);
    this.objectByPath = new Map(this.objects.map((box) => [box.path, box]));
    const collision = map.layers.find((layer) => layer.name === "collision");
    /** Whether each tile is blocked. @type {boolean[]} */
    this.blocked = (collision?.data ?? []).map(Boolean);
  }

  /** @returns {Box | undefined} the object at a tile, the smallest if there are several */
  objectAt(x, y) {
    return smallest(this.objects.filter((box) => holds(box, x, y)));
  }

  /** @returns {boolean} whether a tile of the map can be walked on */
  isFree(x, y) {
    return x >= 0 && y >= 0 && x < this.width && y < this.height && !this.blocked[y * this.width + x];
  }

  /** @returns {Box | undefined} */
  areaAt(x, y) {
    return smallest(this.areas.filter((box) => holds(box, x, y)));
  }
}

/** @returns {string} the last name of a path */
export const shortName = (path) => path.slice(path.lastIndexOf(SEPARATOR) + (path.includes(SEPARATOR) ? SEPARATOR.length : 0));

/** @returns {string} the first name of a path */
export const placeOf = (path) => path.split(SEPARATOR)[0];

/** @returns {string} a path as a user reads it: "stove in the kitchen of Lin family's house" */
export function readable(path) {
  const parts = path.split(SEPARATOR);
  if (parts.length === 3) return `${parts[2]} in ${definite(parts[1])} of ${parts[0]}`;
  if (parts.length === 2) return `${parts[1]} of ${parts[0]}`;
  return path;
}

/** @returns {string} a path beside what an agent does there, without the object if the action names it */
export function placeBeside(path, action) {
  const parts = path.split(SEPARATOR);
  return readable((parts.length === 3 && action.includes(parts[2]) ? parts.slice(0, 2) : parts).join(SEPARATOR));
}

/** @returns {string} the same within a sentence: "the kitchen of Lin family's house" */
export const inSentence = (path) => (path.includes(SEPARATOR) ? definite(readable(path)) : path);

/** A name that says whose it is has no article. */
function definite(name) {
  return name.split(/ (?:of|in) /)[0].includes("'s ") ? name : `the ${name}`;
}

function boxesOf(map, name) {
  const layer = map.layers.find((each) => each.name === name);
  const size = map.tilewidth;
  return (layer?.objects ?? []).map((box) => ({
    path: box.name, name: shortName(box.name),
    x: box.x / size, y: box.y / size, width: Math.max(1, box.width / size), height: Math.max(1, box.height / size),
  }));
}

/** @returns {Box[]} one box around all areas of each place */
function placesOf(areas) {
  /** @type {Map<string, Box>} */
  const places = new Map();
  for (const area of areas) {
    const name = placeOf(area.path);
    const box = places.get(name);
    if (!box) {
      places.set(name, { ...area, path: name, name });
      continue;
    }
    const right = Math.max(box.x + box.width, area.x + area.width);
    const bottom = Math.max(box.y + box.height, area.y + area.height);
    box.x = Math.min(box.x, area.x);
    box.y = Math.min(box.y, area.y);
    box.width = right - box.x;
    box.height = bottom - box.y;
  }
  return [...places.values()];
}

function holds(box, x, y) {
  return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
}

function smallest(boxes) {
  return boxes.sort((one, other) => one.width * one.height - other.width * other.height)[0];
}
