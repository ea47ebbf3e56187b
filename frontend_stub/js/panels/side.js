/** The side panel: agents, feed, charts, and the details of what is chosen. */

import { Tabs } from "../ui/tabs.js";
import { AgentList } from "./agents.js";
import { AgentPanel } from "./agent.js";
import { openCharts } from "./charts.js";
import { FeedPanel } from "./feed.js";
import { mostTelling } from "../town/feed.js";
import { h, write } from "../ui/dom.js";

const FRAME_MILLISECONDS = 500;
const HEADLINE_HOURS = 0.5; // of game time

/**
 * @typedef {object} Parts
 * @property {import("./agent.js").Side[]} agentTabs
 * @property {import("./charts.js").Chart[]} charts
 * @property {(panel: HTMLElement, app: import("../app.js").App, path: string) => any} openObject
 */

/** Shows one tab; lists are written again twice a second at most. */
export class SidePanel {
  /**
   * @param {HTMLElement} place
   * @param {import("../app.js").App} app
   * @param {import("../map/mapview.js").MapView} view
   * @param {Parts} parts
   */
  constructor(place, app, view, parts) {
    this.parts = parts;
    this.app = app;
    this.place = place;
    this.shownAt = 0;
    this.agents = new AgentList(app);
    this.feed = new FeedPanel(app);
    this.agent = new AgentPanel(app, view, parts.agentTabs);
    this.tabs = new Tabs("What to look at", [
      { id: "agents", label: "Agents", open: (panel) => this.agents.open(panel) },
      { id: "feed", label: "Feed", open: (panel) => this.feed.open(panel) },
      { id: "charts", label: "Charts", open: (panel) => openCharts(panel, app, parts.charts) },
      { id: "details", label: "Details", open: (panel) => this.#openDetails(panel) },
    ]);
    this.headline = h("button.headline", { type: "button", hidden: true, onclick: () => this.#openHeadline() });
    /** What is worth a look now. @type {import("../town/words.js").Entry | undefined} */
    this.telling = undefined;
    place.append(this.headline, this.tabs.list, this.tabs.panel);
    this.tabs.choose("agents");
    app.on("opened", () => this.#reopen());
    app.on("moment", () => { if (!app.past?.isPlaying) this.tabs.refresh(); });
    app.on("selection", (byUser) => this.#choose(byUser));
  }

  /** Write what the stream has changed. */
  frame(now) {
    if (now - this.shownAt < FRAME_MILLISECONDS || !this.app.api) return;
    this.shownAt = now;
    this.#writeHeadline();
    if (this.tabs.current === "agents") this.agents.update();
    else if (this.tabs.current === "feed") this.feed.update();
    else if (this.tabs.current === "details" && this.app.selection.kind === "agent") this.agent.update();
  }

  #writeHeadline() {
    const { calendar, feed, tick } = this.app;
    this.telling = mostTelling(feed.entries, tick - HEADLINE_HOURS * calendar.dayTicks / 24, tick);
    this.headline.hidden = !this.telling;
    if (this.telling) write(this.headline, `${calendar.clock(this.telling.tick)} ${this.telling.icon} ${this.telling.text}`);
  }

  #openHeadline() {
    const agent = this.telling.agents.find((slug) => this.app.town.agents.has(slug));
    if (agent) this.app.select("agent", agent);
  }

  #reopen() {
    this.tabs.rename("details", "Details");
    this.agents.clear();
    this.feed.clear();
    this.agent.clear();
    this.tabs.choose(this.tabs.current === "details" ? "agents" : this.tabs.current);
    this.tabs.refresh();
  }

  #choose(byUser) {
    const { kind, id } = this.app.selection;
    const name = kind === "agent" ? this.app.town.nameOf(id) : kind === "object" ? id.split(": ").at(-1) : "Details";
    this.tabs.rename("details", name);
    const hadFocus = this.place.contains(document.activeElement);
    this.tabs.choose("details");
    // The row that was chosen is gone: the focus goes to what it has opened, which has its name.
    if (hadFocus && !this.place.contains(document.activeElement)) this.tabs.panel.focus({ preventScroll: true });
    if (byUser && matchMedia("(max-width: 900px)").matches) this.place.scrollIntoView({ behavior: "auto" });
  }

  #openDetails(panel) {
    const { kind, id } = this.app.selection;
    if (kind === "agent") this.agent.open(panel, id);
    else if (kind === "object") this.parts.openObject(panel, this.app, id);
    else panel.replaceChildren(h("p.quiet", {}, "Choose an agent or an object on the map, or an agent in the list."));
  }
}
