/** The feed: what happens, newest first, with filters by kind. */

import { KINDS } from "../town/events.js";
import { shortName } from "../town/world.js";
import { h, write } from "../ui/dom.js";
import { showConversation } from "./conversation.js";

const SHOWN_MAX = 120;

/** New entries are announced to screen readers by a live region of their own, the last one only. */
export class FeedPanel {
  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
    this.kinds = new Set(Object.keys(KINDS));
    this.search = h("input.search", { type: "search", placeholder: "Filter by words or by name", "aria-label": "Filter the feed", oninput: () => this.#write() });
    this.list = h("ol.list", { "aria-label": "Events, newest first" });
    this.last = h("p.hidden", { "aria-live": "polite" });
    this.key = "";
    this.seen = "";
    this.detail = h("div");
    this.chips = h("div.chips", { role: "group", "aria-label": "Kinds of events" }, ...Object.entries(KINDS).map(([kind, { label, icon }]) => h("button.chip", {
      type: "button", "aria-pressed": "true", onclick: (event) => this.#toggle(kind, event.currentTarget),
    }, `${icon} ${label}`)));
  }

  open(panel) {
    panel.replaceChildren(this.search, this.chips, this.last, this.detail, this.list);
    this.#write();
  }

  clear() {
    this.key = "";
    this.list.replaceChildren();
    this.detail.replaceChildren();
  }

  update() {
    const { entries } = this.app.feed;
    const key = `${entries.length} ${entries.at(-1)?.id} ${this.app.isLive || this.app.tick}`;
    if (key === this.key) return;
    this.key = key;
    this.#write();
  }

  #toggle(kind, button) {
    if (this.kinds.has(kind)) this.kinds.delete(kind);
    else this.kinds.add(kind);
    button.setAttribute("aria-pressed", String(this.kinds.has(kind)));
    this.#write();
  }

  #write() {
    const { app } = this;
    const words = this.search.value.trim().toLowerCase();
    const until = app.isLive ? Infinity : app.tick;
    const found = [];
    for (let index = app.feed.entries.length - 1; index >= 0 && found.length < SHOWN_MAX; index -= 1) {
      const entry = app.feed.entries[index];
      if (entry.tick <= until && this.kinds.has(entry.kind) && entry.text.toLowerCase().includes(words)) found.push(entry);
    }
    const known = new Set([...this.list.children].map((item) => item.dataset.id));
    this.list.replaceChildren(...found.map((entry) => this.#row(entry, known.size > 0 && !known.has(entry.id))));
    if (!found.length) this.list.append(h("li.quiet", {}, "Nothing of these kinds has happened yet."));
    const newest = found[0];
    if (newest && newest.id !== this.seen && app.isLive) write(this.last, newest.text);
    this.seen = newest?.id ?? "";
  }

  #row(entry, isNew) {
    const { app } = this;
    const agent = entry.agents.find((slug) => app.town.agents.has(slug));
    const item = h(`li.entry${isNew ? ".is-new" : ""}`, {},
      h("span", { "aria-hidden": "true" }, entry.icon),
      h("div", {}, h("p", {}, entry.text), h("div.meta", {},
        h("time", {}, app.calendar.clock(entry.tick)),
        agent && h("button.quiet", { type: "button", onclick: () => app.select("agent", agent) }, app.town.nameOf(agent)),
        entry.object && h("button.quiet", { type: "button", onclick: () => app.select("object", entry.object) }, `the ${shortName(entry.object)}`),
        entry.conversation && h("button.quiet", { type: "button", onclick: () => showConversation(this.detail, app, entry.conversation) }, "the conversation"),
        h("button.quiet", { type: "button", onclick: () => app.goTo(entry.tick) }, "see this moment"))));
    item.dataset.id = entry.id;
    return item;
  }
}
