/** Plays a past stretch of the log: its events are read page by page, ahead of the playhead. */

import { PLAYED } from "./events.js";

const AHEAD_TICKS = 120;
const PAGE = 500;

/** Gives the events behind a moment, and moves the playhead through them. */
export class PastPlayer {
  /**
   * @param {import("../api/simulation.js").SimulationApi} api
   * @param {number} tick the moment that is shown
   * @param {number} until the last committed tick
   */
  constructor(api, tick, until) {
    this.api = api;
    this.until = until;
    /** Events that were read and not applied yet. @type {any[]} */
    this.events = [];
    this.readUntil = tick;
    this.isPlaying = false;
    this.isReading = false;
    /** @type {Error | null} */
    this.problem = null;
    this.next = "";
  }

  /** @param {number} rate ticks a second @param {import("./playhead.js").Playhead} playhead */
  play(rate, playhead) {
    this.isPlaying = true;
    this.problem = null;
    playhead.rate = rate;
  }

  stop() {
    this.isPlaying = false;
  }

  /**
   * Let the playhead go on as far as events have been read.
   * @returns {boolean} whether playing is over
   */
  advance(playhead) {
    if (!this.isPlaying) {
      playhead.committed = playhead.shown;
      return false;
    }
    if (this.problem || playhead.shown >= this.until) return true;
    const ahead = Math.min(this.readUntil, this.until, playhead.shown + Math.max(1, playhead.rate * 1.1));
    playhead.committed = Math.max(playhead.shown, ahead);
    const wanted = playhead.shown + Math.max(AHEAD_TICKS, playhead.rate * 5);
    if (!this.isReading && this.readUntil < Math.min(wanted, this.until)) this.#read();
    return false;
  }

  async #read() {
    this.isReading = true;
    try {
      const parameters = { type: PLAYED, from: this.readUntil + 1, limit: PAGE };
      const page = await this.api.readNow(this.next || "/events", this.next ? {} : parameters);
      this.events.push(...page.results);
      this.next = page.next ? `/events${new URL(page.next, "http://host").search}` : "";
      // A tick may go on in the next page.
      this.readUntil = page.next ? page.results.at(-1).tick - 1 : this.until;
    } catch (error) {
      this.problem = error;
    }
    this.isReading = false;
  }
}
