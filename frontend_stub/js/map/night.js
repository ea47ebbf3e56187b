/** Day and night: a dark veil over the map, with lamps at the doors and light in rooms where an agent is awake. */

const DAWN = [5, 7.5];
const DUSK = [17.5, 20.5];
const DARKEST = 0.62;
const LAMP_TILES = 3; // the radius of the light of a lamp

/** @returns {number} how dark it is, from 0 to `DARKEST`, at an hour of the day */
export function darknessAt(hour) {
  const rising = smooth((hour - DAWN[0]) / (DAWN[1] - DAWN[0]));
  const falling = smooth((hour - DUSK[0]) / (DUSK[1] - DUSK[0]));
  return DARKEST * (1 - rising + falling);
}

/** Paints the veil; one pixel stands for one tile. */
export class Night {
  /** @param {import("../town/world.js").World} world */
  constructor(world) {
    this.world = world;
    this.canvas = new OffscreenCanvas(world.width, world.height);
    this.key = "";
    /** The areas with a door: the others lie outdoors, where no lamp is. */
    this.rooms = new Set(world.doors.map((door) => door.path));
    /** A lamp at each door that leads outdoors. */
    this.lamps = world.doors.filter((door) => leadsOutdoors(world, door)).map((door) => ({ x: door.x + door.width / 2, y: door.y + door.height / 2 }));
  }

  /**
   * @param {number} hour
   * @param {Iterable<import("../town/town.js").AgentView>} agents
   * @returns {OffscreenCanvas | null} null by day
   */
  veil(hour, agents) {
    const darkness = Math.round(darknessAt(hour) * 40) / 40;
    if (darkness === 0) return null;
    const lit = new Set();
    for (const agent of agents) {
      if (agent.asleep) continue;
      const area = this.world.areaAt(Math.round(agent.pose.x), Math.round(agent.pose.y));
      if (area && this.rooms.has(area.path)) lit.add(area);
    }
    const key = `${darkness}|${[...lit].map((area) => area.path).sort().join("|")}`;
    if (key !== this.key) this.#paint(darkness, lit);
    this.key = key;
    return this.canvas;
  }

  #paint(darkness, lit) {
    const pen = this.canvas.getContext("2d");
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.fillStyle = `rgba(16, 20, 58, ${darkness})`;
    pen.fillRect(0, 0, this.canvas.width, this.canvas.height);
    for (const lamp of this.lamps) shine(pen, lamp, darkness);
    for (const { x, y, width, height } of lit) {
      pen.clearRect(x, y, width, height);
      pen.fillStyle = `rgba(255, 190, 90, ${darkness * 0.18})`;
      pen.fillRect(x, y, width, height);
    }
  }
}

function leadsOutdoors(world, { x, y, width, height }) {
  const beside = [[x - 1, y], [x + width, y], [x, y - 1], [x, y + height]];
  return beside.some(([left, top]) => world.isFree(left, top) && !world.areaAt(left, top));
}

/** A lamp takes the veil away around it, and its light is warm. */
function shine(pen, { x, y }, darkness) {
  for (const [operation, colour, strength] of [["destination-out", "0, 0, 0", 0.85], ["source-over", "255, 196, 104", darkness * 0.45]]) {
    const light = pen.createRadialGradient(x, y, 0, x, y, LAMP_TILES);
    light.addColorStop(0, `rgba(${colour}, ${strength})`);
    light.addColorStop(1, `rgba(${colour}, 0)`);
    pen.globalCompositeOperation = operation;
    pen.fillStyle = light;
    pen.fillRect(x - LAMP_TILES, y - LAMP_TILES, LAMP_TILES * 2, LAMP_TILES * 2);
  }
  pen.globalCompositeOperation = "source-over";
}

function smooth(part) {
  const bounded = Math.min(1, Math.max(0, part));
  return bounded * bounded * (3 - 2 * bounded);
}
