/** The ground: the tile layers of a map, painted once; without images, a floor plan of areas, walls and doors. */

const TILE_NUMBER = 0x1fffffff; // the other bits of a cell turn a tile

/**
 * @param {any} map the Tiled document
 * @param {import("../town/world.js").World} world
 * @param {(name: string) => Promise<ImageBitmap>} loadImage
 * @returns {Promise<OffscreenCanvas>}
 */
export async function paintGround(map, world, loadImage) {
  const canvas = new OffscreenCanvas(map.width * map.tilewidth, map.height * map.tileheight);
  const pen = canvas.getContext("2d");
  const sheets = await Promise.all(map.tilesets.map(async (sheet) => ({ ...sheet, picture: await loadImage(sheet.image) })));
  if (sheets.length) paintTiles(pen, map, sheets);
  else paintFloorPlan(pen, world);
  return canvas;
}

/** @returns {OffscreenCanvas} the picture at half its size, for the overview; a pixel is the mean of four */
export function half(canvas) {
  const smaller = new OffscreenCanvas(Math.ceil(canvas.width / 2), Math.ceil(canvas.height / 2));
  const pen = smaller.getContext("2d");
  pen.imageSmoothingQuality = "low"; // at exactly half the size it is as good as "high", in a tenth of the time
  pen.drawImage(canvas, 0, 0, smaller.width, smaller.height);
  return smaller;
}

/** Copy the pixels of the tiles: a `drawImage` for each of 17,000 tiles takes three times as long. */
function paintTiles(pen, map, sheets) {
  const { width, height } = pen.canvas;
  const picture = new ImageData(width, height);
  const pixels = new Uint32Array(picture.data.buffer);
  const read = sheets.map((sheet) => pixelsOf(sheet, map));
  for (const layer of map.layers) {
    if (layer.type !== "tilelayer" || layer.visible === false || layer.name === "collision") continue;
    layer.data.forEach((cell, index) => {
      const number = cell & TILE_NUMBER;
      const sheet = read.findLast((each) => number >= each.firstgid);
      if (!number || !sheet) return;
      const local = number - sheet.firstgid;
      const from = Math.floor(local / sheet.columns) * map.tileheight * sheet.width + (local % sheet.columns) * map.tilewidth;
      const to = Math.floor(index / map.width) * map.tileheight * width + (index % map.width) * map.tilewidth;
      for (let row = 0; row < map.tileheight; row += 1) {
        copyRow(sheet.pixels, from + row * sheet.width, pixels, to + row * width, map.tilewidth);
      }
    });
  }
  pen.putImageData(picture, 0, 0);
}

/** The pixels of a sheet, with tiles as large as those of the map. */
function pixelsOf({ picture, firstgid, columns, tilewidth, tileheight }, map) {
  const width = Math.round(picture.width * map.tilewidth / tilewidth);
  const height = Math.round(picture.height * map.tileheight / tileheight);
  const pen = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  pen.drawImage(picture, 0, 0, width, height);
  return { firstgid, columns, width, pixels: new Uint32Array(pen.getImageData(0, 0, width, height).data.buffer) };
}

function copyRow(source, from, target, to, length) {
  for (let index = 0; index < length; index += 1) {
    const pixel = source[from + index];
    const alpha = pixel >>> 24;
    if (alpha === 255) target[to + index] = pixel;
    else if (alpha) target[to + index] = over(pixel, target[to + index]);
  }
}

/** @returns {number} a pixel over another one (bytes: alpha, blue, green, red), as canvases do it */
function over(pixel, below) {
  const alpha = (pixel >>> 24) / 255;
  const rest = ((below >>> 24) / 255) * (1 - alpha);
  const all = alpha + rest;
  const mixed = (shift) => Math.round((((pixel >>> shift) & 255) * alpha + ((below >>> shift) & 255) * rest) / all) << shift;
  return ((Math.round(all * 255) << 24) | mixed(16) | mixed(8) | mixed(0)) >>> 0;
}

function paintFloorPlan(pen, world) {
  const { tile } = world;
  const paint = (box, colour) => {
    pen.fillStyle = colour;
    pen.fillRect(box.x * tile, box.y * tile, box.width * tile, box.height * tile);
  };
  paint({ x: 0, y: 0, width: world.width, height: world.height }, "#9dbf83");
  for (const area of world.areas) paint(area, "#e9dcc3");
  world.blocked.forEach((blocked, index) => {
    if (blocked) paint({ x: index % world.width, y: Math.floor(index / world.width), width: 1, height: 1 }, "#7d6a58");
  });
  for (const object of world.objects) paint(object, "#b98a5e");
  for (const door of world.doors) paint(door, "#c9a26b");
}
