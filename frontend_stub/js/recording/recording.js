/** A recording: a state, the events after it, plans and reasons; answers what a server would answer. */

import { Town } from "../town/town.js";
import { tileAt } from "../town/tracks.js";
import { Calendar } from "../town/calendar.js";
import { planAt, lineageOf } from "./plans.js";

const FORM = 1;
const FOREVER_TICK = 2 ** 31 - 1;
const BEGINNINGS = new Set(["agents.action-began.v1", "agents.walk-began.v1", "agents.entry-tried.v1", "agents.door-knocked.v1"]);

/** @returns {Promise<Recording>} the recording in an element: JSON, compressed, in base64 */
export async function readRecording(element) {
  const packed = Uint8Array.from(atob(element.textContent.trim()), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const data = await new Response(unpacked).json();
  if (data.form !== FORM) throw new Error(`This recording has the form ${data.form}, and its page reads the form ${FORM}.`);
  return new Recording(data);
}

/** Everything is as of the end of a tick. */
export class Recording {
  constructor(data) {
    this.data = data;
    this.calendar = new Calendar(data.start_at, data.tick_seconds);
    this.from = data.from_tick;
    this.to = data.to_tick;
    /** Events as the API shows them. @type {any[]} */
    this.events = data.events.map((event) => {
      const [tick, stream] = event.id.split("/");
      return { ...event, tick: Number(tick), stream, time: this.calendar.isoAt(Number(tick)) };
    });
  }

  /** @returns {any[]} the events of the ticks [from, to), of some types if they are given */
  eventsBetween(from, to, types = null) {
    return this.events.filter(({ tick, type }) => tick >= from && tick < to && (!types || types.includes(type)));
  }

  /** @returns {any} the state in the form of the API */
  stateAt(tick) {
    const town = new Town();
    town.load({ ...this.data.state, clock: this.clockAt(this.from) });
    for (const event of this.eventsBetween(this.from + 1, tick + 1)) town.apply(event);
    const point = ([x, y]) => ({ x, y });
    return {
      clock: this.clockAt(tick),
      agents: [...town.agents.values()].map(({ slug, name, age, track, action, emoji, asleep, place, event }) => ({
        slug, name, age, action, emoji, asleep, place, event, position: point(tileAt(track, tick)),
        path: track.steps.slice(Math.max(0, tick - track.from) + 1).map(point),
      })),
      objects: [...town.objects].map(([path, { state, users, isSet }]) => ({ path, state, used_by: isSet ? [] : [...users] })),
      conversations: [...town.agents.values()].filter(({ words }) => words).map(({ slug, words }) => ({
        id: words.conversation, participants: [slug], last: { agent: slug, text: words.text, tick: words.tick },
      })),
    };
  }

  clockAt(tick) {
    return { tick, time: this.calendar.isoAt(tick) };
  }

  /** @returns {any} an agent with what it does, in the form of the API */
  agentAt(slug, tick) {
    const done = this.timelineOf(slug, tick).at(-1);
    return { slug, ...this.data.agents[slug], clock: this.clockAt(tick), current_action: done ?? null };
  }

  /** @returns {any[]} what an agent has done by a tick, as far as it is recorded, in order */
  timelineOf(slug, tick) {
    const first = this.data.state.agents.find((agent) => agent.slug === slug);
    const begun = this.eventsBetween(this.from + 1, tick + 1).filter(({ stream, type }) => stream === slug && BEGINNINGS.has(type));
    return [...(first ? [this.#done({
      id: first.event, tick: first.from_tick,
      data: { description: first.action, emoji: first.emoji, area: first.place, until_tick: first.until_tick, plan_item: first.plan_item, asleep: first.asleep },
    })] : []), ...begun.map((event) => this.#done(event))];
  }

  #done({ id, tick, data }) {
    const due = data.until_tick && data.until_tick < FOREVER_TICK ? this.calendar.isoAt(data.until_tick) : null;
    return {
      description: data.description, emoji: data.emoji, area: data.area ?? data.node ?? "", object: data.object ?? "", towards: data.towards ?? "",
      asleep: Boolean(data.asleep), plan_item: data.plan_item || null, event: id, start_at: this.calendar.isoAt(tick), start_tick: tick, due_at: due,
    };
  }

  planOf(slug, tick) {
    return planAt(this.data.plans[slug] ?? [], tick, this.calendar);
  }

  /** @returns {any} why an agent does something: its decision to react, and the plan */
  reasonsOf(id) {
    const event = this.events.find((each) => each.id === id);
    const [tick, slug] = id.split("/");
    const before = this.data.state.agents.find((agent) => agent.event === id);
    const number = event?.data.plan_item ?? before?.plan_item ?? 0;
    const reaction = event?.reaction && {
      ...event.reaction, type: "reaction.decided.v1", stream: slug, time: this.calendar.isoAt(Number(event.reaction.id.split("/")[0])),
    };
    return {
      event: { id }, causes: [], reaction: reaction ?? null, retrievals: [], evidence: [], model_calls: [],
      plan: lineageOf(this.data.plans[slug] ?? [], number, Math.max(Number(tick), this.from), this.calendar),
    };
  }

  /** @returns {any[]} the conversations by a tick, in the form of the API, the latest first */
  talksAt(tick, slug = "") {
    const talks = new Map();
    for (const event of this.eventsBetween(this.from + 1, tick + 1)) {
      const { data, stream, type, time, id } = event;
      if (type === "dialogue.said.v1") {
        const talk = talks.get(data.conversation) ?? {
          id: data.conversation, opened_by: data.conversation.split("/")[1], start_at: time, by_phone: data.by_phone, place: "",
          participants: [], utterances: [], commitments: [], sides: [],
        };
        talk.utterances.push({ agent: stream, time, text: data.text, event: id });
        talk.utterance_count = talk.utterances.length;
        for (const one of [stream, data.to, ...data.participants]) if (one && !talk.participants.includes(one)) talk.participants.push(one);
        talks.set(data.conversation, talk);
      } else if (type === "dialogue.agreed.v1" || type === "dialogue.declined.v1") {
        talks.get(data.conversation)?.commitments.push({ agent: stream, activity: data.activity, declined: type === "dialogue.declined.v1" });
      }
    }
    return [...talks.values()].reverse().filter((talk) => !slug || talk.participants.includes(slug));
  }

  /** @returns {any[]} what agents remember of conversations, in the form of the API */
  memoriesBetween(from, to) {
    return this.eventsBetween(from, to, ["memory.formed.v1"]).map(({ stream, tick, data }) => ({
      agent: stream, id: data.number, created_tick: tick, kind: data.kind, description: data.description,
    }));
  }

  /** @returns {Blob} an image of the map */
  image(name) {
    return new Blob([Uint8Array.from(atob(this.data.images[name]), (letter) => letter.charCodeAt(0))]);
  }
}
