/** The timeline of a day: marks of its events, and a slider that goes back through the past and forward again. */

import { KINDS } from "../town/events.js";
import { find, h, write } from "../ui/dom.js";
import { openForkDialog } from "./fork.js";

const FRAME_MILLISECONDS = 200;
const READ_MILLISECONDS = 180;

/** One day at a time; another day is chosen with its buttons. */
export class Timeline {
  /**
   * @param {HTMLElement} place
   * @param {HTMLElement} past the plate over the map that says which moment is shown
   * @param {import("../app.js").App} app
   */
  constructor(place, past, app) {
    this.app = app;
    this.past = past;
    this.day = 0; // the first tick of the day that is shown
    this.isDragging = false;
    this.drawnAt = 0;
    this.key = "";
    this.canvas = h("canvas", { "aria-hidden": "true" });
    this.slider = h("input", { type: "range", min: 0, max: 1, step: 1, value: 0, "aria-label": "Moment", id: "moment" });
    this.title = h("span", {}, "");
    this.before = h("button.quiet", { type: "button", onclick: () => this.#turn(-1) }, "‹ day before");
    this.after = h("button.quiet", { type: "button", onclick: () => this.#turn(1) }, "next day ›");
    const legend = h("span.legend", { "aria-hidden": "true" }, ...Object.entries(KINDS).map(([kind, { label }]) => {
      const colour = h("i");
      colour.style.setProperty("--colour", `var(--${kind})`);
      return h("span", {}, colour, label);
    }));
    place.append(
      h("div.row", {}, h("span.row", {}, this.before, this.title, this.after), legend),
      h("div.track", {}, this.canvas, this.slider));
    this.slider.addEventListener("input", () => this.#drag());
    app.on("opened", () => this.#reset());
    app.on("moment", () => this.#showPast());
    app.on("entries", () => { this.key = ""; });
    new ResizeObserver(() => { this.key = ""; }).observe(this.canvas.parentElement);
  }

  /** Write the clock and move the slider, a few times a second. */
  frame(now) {
    if (now - this.drawnAt < FRAME_MILLISECONDS || !this.app.api) return;
    this.drawnAt = now;
    const { app } = this;
    const { calendar } = app;
    const tick = app.tick;
    write(find("clock"), calendar.clock(tick));
    write(find("day"), calendar.day(tick));
    if (!this.isDragging) {
      const day = this.#startOf(tick);
      if (day !== this.day) [this.day, this.key] = [day, ""];
      this.slider.value = String(tick);
    }
    const end = Math.min(this.day + this.#length, app.status.clock.tick);
    const key = `${this.day} ${end} ${document.documentElement.dataset.theme}`;
    this.slider.min = String(this.day);
    this.slider.max = String(this.day + this.#length);
    this.slider.setAttribute("aria-valuetext", `${calendar.clock(tick)}${app.isLive ? ", live" : ""}`);
    if (key !== this.key) this.#draw(end);
    this.key = key;
    if (app.past?.isPlaying) this.#showPast();
  }

  /** The first tick of what is shown around a tick: its day, or the recording. */
  #startOf(tick) {
    return this.app.span?.from ?? this.app.calendar.dayStart(tick);
  }

  get #length() {
    const { span, calendar } = this.app;
    return span ? span.to - span.from : calendar.dayTicks;
  }

  #reset() {
    this.day = this.#startOf(this.app.tick);
    this.before.hidden = this.after.hidden = this.app.isRecorded;
    this.key = "";
    this.drawnAt = -Infinity; // the first picture has its clock
    this.#showPast();
  }

  #turn(days) {
    const { calendar, status } = this.app;
    const target = Math.min(this.app.tick + days * calendar.dayTicks, status.clock.tick);
    this.#go(Math.max(0, target));
  }

  /** While the slider is dragged, the last position is read, not each one. */
  #drag() {
    this.isDragging = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.isDragging = false;
      this.#go(Number(this.slider.value));
    }, READ_MILLISECONDS);
  }

  #go(tick) {
    const { app } = this;
    return app.page.attempt("moment", () => (tick >= app.status.clock.tick ? app.goLive() : app.goTo(tick)));
  }

  #showPast() {
    const { app, past } = this;
    if (app.isLive && past.contains(document.activeElement)) this.slider.focus(); // the button that was pressed leaves
    past.hidden = app.isLive;
    if (app.isLive) return;
    if (!this.pastParts) {
      this.pastParts = { text: h("span", { role: "status" }), play: h("button", { type: "button", onclick: () => this.#playOrStop() }, "Play") };
      past.replaceChildren(this.pastParts.text, this.pastParts.play,
        h("button", { type: "button", onclick: () => openForkDialog(find("dialog"), app) }, "Fork from here"),
        h("button.primary", { type: "button", onclick: () => this.#go(Infinity) }, "Back to now"));
    }
    write(this.pastParts.play, app.past.isPlaying ? "Stop" : "Play");
    // Every change is announced: while the past is played, only its beginning is.
    const moment = `${app.calendar.day(app.tick)}, ${app.calendar.clock(app.tick)}`;
    write(this.pastParts.text, app.past.isPlaying ? "Playing the past" : `You see the past: ${moment}`);
  }

  #playOrStop() {
    const { app } = this;
    if (app.past.isPlaying) app.stopPast();
    else app.playPast(Number(find("pace").value) || 600);
  }

  #draw(end) {
    const { canvas, app } = this;
    const ratio = devicePixelRatio || 1;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    canvas.width = Math.max(1, width * ratio);
    canvas.height = Math.max(1, height * ratio);
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const x = (tick) => ((tick - this.day) / this.#length) * width;
    pen.fillStyle = colour("sunken");
    pen.fillRect(0, 0, width, height);
    pen.fillStyle = colour("accent-soft");
    pen.fillRect(0, 0, x(end), height);
    pen.font = "10px system-ui, sans-serif";
    const firstHour = Math.ceil(app.calendar.hourAt(this.day));
    const midnight = this.day - (app.calendar.hourAt(this.day) / 24) * app.calendar.dayTicks;
    const hours = (this.#length / app.calendar.dayTicks) * 24;
    const labelled = Math.max(1, Math.ceil(hours / (width < 500 ? 4 : 12)));
    for (let hour = firstHour; hour < firstHour + hours; hour += 1) {
      const left = x(midnight + (hour / 24) * app.calendar.dayTicks);
      pen.fillStyle = colour("line");
      pen.fillRect(left, 0, 1, height);
      pen.fillStyle = colour("quiet");
      if (hour % labelled === 0) pen.fillText(`${hour % 24}:00`, left + 3, 10);
    }
    const kinds = Object.keys(KINDS);
    const step = (height - 14) / kinds.length;
    for (const entry of app.feed.entries) {
      if (entry.tick < this.day || entry.tick > this.day + this.#length) continue;
      pen.fillStyle = colour(entry.kind);
      pen.fillRect(x(entry.tick), 12 + kinds.indexOf(entry.kind) * step, 2, Math.max(2, step));
    }
    write(this.title, app.calendar.day(this.day));
    this.before.disabled = this.day === 0;
    this.after.disabled = this.day + app.calendar.dayTicks > app.status.clock.tick;
  }
}
