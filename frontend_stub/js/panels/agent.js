/** The panel of an agent: who it is, and one tab for each side of its mind. */

import { fill, h, write } from "../ui/dom.js";
import { portrait } from "../ui/portrait.js";
import { Tabs } from "../ui/tabs.js";
import { inSentence, placeBeside } from "../town/world.js";
import { showWhy } from "./why.js";

const FOLLOW_MILLISECONDS = 3000; // between two readings of what an agent does now

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
    this.readAt = 0;
  }

  /** Show an agent, in the tab that was open before. */
  open(panel, slug) {
    const isOther = this.slug !== slug || !panel.contains(this.head);
    this.slug = slug;
    if (isOther) this.#build(panel, slug);
    this.update();
    this.tabs.choose(this.tabs.current || "now");
  }

  /** Write what the stream has changed; what it does now and why are read again, unless the user holds them. */
  update() {
    const agent = this.app.town.agents.get(this.slug);
    if (!this.head) return;
    write(this.doing, agent ? `${agent.emoji} ${agent.action}` : "is not in town");
    write(this.place, agent?.place ? placeBeside(agent.place, agent.action) : "");
    const isStale = Boolean(agent?.event && this.shownEvent && agent.event !== this.shownEvent) && this.tabs.current === "now";
    const follows = this.hold.getAttribute("aria-pressed") !== "true" && !this.now.querySelector("details[open]");
    if (isStale && follows && performance.now() - this.readAt > FOLLOW_MILLISECONDS) this.#readNow();
    this.stale.hidden = !isStale || follows;
  }

  #build(panel, slug) {
    const { app, view } = this;
    const name = app.town.nameOf(slug);
    this.shownEvent = null;
    this.now = h("div");
    this.doing = h("p");
    this.place = h("p.quiet.small");
    this.stale = h("p.card", { role: "status", hidden: true }, `${name} has begun something else. `,
      h("button.quiet", { type: "button", onclick: () => this.#readNow() }, "Show why"));
    this.hold = h("button.quiet.small", { type: "button", "aria-pressed": "false", title: "Keep showing this action", onclick: () => {
      this.hold.setAttribute("aria-pressed", String(this.hold.getAttribute("aria-pressed") !== "true"));
    } }, "Hold");
    const follow = h("button", { type: "button", onclick: () => view.setFollowing(true) }, "Follow");
    this.head = h("div.head", {}, portrait({ name, age: app.town.ages.get(slug) ?? 0 }, 52), h("div", {}, h("h2", {}, name), this.doing, this.place), follow);
    this.tabs = new Tabs(`The mind of ${name}`, [
      { id: "now", label: "Now", open: (place) => this.#openNow(place) },
      ...this.sides.map(({ id, label, open }) => ({ id, label, open: (place) => open(place, app, slug) })),
    ]);
    panel.replaceChildren(this.head, this.stale, h("div.inner-tabs", {}, this.tabs.list, this.tabs.panel));
  }

  #openNow(place) {
    this.stale.hidden = true;
    this.now = place;
    this.about = h("p.quiet");
    this.action = h("div");
    this.why = h("div");
    place.replaceChildren(this.about, h("div.row", {}, h("h3", {}, "Now"), !this.app.isRecorded && this.hold), this.action, h("h3", {}, "Why"), this.why);
    return this.#readNow();
  }

  /** Read the current action and its reasons; what was shown before stays until they are there. */
  #readNow() {
    const { app, about, slug, why } = this;
    const api = app.api.asOfNow();
    this.readAt = performance.now();
    this.stale.hidden = true;
    return fill(this.action, async () => {
      const agent = await api.agent(slug);
      write(about, `${agent.age} years old; ${agent.traits.join(", ")}. Lives in ${inSentence(agent.home)}${agent.workplace ? `, works in ${inSentence(agent.workplace)}` : ""}.`);
      const now = agent.current_action;
      if (!now) return [h("p.quiet", {}, "No action yet.")];
      this.shownEvent = now.event;
      showWhy(why, app, now.event, api);
      return [h("div.card.now", {}, h("strong", {}, `${now.emoji} ${now.description}`),
        h("p.quiet.small", {}, [`since ${now.start_at.slice(11, 16)}`, now.due_at && `until ${now.due_at.slice(11, 16)}`, placeBeside(now.object || now.area || now.towards || "", now.description)].filter(Boolean).join(" · ")))];
    });
  }
}
