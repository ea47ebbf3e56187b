/** Game time: ticks, times of the day, and how they are printed. */

/** Converts between ticks and game times of one simulation. */
export class Calendar {
  /**
   * @param {string} start the game time of tick 0, without a zone
   * @param {number} tickSeconds
   */
  constructor(start, tickSeconds) {
    this.start = Date.parse(`${start}Z`);
    this.tickSeconds = tickSeconds;
  }

  /** @returns {Date} the game time of a tick; its UTC fields are the game's */
  dateAt(tick) {
    return new Date(this.start + tick * this.tickSeconds * 1000);
  }

  /** @returns {number} the last tick that has begun at a game time */
  tickAt(time) {
    const parsed = typeof time === "number" ? time : Date.parse(`${time}Z`);
    return Math.floor((parsed - this.start) / (this.tickSeconds * 1000));
  }

  /** @returns {string} a game time as the API takes it */
  isoAt(tick) {
    return this.dateAt(tick).toISOString().slice(0, 19);
  }

  /** @returns {number} the tick of the last midnight before a tick, 0 at the earliest */
  dayStart(tick) {
    const date = this.dateAt(tick);
    date.setUTCHours(0, 0, 0, 0);
    return Math.max(0, this.tickAt(date.getTime()));
  }

  /** @returns {number} ticks of a whole day */
  get dayTicks() {
    return Math.round(86_400 / this.tickSeconds);
  }

  /** @returns {number} the hour of the day with a fraction */
  hourAt(tick) {
    const date = new Date(this.start + tick * this.tickSeconds * 1000);
    return date.getUTCHours() + date.getUTCMinutes() / 60 + date.getUTCSeconds() / 3600;
  }

  clock(tick) {
    return this.isoAt(tick).slice(11, 16);
  }

  day(tick) {
    return this.dateAt(tick).toLocaleDateString("en-GB", { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });
  }
}

/** @returns {string} "08:15" of a game time */
export const clockOf = (time) => (time ? time.slice(11, 16) : "");

/** @returns {string} "Tuesday 14 February" of a date or a game time */
export function dayOf(time) {
  return new Date(`${time.slice(0, 10)}T00:00:00Z`).toLocaleDateString("en-GB", { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });
}

/** @returns {string} "14 Feb 08:15" of a game time */
export function momentOf(time) {
  if (!time) return "";
  const day = new Date(`${time}Z`).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
  return `${day} ${clockOf(time)}`;
}
