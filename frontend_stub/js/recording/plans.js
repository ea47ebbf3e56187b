/** Plans of a recording as of a tick, in the form of the API. */

// The order of the values of an item.
const [NUMBER, PARENT, LEVEL, DAY, FROM, TO, DESCRIPTION, PLACE, EMOJI, PLANNED, REPLACED, KEPT] = Array.from({ length: 12 }, (_, index) => index);

/** @returns {any} the latest plan-day as a tree: outline, hours, actions */
export function planAt(rows, tick, calendar) {
  const items = rows.filter((row) => row[PLANNED] <= tick).map((row) => itemAt(row, tick, calendar)).filter((item) => item.end_tick > item.start_tick);
  const day = items.filter(({ level }) => level === "outline").map((item) => item.day).sort().at(-1) ?? null;
  const below = (level, parent) => items.filter((item) => item.level === level && item.parent === parent.number);
  const outline = items.filter((item) => item.level === "outline" && item.day === day).map((chunk) => ({
    ...chunk, hours: below("hour", chunk).map((hour) => ({ ...hour, actions: below("action", hour) })),
  }));
  return { clock: { tick, time: calendar.isoAt(tick) }, day, outline };
}

/** @returns {any} an item with the items that it is a part of, by level; null for none */
export function lineageOf(rows, number, tick, calendar) {
  const found = { action: null, hour: null, outline: null };
  const seen = new Set();
  for (let wanted = number; wanted && !seen.has(wanted);) {
    seen.add(wanted);
    const row = rows.find((each) => each[NUMBER] === wanted);
    if (!row) break;
    found[row[LEVEL]] = itemAt(row, tick, calendar);
    wanted = row[PARENT];
  }
  return seen.size && Object.values(found).some(Boolean) ? found : null;
}

/** Of an item that a later plan has replaced, the part before remains. */
function itemAt(row, tick, calendar) {
  const isCut = row[REPLACED] !== null && row[REPLACED] <= tick && row[KEPT] !== null;
  const end = isCut ? Math.min(row[TO], row[KEPT]) : row[TO];
  return {
    number: row[NUMBER], parent: row[PARENT], level: row[LEVEL], day: row[DAY], description: row[DESCRIPTION], place: row[PLACE], emoji: row[EMOJI],
    start_tick: row[FROM], end_tick: end, start_at: calendar.isoAt(row[FROM]), end_at: calendar.isoAt(end),
  };
}
