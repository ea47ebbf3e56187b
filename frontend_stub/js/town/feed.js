/** The feed: entries of the events that users follow, newest last, each once. */

import { FEED_TYPES } from "./events.js";
import { entryOf, MEMORIES_AFTER, noticedEntry } from "./words.js";

const KEPT_MAX = 4000;
const READ_MAX = 2000;
/** The events after which an agent remembers a conversation. */
const HEARD = new Set(["dialogue.talk-ended.v1", "dialogue.overheard.v1"]);

/** @typedef {import("./words.js").Entry} Entry */

/** Entries in the order of the log. */
export class Feed {
  constructor() {
    /** @type {Entry[]} */
    this.entries = [];
    /** The ids of all entries, so that none is shown twice. @type {Set<string>} */
    this.known = new Set();
    /** What users have set, by the path of the object: the feed tells who notices it. @type {Map<string, string>} */
    this.setStates = new Map();
    /** The conversation that an agent has heard last, and when: its next memory of a conversation is of it. @type {Map<string, {tick: number, conversation: string}>} */
    this.heard = new Map();
    /** The days that were read, by their first tick. @type {Set<number>} */
    this.days = new Set();
  }

  /** @returns {Entry | null} the new entry of an event of the stream */
  add(event, nameOf) {
    const entry = this.#entryOf(event, nameOf);
    if (!entry || this.known.has(entry.id)) return null;
    this.known.add(entry.id);
    this.entries.push(entry);
    if (this.entries.length > KEPT_MAX) this.known.delete(this.entries.shift().id);
    return entry;
  }

  /** Read what happened on the day of a tick, unless it was read before. */
  async fill(api, calendar, tick, nameOf) {
    const day = calendar.dayStart(tick);
    if (this.days.has(day)) return;
    this.days.add(day);
    const span = { from: day, to: day + calendar.dayTicks };
    const [events, memories] = await Promise.all([
      api.client.list(`${api.path}/events`, { type: FEED_TYPES, order: "-tick", ...span }, READ_MAX),
      api.client.list(`${api.path}/memories`, { kind: "dialogue", order: "-created_at", ...span }, 500),
    ]);
    const formed = memories.map((memory) => ({
      id: `${memory.created_tick}/${memory.agent}/${MEMORIES_AFTER + memory.id}`, tick: memory.created_tick, stream: memory.agent,
      type: "memory.formed.v1", data: { kind: "dialogue", number: memory.id, description: memory.description },
    }));
    const before = [...events, ...formed].sort(byPlace).map((event) => this.#entryOf(event, nameOf))
      .filter((entry) => entry !== null && !this.known.has(entry.id));
    for (const entry of before) this.known.add(entry.id);
    this.entries = [...before, ...this.entries].sort(byPlace);
  }

  #entryOf(event, nameOf) {
    const { type, data } = event;
    if (type === "agents.object-state-set.v1") this.setStates.set(data.object, data.state);
    if (HEARD.has(type)) this.heard.set(event.stream, { tick: event.tick, conversation: data.conversation });
    if (type === "memory.formed.v1") return this.#remembered(entryOf(event, nameOf));
    if (type !== "agents.noticed.v1") return entryOf(event, nameOf);
    const sight = data.sights.find((each) => each.is_object && this.setStates.get(each.subject) === each.description);
    return sight ? noticedEntry(event, sight, nameOf) : null;
  }

  /** A memory of a conversation is formed in the turn in which it ends for the agent. */
  #remembered(entry) {
    if (!entry) return null;
    const heard = this.heard.get(entry.agents[0]);
    return heard?.tick === entry.tick ? { ...entry, conversation: heard.conversation } : entry;
  }
}

/** @returns {string} what the entries of one row have in common: their conversation, or the id of the only one */
export const keyOf = (entry) => entry.conversation ?? entry.id;

/**
 * Put the entries of one conversation together.
 * @param {Entry[]} entries the newest first
 * @returns {Entry[][]} the entries of each row, the newest first
 */
export function rowsOf(entries) {
  /** @type {Map<string, Entry[]>} */
  const rows = new Map();
  for (const entry of entries) {
    rows.set(keyOf(entry), [...(rows.get(keyOf(entry)) ?? []), entry]);
  }
  return [...rows.values()];
}

/** What is worth a look, the most telling kind first. */
const TELLING = ["agreement", "talk", "user", "reaction", "reflection"];

/** @returns {Entry | undefined} the newest entry of the most telling kind since a tick */
export function mostTelling(entries, from, until) {
  const recent = entries.filter((entry) => entry.tick >= from && entry.tick <= until);
  for (const kind of TELLING) {
    const found = recent.findLast((entry) => (entry.isAgreement ? "agreement" : entry.kind) === kind);
    if (found) return found;
  }
  return undefined;
}

/** Canonical order: tick, stream, ordinal. */
function byPlace(one, other) {
  if (one.tick !== other.tick) return one.tick - other.tick;
  const [, oneStream, oneOrdinal] = one.id.split("/");
  const [, otherStream, otherOrdinal] = other.id.split("/");
  if (oneStream !== otherStream) return oneStream < otherStream ? -1 : 1;
  return Number(oneOrdinal) - Number(otherOrdinal);
}
