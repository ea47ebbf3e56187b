/** The live stream: Server-Sent Events over `fetch`, resumed without a lost event. */

import { Problem } from "./client.js";

const SILENCE_MILLISECONDS = 40_000; // the server sends a comment after 15 s
const WAITS_MILLISECONDS = [500, 1000, 2000, 4000];
const FINAL_CODES = new Set(["token-invalid", "simulation-unknown"]);

/**
 * @typedef {{name: string, data: any}} Block a named notice ("clock", "status", "end"), or an event with the name ""
 * @typedef {"connecting" | "live" | "waiting" | "ended"} Connection
 */

/** Follows one simulation until it is stopped. */
export class Stream {
  /**
   * @param {import("./client.js").Client} client
   * @param {string} path
   * @param {string[]} types the types of events to be told
   * @param {{onBlocks: (blocks: Block[]) => void, onConnection: (state: Connection, problem?: Error) => void}} listener
   */
  constructor(client, path, types, listener) {
    this.client = client;
    this.path = `${path}?${types.map((type) => `type=${type}`).join("&")}`;
    this.listener = listener;
    /** The id of the last block: the place to continue after. */
    this.last = "";
    this.stopped = false;
    this.abort = new AbortController();
  }

  /** Connect, and connect again whenever the connection is lost. */
  async run() {
    for (let failures = 0; !this.stopped; failures += 1) {
      this.listener.onConnection("connecting");
      try {
        await this.#follow(() => { failures = -1; });
        if (this.stopped) return;
        this.listener.onConnection("waiting");
      } catch (error) {
        if (this.stopped) return;
        if (isFinal(error)) {
          this.listener.onConnection("ended", error);
          return;
        }
        this.listener.onConnection("waiting", error);
        await error.over;
      }
      const wait = WAITS_MILLISECONDS[Math.min(Math.max(failures, 0), WAITS_MILLISECONDS.length - 1)];
      await new Promise((wake) => setTimeout(wake, wait));
    }
  }

  /** End the stream for good. */
  stop() {
    this.stopped = true;
    this.abort.abort();
  }

  async #follow(onFirstBlock) {
    this.abort = new AbortController();
    const headers = this.last ? { "Last-Event-ID": this.last } : {};
    const response = await this.client.request(this.path, { headers, signal: this.abort.signal });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    this.listener.onConnection("live");
    let text = "";
    for (;;) {
      const part = await this.#read(reader);
      if (part.done) return;
      text += part.value;
      const end = text.lastIndexOf("\n\n");
      if (end < 0) continue;
      onFirstBlock();
      const blocks = parseBlocks(text.slice(0, end));
      text = text.slice(end + 2);
      for (const block of blocks) if (block.id) this.last = block.id;
      const told = blocks.filter((block) => block.data);
      if (told.length) this.listener.onBlocks(told);
      const ended = told.find((block) => block.name === "end");
      if (ended && FINAL_CODES.has(ended.data.code)) {
        throw new Problem({ status: ended.data.code === "token-invalid" ? 401 : 404, ...ended.data });
      }
    }
  }

  /** Read a part; a connection that is silent for too long counts as lost. */
  async #read(reader) {
    let timer;
    const silence = new Promise((_, reject) => {
      timer = setTimeout(() => {
        this.abort.abort();
        reject(new Problem({ code: "unreachable", detail: "The stream is silent." }));
      }, SILENCE_MILLISECONDS);
    });
    try {
      return await Promise.race([reader.read(), silence]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** @returns {{id: string, name: string, data: any}[]} the blocks of a text of the stream */
export function parseBlocks(text) {
  return text.split("\n\n").map((block) => {
    const parsed = { id: "", name: "", data: null };
    for (const line of block.split("\n")) {
      const [, field, value] = /^([a-z]*):? ?(.*)$/s.exec(line) ?? [];
      if (field === "id") parsed.id = value;
      else if (field === "event") parsed.name = value;
      else if (field === "data") parsed.data = JSON.parse(value);
    }
    return parsed;
  });
}

function isFinal(error) {
  return error instanceof Problem && [401, 403, 404].includes(error.status);
}
