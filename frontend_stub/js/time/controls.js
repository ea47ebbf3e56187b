/** The controls of time: run, pause, step, pace, until. */

import { find, h } from "../ui/dom.js";

const STEP_SECONDS = 60;
const PREPARATION_MILLISECONDS = 2000;
const PACE_FIRST = "60"; // the paper's, of a simulation that no run has given another

/** Sends commands; what they change comes back by the stream, and the choices follow it. */
export class Controls {
  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
    /** What the user has chosen for the next run: the time of the day of its end, and its pace. */
    this.until = "";
    /** @type {string | null} */
    this.pace = null;
    find("run").addEventListener("click", () => (this.isRunning ? this.#send("Pause", "/pause", { reason: "from the page" }) : this.run()));
    find("step").addEventListener("click", () => this.#send("Step", "/run", { ...this.#choices(), ticks: Math.max(1, STEP_SECONDS / app.calendar.tickSeconds), until: null }));
    find("pace").addEventListener("change", (event) => {
      this.pace = event.target.value;
      if (this.isRunning) this.run();
    });
    find("until").addEventListener("change", (event) => {
      this.until = event.target.value;
      if (this.isRunning) this.run();
    });
    app.on("status", () => this.#follow());
    app.on("opened", () => {
      this.until = "";
      this.pace = null;
      this.#follow();
      this.#readPreparation(app.api);
    });
  }

  get isRunning() {
    return this.app.status.status === "running";
  }

  /** Run as chosen, or otherwise. @param {object} [choices] the body of the command */
  run(choices = this.#choices()) {
    return this.#send("Run", "/run", choices);
  }

  #choices() {
    const { value } = find("pace");
    return { pace: value === "" ? null : Number(value), until: this.#untilTime(), ticks: null };
  }

  /** The next game time with the time of the day that is chosen; null without one. */
  #untilTime() {
    if (!this.until) return null;
    const { calendar, status } = this.app;
    const [hours, minutes] = this.until.split(":").map(Number);
    const midnight = calendar.dateAt(status.clock.tick);
    midnight.setUTCHours(hours, minutes, 0, 0);
    const tick = calendar.tickAt(midnight.getTime());
    return calendar.isoAt(tick > status.clock.tick ? tick : tick + calendar.dayTicks);
  }

  #send(command, path, body) {
    const { app } = this;
    app.page.take({ kind: "command", command });
    return app.page.attempt("command", async () => {
      if (!app.isLive) await app.goLive();
      // The stream tells what the simulation does then; the answer may be older than what it has told.
      await app.api.send(path, body);
    });
  }

  /** Before the first tick there are no events: the preparation is the one thing that is asked for again. */
  #readPreparation(api) {
    const { app } = this;
    const isWanted = () => app.api === api && app.status.clock.tick === 0;
    return app.page.attempt("preparation", async () => {
      while (isWanted()) {
        const about = await api.readNow();
        if (isWanted()) app.page.take({ kind: "about", about });
        if (about.preparation.ready >= about.preparation.agents) return;
        await new Promise((wake) => setTimeout(wake, PREPARATION_MILLISECONDS));
      }
    }, isWanted);
  }

  /** Show the pace and the end of the run; of a simulation that rests, those of the next run. */
  #follow() {
    const { pace, end_at: end, clock } = this.app.status;
    if (this.isRunning && pace !== null) this.pace = String(pace);
    choose(find("pace"), this.isRunning ? String(pace ?? "") : this.pace ?? String(pace ?? PACE_FIRST));
    if (this.isRunning) find("until").value = end ? end.slice(11, 16) : "";
    else {
      if (this.until && end && end <= clock.time && end.slice(11, 16) === this.until) this.until = "";
      find("until").value = this.until;
    }
  }
}

/** Choose a pace, also one that the list did not have. */
function choose(selector, pace) {
  if (selector.value === pace) return;
  if (![...selector.options].some(({ value }) => value === pace)) selector.append(h("option", { value: pace }, `${pace} times real time`));
  selector.value = pace;
}
