/** The panel of an agent: who it is, and one tab for each side of its mind. */

import { fill, h, write } from "../ui/dom.js";
import { portrait } from "../ui/portrait.js";
import { Tabs } from "../ui/tabs.js";
import { inSentence, readable } from "../town/world.js";
import { showWhy } from "./why.js";

/** @typedef {{id: string, label: string, open: (place: HTMLElement, app: import("../app.js").App, slug: string) => any}} Side a side of a mind */

/** The head follows the stream; the tabs are read when they are opened. */
export class AgentPanel {
  /**
   * @param {import("../app.js").App} app
   * @param {import("../map/mapview.js").MapView} view
   * @param {Side[]} sides what can be read besides what the agent does now
   */
  constructor(app, view, sides) {
    this.app = app;
    this.sides = sides;
    this.view = view;
    this.clear();
  }

  clear() {
    this.slug = "";
    this.shownEvent = null;
  }

  /** Show an agent, in the tab that was open before. */
  open(panel, slug) {
    const isOther = this.slug !== slug || !panel.contains(this.head);
    if (isOther) this.#build(panel, slug);
    this.slug = slug;
    this.update();
    this.tabs.choose(this.tabs.current || "now");
  }

  /** Write what the stream has changed. */
  update() {
    const agent = this.app.town.agents.get(this.slug);
    if (!this.head) return;
    write(this.doing, agent ? `${agent.emoji} ${agent.action}` : "is not in town");
    write(this.place, agent?.place ? readable(agent.place) : "");
    const isNewer = Boolean(agent?.event && this.shownEvent && agent.event !== this.shownEvent);
    const isStale = isNewer && this.tabs.current === "now";
    // What is recorded is at hand: nothing is asked of a server.
    if (isStale && this.app.isRecorded) this.tabs.choose("now");
    this.stale.hidden = !isStale || this.app.isRecorded;
  }

  #build(panel, slug) {
    const { app, view } = this;
    const name = app.town.nameOf(slug);
    this.doing = h("p");
    this.place = h("p.quiet.small");
    this.stale = h("p.card", { role: "status", hidden: true }, `${name} has begun something else. `,
      h("button.quiet", { type: "button", onclick: () => this.tabs.choose("now") }, "Show why"));
    const follow = h("button", { type: "button", onclick: () => view.setFollowing(true) }, "Follow");
    this.head = h("div.head", {}, portrait(name, 52), h("div", {}, h("h2", {}, name), this.doing, this.place), follow);
    this.tabs = new Tabs(`The mind of ${name}`, [
      { id: "now", label: "Now", open: (place) => this.#openNow(place, slug) },
      ...this.sides.map(({ id, label, open }) => ({ id, label, open: (place) => open(place, app, slug) })),
    ]);
    panel.replaceChildren(this.head, this.stale, h("div.inner-tabs", {}, this.tabs.list, this.tabs.panel));
  }

  #openNow(place, slug) {
    const { app } = this;
    this.stale.hidden = true;
    const about = h("p.quiet");
    const action = h("div");
    const why = h("div");
    place.replaceChildren(about, h("h3", {}, "Now"), action, h("h3", {}, "Why"), why);
    const api = app.api.asOfNow();
    return fill(action, async () => {
      const agent = await api.agent(slug);
      write(about, `${agent.age} years old; ${agent.traits.join(", ")}. Lives in ${inSentence(agent.home)}${agent.workplace ? `, works in ${inSentence(agent.workplace)}` : ""}.`);
      const now = agent.current_action;
      if (!now) return [h("p.quiet", {}, "No action yet.")];
      this.shownEvent = now.event;
      showWhy(why, app, now.event, api);
      return [h("div.card.now", {}, h("strong", {}, `${now.emoji} ${now.description}`),
        h("p.quiet.small", {}, [`since ${now.start_at.slice(11, 16)}`, now.due_at && `until ${now.due_at.slice(11, 16)}`, readable(now.object || now.area || now.towards || "")].filter(Boolean).join(" · ")))];
    });
  }
}
