/** The feed: entries of the events that users follow, newest last, each once. */

import { FEED_TYPES } from "./events.js";
import { entryOf } from "./words.js";

const KEPT_MAX = 4000;
const READ_MAX = 1500;

/** @typedef {import("./words.js").Entry} Entry */

/** Entries in the order of the log. */
export class Feed {
  constructor() {
    /** @type {Entry[]} */
    this.entries = [];
    /** The ids of all entries, so that none is shown twice. @type {Set<string>} */
    this.known = new Set();
  }

  /** @returns {Entry | null} the new entry of an event of the stream */
  add(event, nameOf) {
    if (this.known.has(event.id)) return null;
    const entry = entryOf(event, nameOf);
    if (!entry) return null;
    this.known.add(entry.id);
    this.entries.push(entry);
    if (this.entries.length > KEPT_MAX) this.known.delete(this.entries.shift().id);
    return entry;
  }

  /** Read what happened on the present day before the page was opened. */
  async fill(api, calendar, tick, nameOf) {
    const from = calendar.isoAt(calendar.dayStart(tick));
    const [events, memories] = await Promise.all([
      api.client.list(`${api.path}/events`, { type: FEED_TYPES, from, order: "-tick" }, READ_MAX),
      api.client.list(`${api.path}/events`, { type: "memory.formed.v1", search: '"dialogue"', from, order: "-tick" }, 500),
    ]);
    const before = [...events, ...memories]
      .filter((event) => !this.known.has(event.id))
      .map((event) => entryOf(event, nameOf))
      .filter((entry) => entry !== null);
    for (const entry of before) this.known.add(entry.id);
    this.entries = [...before, ...this.entries].sort(byPlace);
  }
}

/** Canonical order: tick, stream, ordinal. */
function byPlace(one, other) {
  if (one.tick !== other.tick) return one.tick - other.tick;
  const [, oneStream, oneOrdinal] = one.id.split("/");
  const [, otherStream, otherOrdinal] = other.id.split("/");
  if (oneStream !== otherStream) return oneStream < otherStream ? -1 : 1;
  return Number(oneOrdinal) - Number(otherOrdinal);
}
