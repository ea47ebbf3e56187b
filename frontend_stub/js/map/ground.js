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

/** @returns {OffscreenCanvas} the picture at half its size, for the overview */
export function half(canvas) {
  const smaller = new OffscreenCanvas(Math.ceil(canvas.width / 2), Math.ceil(canvas.height / 2));
  const pen = smaller.getContext("2d");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(canvas, 0, 0, smaller.width, smaller.height);
  return smaller;
}

function paintTiles(pen, map, sheets) {
  for (const layer of map.layers) {
    if (layer.type !== "tilelayer" || layer.visible === false || layer.name === "collision") continue;
    layer.data.forEach((cell, index) => {
      const number = cell & TILE_NUMBER;
      const sheet = sheets.findLast((each) => number >= each.firstgid);
      if (!number || !sheet) return;
      const local = number - sheet.firstgid;
      pen.drawImage(
        sheet.picture,
        (local % sheet.columns) * sheet.tilewidth, Math.floor(local / sheet.columns) * sheet.tileheight, sheet.tilewidth, sheet.tileheight,
        (index % map.width) * map.tilewidth, Math.floor(index / map.width) * map.tileheight, map.tilewidth, map.tileheight,
      );
    });
  }
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
