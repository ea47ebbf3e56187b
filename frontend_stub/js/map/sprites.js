/** Sprites: small figures drawn pixel by pixel, in colours of the map, else derived from the name and the age. */

export const WIDTH = 16;
export const HEIGHT = 20;
const FRAMES = 3; // standing, left foot, right foot
const ROWS = { down: 0, up: 1, right: 2, left: 3 };

const SKINS = ["#f6d3b3", "#e8b88f", "#c98d62", "#9c6440", "#6e4429"];
const HAIR = ["#2b2320", "#4a3020", "#7a4a26", "#a8702f", "#d8b25c", "#5b3a29", "#b5482f", "#33384d"];
const GREY_HAIR = ["#8c8a88", "#a9a6a1", "#c4c1ba", "#dedbd3"];
// Some have grey hair from the first age on, and all from the second.
const GREY_FROM = 45;
const GREY_ALL = 62;
const CHILD_UNTIL = 15;
const CHILD_SIZE = 0.8;
const CLOTHES = ["#c2544b", "#d08a3c", "#c9b03f", "#6d9a4a", "#3f8f7c", "#3f7fae", "#5763b5", "#8a57a8", "#b9578c", "#5d6b76", "#8a5a44", "#2f5d50"];
const TROUSERS = ["#34405a", "#4b4038", "#5b5f66", "#2f3f3a", "#6b4a3a"];

/**
 * @typedef {{skin: string, hair: string, clothes: string, trousers: string, long: boolean, bun: boolean, skirt: boolean, size: number}} Look
 * @typedef {{sheet: OffscreenCanvas, look: Look}} Sprite
 */

/** @type {Map<string, Sprite>} */
const sprites = new Map();

const COLOUR_OF_PART = /(skin|hair|clothes|trousers)\s*:?\s*(#[0-9a-f]{6})\b/gi;
let given = new Map();

/**
 * Take the looks that the map of the world gives: custom properties, such as "Ada Finch" with the value "hair #c4c1ba; clothes #5763b5".
 * @param {{name: string, value: unknown}[]} properties
 */
export function giveLooks(properties = []) {
  const coloursIn = (text) => [...text.matchAll(COLOUR_OF_PART)].map(([, part, colour]) => [part.toLowerCase(), colour]);
  given = new Map(properties.map(({ name, value }) => [name, Object.fromEntries(coloursIn(String(value)))]));
  sprites.clear();
}

/**
 * @param {{name: string, age: number}} agent
 * @returns {Sprite} the sprite of an agent, the same at every call and on every machine
 */
export function spriteOf({ name, age }) {
  const key = `${age} ${name}`;
  let sprite = sprites.get(key);
  if (!sprite) {
    const look = lookOf(name, age);
    sprite = { sheet: paintSheet(look), look };
    sprites.set(key, sprite);
  }
  return sprite;
}

/** @returns {Look} */
export function lookOf(name, age) {
  const bits = hash(name);
  const choose = (list, shift) => list[(bits >>> shift) % list.length];
  const isGrey = age >= GREY_ALL || (age >= GREY_FROM && ((bits >>> 24) & 1) === 1);
  return {
    skin: choose(SKINS, 3), hair: choose(isGrey ? GREY_HAIR : HAIR, 7), clothes: choose(CLOTHES, 11), trousers: choose(TROUSERS, 15),
    long: ((bits >>> 19) & 1) === 1, bun: ((bits >>> 20) & 3) === 0, skirt: ((bits >>> 22) & 3) === 0,
    size: age <= CHILD_UNTIL ? CHILD_SIZE : 1,
    ...given.get(name),
  };
}

/**
 * Draw a frame of a sprite.
 * @param {CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D} pen
 * @param {Sprite} sprite
 * @param {import("../town/tracks.js").Pose} pose
 * @param {number} x of the middle of the frame, in pixels of the target
 * @param {number} bottom of the frame
 * @param {number} scale pixels of the target for one pixel of the sprite of an adult
 */
export function drawSprite(pen, sprite, pose, x, bottom, scale) {
  const row = ROWS[pose.facing];
  const frame = pose.walking ? 1 + (Math.floor(pose.stride * 2) & 1) : 0;
  const width = WIDTH * scale * sprite.look.size;
  const height = HEIGHT * scale * sprite.look.size;
  pen.drawImage(sprite.sheet, frame * WIDTH, row * HEIGHT, WIDTH, HEIGHT, x - width / 2, bottom - height, width, height);
}

function paintSheet(look) {
  const sheet = new OffscreenCanvas(WIDTH * FRAMES, HEIGHT * Object.keys(ROWS).length);
  const pen = sheet.getContext("2d");
  for (const [direction, row] of Object.entries(ROWS)) {
    for (let frame = 0; frame < FRAMES; frame += 1) {
      const paint = (x, y, width, height, colour) => {
        const left = direction === "left" ? WIDTH - x - width : x; // the mirror image of "right"
        pen.fillStyle = colour;
        pen.fillRect(frame * WIDTH + left, row * HEIGHT + y, width, height);
      };
      paintFigure(paint, look, direction, frame);
    }
  }
  return sheet;
}

function paintFigure(paint, look, direction, frame) {
  const side = direction === "right" || direction === "left";
  const lift = frame === 0 ? 0 : 1;
  paint(3, 18, 10, 2, "rgba(0,0,0,.22)");
  paintLegs(paint, look, side, frame);
  const outline = shade(look.clothes, -0.35);
  const left = side ? 5 : 4;
  const width = side ? 6 : 8;
  paint(left, 10, width, 6, look.clothes);
  paint(left, 15, width, 1, outline);
  if (look.skirt) paint(left - 1, 14, width + 2, 2, look.clothes);
  if (side) {
    paint(7, 11, 2, 4, outline);
    paint(7 + (frame === 1 ? 1 : 0), 14, 2, 1, look.skin);
  } else {
    paint(3, 10 + (frame === 1 ? lift : 0), 1, 5, outline);
    paint(12, 10 + (frame === 2 ? lift : 0), 1, 5, outline);
    paint(3, 14, 1, 1, look.skin);
    paint(12, 14, 1, 1, look.skin);
  }
  paintHead(paint, look, side ? "side" : direction);
}

function paintLegs(paint, look, side, frame) {
  const shoes = shade(look.trousers, -0.4);
  const [one, other] = frame === 0 ? [0, 0] : frame === 1 ? [1, 0] : [0, 1];
  const [a, b] = side ? [6 - one, 8 + other] : [5, 9];
  paint(a, 15, 2, 3 - one, look.trousers);
  paint(b, 15, 2, 3 - other, look.trousers);
  paint(a, 17 - one, 2, 1, shoes);
  paint(b, 17 - other, 2, 1, shoes);
}

function paintHead(paint, look, direction) {
  const dark = shade(look.hair, -0.25);
  paint(4, 3, 8, 7, look.skin);
  paint(5, 10, 6, 1, shade(look.skin, -0.18));
  paint(4, 1, 8, 3, look.hair);
  paint(3, 2, 1, 4, look.hair);
  paint(12, 2, 1, 4, look.hair);
  paint(5, 1, 6, 1, dark);
  if (direction === "up") paint(4, 3, 8, look.long ? 8 : 6, look.hair);
  if (look.long) {
    paint(3, 5, 1, 6, look.hair);
    paint(direction === "side" ? 4 : 12, 5, 1, 6, look.hair);
  }
  if (look.bun) paint(6, 0, 4, 1, dark);
  if (direction === "down") {
    paint(5, 6, 2, 2, "#22252b");
    paint(9, 6, 2, 2, "#22252b");
    paint(5, 6, 1, 1, "#fff");
    paint(9, 6, 1, 1, "#fff");
    paint(7, 9, 2, 1, shade(look.skin, -0.3));
  } else if (direction === "side") {
    paint(4, 3, 3, 5, look.hair);
    paint(10, 6, 1, 2, "#22252b");
    paint(12, 6, 1, 2, look.skin);
  }
}

/** @returns {string} a colour made darker (below 0) or lighter */
export function shade(colour, amount) {
  const value = Number.parseInt(colour.slice(1), 16);
  const parts = [value >> 16, (value >> 8) & 255, value & 255].map((part) => (
    Math.round(amount < 0 ? part * (1 + amount) : part + (255 - part) * amount)));
  return `rgb(${parts.join(",")})`;
}

/** FNV-1a, mixed once more so that all bits depend on all letters. */
function hash(text) {
  let value = 2_166_136_261;
  for (const letter of text) value = Math.imul(value ^ letter.codePointAt(0), 16_777_619);
  value = Math.imul(value ^ (value >>> 15), 2_246_822_507);
  return (value ^ (value >>> 13)) >>> 0;
}
