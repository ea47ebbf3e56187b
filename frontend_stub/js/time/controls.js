/** The controls of time: run, pause, step, pace, until; and what the simulation is doing. */

import { find, h, showProblem, write } from "../ui/dom.js";

const STEP_SECONDS = 60;
const PREPARATION_MILLISECONDS = 2000;

/** Sends commands; what they change comes back by the stream. */
export class Controls {
  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
    /** How many agents have formed their first memories; known while tick 0 is committed. */
    this.preparation = { agents: 0, ready: 0 };
    find("run").addEventListener("click", () => (this.isRunning ? this.#send("/pause", {}) : this.#run()));
    find("step").addEventListener("click", () => this.#send("/run", { ticks: Math.max(1, STEP_SECONDS / app.calendar.tickSeconds), pace: null, until: null }));
    find("pace").addEventListener("change", () => { if (this.isRunning) this.#run(); });
    find("until").addEventListener("change", () => { if (this.isRunning) this.#run(); });
    app.on("status", () => this.#show());
    app.on("connection", () => this.#show());
    app.on("opened", () => { this.#takePace(); this.#readPreparation(app.api); });
    app.on("events", () => this.#showProgress());
    app.on("moment", () => this.#show());
  }

  get isRunning() {
    return this.app.status.status === "running";
  }

  /** The pace that is chosen; null as fast as possible. */
  get pace() {
    const { value } = find("pace");
    return value === "" ? null : Number(value);
  }

  #run() {
    return this.#send("/run", { pace: this.pace, until: this.#untilTime(), ticks: null });
  }

  /** The next game time with the time of the day in the field; null for an empty field. */
  #untilTime() {
    const { value } = find("until");
    if (!value) return null;
    const { calendar, status } = this.app;
    const [hours, minutes] = value.split(":").map(Number);
    const midnight = calendar.dateAt(status.clock.tick);
    midnight.setUTCHours(hours, minutes, 0, 0);
    const tick = calendar.tickAt(midnight.getTime());
    return calendar.isoAt(tick > status.clock.tick ? tick : tick + calendar.dayTicks);
  }

  async #send(path, body) {
    const buttons = [find("run"), find("step")];
    for (const button of buttons) button.disabled = true;
    try {
      if (!this.app.isLive) await this.app.goLive();
      // The stream tells what the simulation does then; the answer may be older than what it has told.
      await this.app.api.send(path, body);
      find("problem").replaceChildren();
    } catch (error) {
      showProblem(find("problem"), error);
    }
    for (const button of buttons) button.disabled = false;
  }

  /** Before the first tick there are no events: the preparation is the one thing that is asked for again. */
  async #readPreparation(api) {
    this.preparation = { agents: 0, ready: 0 };
    while (this.app.api === api && this.app.status.clock.tick === 0 && api.at === null) {
      this.preparation = (await api.readNow()).preparation;
      this.#show();
      if (this.preparation.ready >= this.preparation.agents) return;
      await new Promise((wake) => setTimeout(wake, PREPARATION_MILLISECONDS));
    }
  }

  #showProgress() {
    const { status, pace, end_tick: end, clock } = this.app.status;
    const { agents, ready } = this.preparation;
    const isPreparing = ready < agents && clock.tick === 0;
    const bar = find("progress");
    bar.hidden = !isPreparing && !(status === "running" && pace === null && end);
    if (bar.hidden) return;
    bar.max = isPreparing ? agents : end - this.app.calendar.dayStart(clock.tick);
    bar.value = isPreparing ? ready : clock.tick - this.app.calendar.dayStart(clock.tick);
  }

  #takePace() {
    const { status, pace } = this.app.status;
    const option = [...find("pace").options].find((each) => each.value === String(pace ?? ""));
    if (status === "running" && option) find("pace").value = option.value;
    this.#show();
  }

  #show() {
    const { app } = this;
    const run = find("run");
    write(run, this.isRunning ? "Pause" : "Run");
    run.classList.toggle("primary", !this.isRunning);
    find("step").disabled = this.isRunning;
    const text = CONNECTIONS[app.connection] ?? this.#words();
    const place = find("status");
    place.dataset.connection = app.connection;
    this.#showProgress();
    if (place.dataset.text === text) return;
    place.dataset.text = text;
    place.replaceChildren(h("span.dot", { "aria-hidden": "true" }), text);
  }

  #words() {
    const { status, reason, pace, end_at: end, clock } = this.app.status;
    const { agents, ready } = this.preparation;
    if (clock.tick === 0 && ready < agents) return `Forming the memories of ${agents} agents: ${ready} done`;
    if (status === "pausing") return "Pausing …";
    if (status !== "running") return reason ? `Paused: ${reason}` : "Paused";
    const speed = pace === null ? "as fast as possible" : `at ${pace} times real time`;
    return `Running ${speed}${end ? ` until ${end.slice(11, 16)}` : ""}`;
  }
}

const CONNECTIONS = {
  connecting: "Connecting …",
  waiting: "The connection is lost. Reconnecting; nothing will be missed.",
  ended: "The stream has ended.",
};
