/** A client without a server: it answers requests from a recording, in the forms of the API. */

import { Problem } from "../api/client.js";

const HEARTBEAT_MILLISECONDS = 15_000;
const BELOW = /^\/api\/v1\/simulations\/[^/?]+/;

/** Has the methods of `Client` that the page uses for reads; nothing can be commanded. */
export class RecordedClient {
  /** @param {import("./recording.js").Recording} recording */
  constructor(recording) {
    this.recording = recording;
  }

  /** @returns {Promise<Response>} an image of the map, or the stream, which has the last moment only */
  async request(path) {
    const rest = path.replace(BELOW, "");
    if (rest.startsWith("/world/")) return new Response(this.recording.image(rest.slice("/world/".length)));
    if (rest.startsWith("/stream")) return new Response(this.#stream());
    throw notRecorded();
  }

  /** @returns {Promise<any>} */
  async get(path, parameters = {}) {
    const rest = path.replace(BELOW, "");
    const lists = this.#listOf(rest, parameters);
    if (lists) return { results: lists, next: null };
    const { recording } = this;
    const tick = this.#tickOf(parameters);
    if (rest === "/settings") return { start_at: recording.data.start_at, tick_seconds: recording.data.tick_seconds };
    if (rest === "/world/map") return recording.data.map;
    if (rest === "/state") return recording.stateAt(tick);
    const [, kind, name, part] = rest.split("/");
    if (kind === "agents" && !part) return recording.agentAt(name, tick);
    if (kind === "agents" && part === "plan") return recording.planOf(name, tick);
    if (kind === "conversations") {
      const found = recording.talksAt(tick).find((talk) => rest === `/conversations/${talk.id}`);
      if (found) return found;
    }
    if (kind === "events" && rest.endsWith("/provenance")) return recording.reasonsOf(rest.slice("/events/".length, -"/provenance".length));
    throw notRecorded();
  }

  /** @returns {Promise<any[]>} */
  async list(path, parameters = {}, most = 500) {
    const rows = this.#listOf(path.replace(BELOW, ""), parameters);
    if (!rows) throw notRecorded();
    return rows.slice(0, most);
  }

  /** @returns {Promise<never>} */
  async send() {
    throw new Problem({ detail: "This is a recording: nothing can be changed in it." });
  }

  #listOf(rest, parameters) {
    const { recording } = this;
    const tick = this.#tickOf(parameters);
    const { from = recording.from, to = tick + 1, type = null, order = "", agent = "" } = parameters;
    const inOrder = (rows) => (String(order).startsWith("-") ? rows.reverse() : rows);
    if (rest === "/events") return inOrder(recording.eventsBetween(Math.max(from, recording.from + 1), Math.min(to, tick + 1), type));
    if (rest === "/memories") return inOrder(recording.memoriesBetween(Math.max(from, recording.from + 1), Math.min(to, tick + 1)));
    if (rest === "/conversations") return recording.talksAt(tick, agent);
    const [, kind, name, part] = rest.split("/");
    return kind === "agents" && part === "timeline" ? inOrder(recording.timelineOf(name, tick)) : null;
  }

  #tickOf({ at = null }) {
    return at ?? this.recording.to;
  }

  #stream() {
    const { recording } = this;
    const status = { status: "paused", reason: "", pace: null, clock: recording.clockAt(recording.to) };
    const encode = (text) => new TextEncoder().encode(text);
    let beat;
    return new ReadableStream({
      start: (controller) => {
        controller.enqueue(encode(`event: status\ndata: ${JSON.stringify(status)}\n\n`));
        beat = setInterval(() => controller.enqueue(encode(": heartbeat\n\n")), HEARTBEAT_MILLISECONDS);
      },
      cancel: () => clearInterval(beat),
    });
  }
}

const notRecorded = () => new Problem({ detail: "The recording does not have this." });
