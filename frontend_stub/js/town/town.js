/** The town at one moment: agents, objects and conversations, changed by the events of the log. */

import { poseAt, standing, tileAt } from "./tracks.js";

/**
 * @typedef {object} AgentView
 * @property {string} slug
 * @property {string} name
 * @property {number} age
 * @property {import("./tracks.js").Track} track
 * @property {import("./tracks.js").Pose} pose
 * @property {string} action continues the sentence "<name> is"
 * @property {string} emoji
 * @property {string} place
 * @property {boolean} asleep
 * @property {string} event the event that began the action; "" if it is not known yet
 * @property {number} began the tick of that event
 * @property {string} uses the path of an object
 * @property {{text: string, tick: number, conversation: string} | null} words
 */

/** Agents by slug, object states by path. */
export class Town {
  constructor() {
    /** @type {Map<string, AgentView>} */
    this.agents = new Map();
    /** The ages of all agents that were in town, by slug. @type {Map<string, number>} */
    this.ages = new Map();
    /** @type {Map<string, {state: string, users: Set<string>, isSet: boolean}>} */
    this.objects = new Map();
    this.tick = 0;
    /** Rises with every change, so that lists know when to be written again. */
    this.version = 0;
  }

  /** Take over a state of the API. */
  load(state) {
    this.agents.clear();
    this.objects.clear();
    this.tick = state.clock.tick;
    for (const one of state.agents) {
      const agent = this.#add(one, [one.position.x, one.position.y], this.tick);
      agent.track.steps.push(...one.path.map(({ x, y }) => /** @type {[number, number]} */ ([x, y])));
      Object.assign(agent, { action: one.action, emoji: one.emoji, place: one.place, asleep: one.asleep, event: one.event ?? "" });
    }
    for (const one of state.objects) {
      this.objects.set(one.path, { state: one.state, users: new Set(one.used_by), isSet: one.used_by.length === 0 });
      for (const slug of one.used_by) if (this.agents.has(slug)) this.agents.get(slug).uses = one.path;
    }
    for (const talk of state.conversations) {
      const speaker = this.agents.get(talk.last.agent);
      if (speaker) speaker.words = { text: talk.last.text, tick: talk.last.tick, conversation: talk.id };
    }
    this.version += 1;
  }

  /** Apply an event of the log; events of the state's own past must not be given. */
  apply(event) {
    const change = CHANGES[event.type];
    this.tick = Math.max(this.tick, event.tick);
    if (!change) return;
    change(this, event, event.data);
    this.version += 1;
  }

  /** Move all agents to where they are at a tick with a fraction. */
  pose(shown) {
    for (const agent of this.agents.values()) poseAt(agent.track, shown, agent.pose);
  }

  /** @returns {AgentView | undefined} the agent of an event, made when it is new */
  agentOf(event) {
    return this.agents.get(event.stream);
  }

  nameOf(slug) {
    return this.agents.get(slug)?.name ?? nameFrom(slug);
  }

  #add({ slug, name, age }, tile, tick) {
    this.ages.set(slug, age);
    const agent = {
      slug, name, age, track: standing(tile, tick),
      pose: { x: tile[0], y: tile[1], walking: false, facing: /** @type {"down"} */ ("down"), stride: 0 },
      action: "", emoji: "", place: "", asleep: false, event: "", began: tick, uses: "", words: null,
    };
    this.agents.set(slug, agent);
    return agent;
  }

  /** @internal */
  join(event, name, age) {
    const agent = this.#add({ slug: event.stream, name, age }, event.data.tile, event.tick);
    agent.emoji = "🙂";
    agent.action = "arriving";
  }

  /** @internal */
  release(agent) {
    const object = this.objects.get(agent.uses);
    object?.users.delete(agent.slug);
    if (object && !object.isSet && object.users.size === 0) this.objects.delete(agent.uses);
    agent.uses = "";
  }

  /** @internal */
  use(agent, path, state) {
    if (!path) return;
    agent.uses = path;
    const object = this.objects.get(path) ?? { state, users: new Set(), isSet: false };
    if (!object.isSet) object.state = state;
    object.users.add(agent.slug);
    this.objects.set(path, object);
  }
}

/** A name for an agent that is not in town any more. */
export function nameFrom(slug) {
  return slug.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");
}

function begin(town, event, track, data, place) {
  const agent = town.agentOf(event);
  if (!agent) return;
  town.release(agent);
  Object.assign(agent, {
    track, action: data.description, emoji: data.emoji, place, asleep: Boolean(data.asleep), event: event.id, began: event.tick,
  });
  town.use(agent, data.object, data.object_state);
}

function stand(town, event, data, place) {
  begin(town, event, standing(data.tile, event.tick), data, place);
}

function setState(town, data) {
  const users = town.objects.get(data.object)?.users ?? new Set();
  town.objects.set(data.object, { state: data.state, users, isSet: true });
}

/** @type {Record<string, (town: Town, event: any, data: any) => void>} */
const CHANGES = {
  "agents.joined.v1": (town, event, data) => town.join(event, data.name, data.age),
  "agents.returned.v1": (town, event) => town.join(event, town.nameOf(event.stream), town.ages.get(event.stream) ?? 0),
  "agents.left.v1": (town, event) => {
    const agent = town.agentOf(event);
    if (!agent) return;
    town.release(agent);
    town.agents.delete(event.stream);
  },
  "agents.walk-began.v1": (town, event, data) => {
    const agent = town.agentOf(event);
    if (!agent) return;
    const start = tileAt(agent.track, event.tick - 1);
    begin(town, event, { from: event.tick - 1, steps: [start, ...data.steps] }, data, data.towards);
  },
  "agents.action-began.v1": (town, event, data) => stand(town, event, data, data.object || data.area),
  "agents.entry-tried.v1": (town, event, data) => stand(town, event, data, data.area),
  "agents.door-knocked.v1": (town, event, data) => stand(town, event, data, data.node),
  "agents.object-state-set.v1": (town, _event, data) => setState(town, data),
  "agents.object-state-left.v1": (town, _event, data) => setState(town, data),
  "agents.object-righted.v1": (town, _event, data) => {
    const object = town.objects.get(data.object);
    if (object?.users.size) Object.assign(object, { isSet: false, state: "in use" });
    else town.objects.delete(data.object);
  },
  "dialogue.said.v1": (town, event, data) => {
    const agent = town.agentOf(event);
    if (agent) agent.words = { text: data.text, tick: event.tick, conversation: data.conversation };
  },
  "dialogue.talk-ended.v1": (town, event) => {
    const agent = town.agentOf(event);
    if (agent) agent.words = null;
  },
};
