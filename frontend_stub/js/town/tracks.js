/** Tracks: where an agent is at each tick, between two events. */

/**
 * @typedef {{from: number, steps: [number, number][]}} Track `steps[i]` is the tile at the end of tick `from + i`
 * @typedef {{x: number, y: number, walking: boolean, facing: "down" | "up" | "left" | "right", stride: number}} Pose
 */

/** @returns {Track} a track that stays on one tile */
export const standing = (tile, tick) => ({ from: tick, steps: [tile] });

/** @returns {[number, number]} the tile at the end of a tick */
export function tileAt(track, tick) {
  return track.steps[Math.max(0, Math.min(tick - track.from, track.steps.length - 1))];
}

/**
 * @param {Track} track
 * @param {number} shown a tick with a fraction
 * @param {Pose} pose is filled in and returned, so that no object is made for each frame
 * @returns {Pose}
 */
export function poseAt(track, shown, pose) {
  const passed = Math.max(0, Math.min(shown - track.from, track.steps.length - 1));
  const index = Math.floor(passed);
  const part = passed - index;
  const [x, y] = track.steps[index];
  const [nextX, nextY] = track.steps[Math.min(index + 1, track.steps.length - 1)];
  pose.x = x + (nextX - x) * part;
  pose.y = y + (nextY - y) * part;
  pose.walking = part > 0;
  pose.stride = passed;
  if (nextX > x) pose.facing = "right";
  else if (nextX < x) pose.facing = "left";
  else if (nextY < y) pose.facing = "up";
  else if (nextY > y || !pose.walking) pose.facing = "down";
  return pose;
}
