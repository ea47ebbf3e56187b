/** The application: one open simulation, live or at a past moment, and what is chosen in it. */

import { SimulationApi } from "./api/simulation.js";
import { Stream } from "./api/stream.js";
import { readHash, writeHash } from "./hash.js";
import { giveLooks } from "./map/sprites.js";
import { Calendar } from "./town/calendar.js";
import { FOLLOWED } from "./town/events.js";
import { Feed } from "./town/feed.js";
import { PastPlayer } from "./town/past_player.js";
import { Playhead } from "./town/playhead.js";
import { Town } from "./town/town.js";
import { World } from "./town/world.js";

const PENDING_MAX = 20_000; // events that wait for the return from the past; beyond it they are read again

/**
 * @typedef {{kind: "agent" | "object" | "none", id: string}} Selection
 * @typedef {"world" | "opened" | "ready" | "moment" | "selection" | "status" | "entries" | "events"} Topic
 */

/** Reads and commands go through `api`; the picture is `town` at `playhead.shown`. */
export class App {
  /**
   * @param {import("./api/client.js").Client} client
   * @param {import("./state.js").PageState} page
   * @param {() => Promise<any>} listen resolves when the parts of the page listen; "world" and "opened" wait for it
   */
  constructor(client, page, listen = async () => {}) {
    this.client = client;
    this.page = page;
    this.listen = listen;
    /** The ticks that are there, of a recording; null for a simulation of a server. @type {{from: number, to: number} | null} */
    this.span = null;
    /** @type {SimulationApi | null} */
    this.api = null;
    this.town = new Town();
    this.playhead = new Playhead();
    this.calendar = new Calendar("2023-02-13T00:00:00", 10);
    this.feed = new Feed();
    /** @type {World | null} */
    this.world = null;
    this.map = null;
    /** @type {Selection} */
    this.selection = { kind: "none", id: "" };
    this.status = { status: "paused", reason: "", pace: null, clock: { tick: 0, time: "" } };
    /** The number of events that came by the stream. */
    this.received = 0;
    this.stream = null;
    /** @type {PastPlayer | null} */
    this.past = null;
    /** @type {any[]} events that are not applied yet, in the order of the log */
    this.pending = [];
    this.isLoading = true;
    /** @type {Map<Topic, ((value: any) => void)[]>} */
    this.listeners = new Map();
  }

  /** @param {Topic} topic */
  on(topic, listener) {
    this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), listener]);
  }

  tell(topic, value = undefined) {
    for (const listener of this.listeners.get(topic) ?? []) listener(value);
  }

  /** Open a simulation: the stream first, then its state, so that nothing between them is missed; its world beside them. */
  async open(id) {
    this.close();
    this.page.take({ kind: "view", view: "simulation" });
    const api = new SimulationApi(this.client, id);
    Object.assign(this, { api, past: null, pending: [], received: 0, isLoading: true, map: null, world: null });
    this.town = new Town();
    this.feed = new Feed();
    this.selection = { kind: "none", id: "" };
    const wanted = readHash();
    const [state] = await Promise.all([this.#stateBehindStream(api), this.#openWorld(api)]);
    if (this.api !== api) return;
    this.#showNow(state);
    this.page.take({ kind: "opened" });
    this.tell("opened");
    if (wanted.simulation === id && wanted.at) await this.goTo(this.calendar.tickAt(wanted.at));
    if (wanted.simulation === id && this.town.agents.has(wanted.agent)) this.select("agent", wanted.agent);
    this.#writeHash();
    this.tell("ready");
    this.#readDay(this.status.clock.tick);
  }

  /** Follow nothing any more. */
  close() {
    this.stream?.stop();
    Object.assign(this, { api: null, past: null, isLoading: true });
  }

  /** Read the world, and report it: its images load while the stream and the state do. */
  async #openWorld(api) {
    const [settings, map] = await Promise.all([api.readNow("/settings"), api.readNow("/world/map"), this.listen()]);
    if (this.api !== api) return;
    this.calendar = new Calendar(settings.start_at, settings.tick_seconds);
    this.map = map;
    giveLooks(map.properties);
    this.world = new World(map);
    this.tell("world");
  }

  async #stateBehindStream(api) {
    await this.#follow(api);
    return api.readNow("/state");
  }

  /** Read what the feed shows of a day; the picture does not wait for it. */
  #readDay(tick) {
    const { api, feed } = this;
    return this.page.attempt("day", async () => {
      await feed.fill(api, this.calendar, tick, this.nameOf);
      if (this.api === api) this.tell("entries");
    }, () => this.api === api);
  }

  nameOf = (slug) => this.town.nameOf(slug);

  /** The tick of the picture. */
  get tick() {
    return Math.floor(this.playhead.shown);
  }

  get connection() {
    return this.page.now.stream;
  }

  get isRecorded() {
    return this.span !== null;
  }

  get isLive() {
    return this.past === null;
  }

  /**
   * @param {Selection["kind"]} kind
   * @param {boolean} byUser whether a user has chosen it, or the page
   */
  select(kind, id = "", byUser = true) {
    this.selection = { kind, id };
    this.#writeHash();
    this.tell("selection", byUser);
  }

  /** Show a past moment; every read is as of it from then on. */
  async goTo(tick) {
    const { api } = this;
    const moment = Math.max(this.span?.from ?? 0, Math.min(Math.round(tick), this.status.clock.tick));
    const state = await api.readNow("/state", { at: moment });
    if (this.api !== api) return;
    api.at = moment;
    this.past?.stop();
    this.past = new PastPlayer(api, moment, this.status.clock.tick);
    this.town.load(state);
    this.playhead.reset(moment);
    this.#writeHash();
    this.tell("moment");
    this.#readDay(moment);
  }

  /** Return to the present. */
  async goLive() {
    const { api } = this;
    const state = await api.readNow("/state");
    if (this.api !== api) return;
    this.#showNow(state);
    this.#writeHash();
    this.tell("moment");
  }

  /** Play on from the past moment, at game seconds for one second. */
  playPast(pace) {
    if (!this.past) return;
    this.past.play(pace / this.calendar.tickSeconds, this.playhead);
    this.tell("moment");
  }

  /** Stop playing; reads are as of the tick that is shown then. */
  stopPast() {
    if (!this.past) return;
    this.past.stop();
    this.api.at = this.tick;
    this.#writeHash();
    this.tell("moment");
  }

  /**
   * Move on to the next frame.
   * @param {number} seconds since the last one
   * @returns {boolean} whether anything moves
   */
  advance(seconds) {
    if (this.past) {
      const isOver = this.past.advance(this.playhead);
      if (isOver) this.stopPast();
    }
    const isMoving = this.playhead.advance(seconds);
    if (this.isRecorded && this.past?.isPlaying) this.api.at = this.tick; // reads of a recording cost nothing
    const upTo = Math.ceil(this.playhead.shown);
    const waiting = this.past ? this.past.events : this.pending;
    let applied = 0;
    while (!this.isLoading && applied < waiting.length && waiting[applied].tick <= upTo) {
      this.town.apply(waiting[applied]);
      applied += 1;
    }
    waiting.splice(0, applied);
    if (isMoving || applied) this.town.pose(this.playhead.shown);
    return isMoving || applied > 0;
  }

  async #follow(api) {
    let isFirst = () => {};
    const first = new Promise((resolve) => { isFirst = resolve; });
    this.stream = new Stream(this.client, `${api.path}/stream`, FOLLOWED, {
      onBlocks: (blocks) => {
        if (this.api !== api) return;
        this.#take(blocks);
        isFirst(undefined);
      },
      onConnection: (stream, problem) => {
        if (this.api !== api) return;
        this.page.take({ kind: "stream", stream });
        if (stream === "ended") this.page.take({ kind: "outcome", of: "stream", error: problem });
        if (stream === "ended") isFirst(undefined);
      },
    });
    this.stream.run();
    await first;
  }

  #take(blocks) {
    const entries = [];
    for (const { name, data } of blocks) {
      if (name === "status") this.#takeStatus(data);
      else if (name === "clock") this.#reach(data);
      else if (name === "") {
        this.received += 1;
        this.#reach(data);
        this.pending.push(data);
        const entry = this.feed.add(data, this.nameOf);
        if (entry) entries.push(entry);
      }
    }
    // Bounded: the return to the present reads the state anyway.
    if (this.past && this.pending.length > PENDING_MAX) this.pending.splice(0, this.pending.length - PENDING_MAX);
    this.page.take({ kind: "status", status: { ...this.status } });
    this.tell("events", blocks);
    if (entries.length) this.tell("entries", entries);
  }

  #takeStatus(data) {
    this.status = data;
    const isPaced = data.status === "running" && data.pace;
    if (this.isLive) this.playhead.rate = isPaced ? data.pace / this.calendar.tickSeconds : null;
    this.#reach(data.clock);
    this.page.take({ kind: "status", status: { ...this.status } });
    this.tell("status");
  }

  #reach({ tick, time }) {
    this.status.clock = { tick, time };
    if (this.isLive) this.playhead.reach(tick);
  }

  #showNow(state) {
    this.past?.stop();
    this.past = null;
    this.api.at = null;
    this.pending = this.pending.filter((event) => event.tick > state.clock.tick);
    this.town.load(state);
    this.playhead.reset(state.clock.tick);
    this.playhead.reach(this.status.clock.tick);
    this.isLoading = false;
    this.#takeStatus({ ...this.status, clock: tickLater(this.status.clock, state.clock) });
  }

  #writeHash() {
    const at = this.past ? this.calendar.isoAt(this.tick) : "";
    const agent = this.selection.kind === "agent" ? this.selection.id : "";
    writeHash({ simulation: this.api.id, agent, at });
  }
}

function tickLater(one, other) {
  return one.tick >= other.tick ? one : other;
}
