/** The feed: what happens, newest first, with filters by kind. */

import { KINDS } from "../town/events.js";
import { keyOf, rowsOf } from "../town/feed.js";
import { names } from "../town/words.js";
import { shortName } from "../town/world.js";
import { count, h, write } from "../ui/dom.js";
import { showConversation } from "./conversation.js";

const SHOWN_MAX = 120;
const AGENTS_MAX = 3;

/** New entries are announced to screen readers by a live region of their own, the last one only. */
export class FeedPanel {
  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
    this.kinds = new Set(Object.keys(KINDS));
    this.search = h("input.search", { type: "search", placeholder: "Filter by words or by name", "aria-label": "Filter the feed", oninput: () => this.#write() });
    this.list = h("ol.list", { "aria-label": "Events, newest first" });
    this.last = h("p.hidden", { "aria-live": "polite" });
    /** The rows that are shown, by conversation or event, with the ids of their entries. @type {Map<string, {ids: string, item: HTMLElement}>} */
    this.rows = new Map();
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
    this.rows = new Map();
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
    const found = app.feed.entries.filter((entry) => entry.tick <= until && this.kinds.has(entry.kind) && entry.text.toLowerCase().includes(words));
    const shown = rowsOf(found.reverse()).slice(0, SHOWN_MAX);
    const before = this.rows;
    this.rows = new Map(shown.map((entries) => [keyOf(entries[0]), this.#kept(before, entries)]));
    this.list.replaceChildren(...[...this.rows.values()].map(({ item }) => item));
    if (!found.length) this.list.append(h("li.quiet", {}, "Nothing of these kinds has happened yet."));
    const newest = found[0];
    if (newest && newest.id !== this.seen && app.isLive) write(this.last, newest.text);
    this.seen = newest?.id ?? "";
  }

  /** The row that is there already, or a new one, in which is unfolded what was. */
  #kept(before, entries) {
    const old = before.get(keyOf(entries[0]));
    const ids = entries.map((entry) => entry.id).join();
    if (old?.ids === ids) return old;
    const item = this.#row(entries, before.size > 0);
    old?.item.querySelectorAll("details").forEach((folded, index) => {
      const same = item.querySelectorAll("details")[index];
      if (same) same.open = folded.open;
    });
    return { ids, item };
  }

  /** The row of an event, or of a conversation with all that came of it. */
  #row(entries, isNew) {
    const { app } = this;
    const [newest] = entries;
    const said = entries.filter((entry) => entry.words);
    const remembered = entries.filter((entry) => entry.isMemory);
    const shown = said.length ? [said[0], ...entries.filter((entry) => !entry.words && !entry.isMemory)] : entries.length > 1 && remembered.length ? remembered.slice(0, 1) : entries;
    const agents = [...new Set(entries.filter((entry) => !said.length || entry.words).flatMap((entry) => entry.agents))].filter((slug) => app.town.agents.has(slug));
    const item = h(`li.entry${isNew ? ".is-new" : ""}`, {},
      h("span", { "aria-hidden": "true" }, shown[0].icon),
      h("div", {}, ...shown.map((entry) => h("p", {}, entry === shown[0] ? entry.text : `${entry.icon} ${entry.text}`)),
        said.length > 1 && folded(`${count(said.length, "utterance")} between ${names(agents.map(app.nameOf))}`, said),
        remembered.length > 0 && entries.length > 1 && folded(`${count(remembered.length, "memory", "memories")} of it`, remembered),
        h("div.meta", {},
          h("time", {}, app.calendar.clock(newest.tick)),
          ...agents.slice(0, AGENTS_MAX).map((slug) => h("button.quiet", { type: "button", onclick: () => app.select("agent", slug) }, app.town.nameOf(slug))),
          newest.object && h("button.quiet", { type: "button", onclick: () => app.select("object", newest.object) }, `the ${shortName(newest.object)}`),
          newest.conversation && h("button.quiet", { type: "button", onclick: () => showConversation(this.detail, app, newest.conversation) }, "the conversation"),
          h("button.quiet", { type: "button", onclick: () => app.goTo(newest.tick) }, "see this moment"))));
    return item;
  }
}

/** Entries that are shown when they are unfolded, in the order of the log. */
function folded(title, entries) {
  return h("details.small", {}, h("summary", {}, title), ...entries.toReversed().map((entry) => h("p", {}, entry.text)));
}
