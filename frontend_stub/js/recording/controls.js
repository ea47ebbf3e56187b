/** The controls of a recording: play, pause, speed, and the keyboard. */

import { momentOf } from "../town/calendar.js";
import { find, write } from "../ui/dom.js";

/** Space plays and pauses; "[" and "]" change the speed. */
export class RecordedControls {
  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
    find("play").addEventListener("click", () => this.toggle());
    find("pace").addEventListener("change", () => { if (this.isPlaying) app.playPast(this.pace); });
    find("welcome-close").addEventListener("click", () => { find("welcome").hidden = true; });
    addEventListener("keydown", (event) => this.#key(event));
    app.on("moment", () => this.#show());
  }

  get isPlaying() {
    return Boolean(this.app.past?.isPlaying);
  }

  /** Game seconds for one second. */
  get pace() {
    return Number(find("pace").value);
  }

  /** Play or pause; at the end, play from the beginning. */
  toggle() {
    const { app } = this;
    find("welcome").hidden = true;
    return app.page.attempt("moment", async () => {
      if (this.isPlaying) {
        app.stopPast();
        return;
      }
      if (app.isLive || app.tick >= app.span.to) await app.goTo(app.tick >= app.span.to ? app.span.from : app.tick);
      app.playPast(this.pace);
    });
  }

  #key(event) {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input[type=search], select, textarea")) return;
    if (event.key === " " && !target.closest("button, summary, a")) this.toggle();
    else if (event.key === "[" || event.key === "]") this.#changePace(event.key === "]" ? 1 : -1);
    else return;
    event.preventDefault();
  }

  #changePace(step) {
    const selector = find("pace");
    selector.selectedIndex = Math.max(0, Math.min(selector.options.length - 1, selector.selectedIndex + step));
    if (this.isPlaying) this.app.playPast(this.pace);
  }

  #show() {
    const { calendar, span } = this.app;
    write(find("play"), this.isPlaying ? "Pause" : "Play");
    write(find("status"), `A recording, ${momentOf(calendar.isoAt(span.from))} to ${momentOf(calendar.isoAt(span.to))}`);
  }
}
