/** The playhead: which tick the picture shows, a little behind the committed one so that agents walk smoothly. */

const DELAY_SECONDS = 1.1; // notices of the clock come once a second at most
const CATCH_UP_SECONDS = 0.5;

/** Shows ticks with fractions; it never passes the committed tick. */
export class Playhead {
  constructor() {
    this.shown = 0;
    this.committed = 0;
    /** Ticks a second when the pace is known; null as fast as possible or at rest. @type {number | null} */
    this.rate = null;
  }

  /** Show a tick at once. */
  jump(tick) {
    this.shown = tick;
    this.committed = Math.max(this.committed, tick);
  }

  /** Begin anew at a tick. */
  reset(tick) {
    this.shown = tick;
    this.committed = tick;
  }

  /** Record that a tick is committed. */
  reach(tick) {
    if (tick > this.committed) this.committed = tick;
  }

  /**
   * Move on by the time that has passed.
   * @param {number} seconds of the machine since the last call
   * @returns {boolean} whether another moment is shown than before
   */
  advance(seconds) {
    const behind = this.committed - this.shown;
    if (behind <= 0) return false;
    this.shown += Math.min(behind, this.#step(behind, seconds));
    if (this.committed - this.shown < 0.01) this.shown = this.committed;
    return true;
  }

  #step(behind, seconds) {
    if (this.rate === null) return Math.max(behind * (1 - Math.exp(-seconds / CATCH_UP_SECONDS)), seconds);
    const wanted = DELAY_SECONDS * this.rate;
    const correction = 1 + (behind - wanted) / (2 * wanted);
    const speed = this.rate * Math.max(0.6, correction);
    return speed * seconds;
  }
}
