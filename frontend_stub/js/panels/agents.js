/** The list of agents: the same as the map shows, for the keyboard and for screen readers. */

import { count, h, write } from "../ui/dom.js";
import { portrait } from "../ui/portrait.js";
import { placeBeside } from "../town/world.js";

/** Rows are kept and changed, so that the focus stays where it is. */
export class AgentList {
  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
    /** @type {Map<string, any>} */
    this.rows = new Map();
    this.version = -1;
    this.search = h("input.search", { type: "search", placeholder: "Find somebody, or what they do", "aria-label": "Find an agent", oninput: () => this.#filter() });
    this.count = h("p.quiet.small", { role: "status" });
    this.list = h("ul.list.agents", { "aria-label": "Agents" });
  }

  open(panel) {
    panel.replaceChildren(this.search, this.count, this.list);
    this.version = -1;
    this.update();
  }

  clear() {
    this.rows.clear();
    this.list.replaceChildren();
    this.version = -1;
  }

  update() {
    const { town, selection } = this.app;
    const version = `${town.version} ${selection.id}`;
    if (version === this.version) return;
    this.version = version;
    for (const [slug, row] of this.rows) {
      if (town.agents.has(slug)) continue;
      row.item.remove();
      this.rows.delete(slug);
    }
    for (const agent of town.agents.values()) {
      const row = this.rows.get(agent.slug) ?? this.#add(agent);
      write(row.emoji, agent.emoji);
      write(row.doing, agent.action);
      write(row.place, placeBeside(agent.place, agent.action));
      row.button.setAttribute("aria-current", String(selection.id === agent.slug));
    }
    this.#filter();
  }

  #add(agent) {
    const doing = h("small");
    const place = h("small");
    const emoji = h("span.emoji", { "aria-hidden": "true" });
    const button = h("button.agent-row", { type: "button", onclick: () => this.app.select("agent", agent.slug) },
      portrait(agent, 34), h("span", {}, h("strong", {}, agent.name), doing, place), emoji);
    const item = h("li", {}, button);
    this.list.append(item);
    const row = { item, button, emoji, doing, place, name: agent.name };
    this.rows.set(agent.slug, row);
    return row;
  }

  #filter() {
    const wanted = this.search.value.trim().toLowerCase();
    let shown = 0;
    for (const row of this.rows.values()) {
      row.item.hidden = wanted !== "" && !`${row.name} ${row.doing.textContent} ${row.place.textContent}`.toLowerCase().includes(wanted);
      if (!row.item.hidden) shown += 1;
    }
    write(this.count, wanted ? `${shown} of ${this.rows.size} agents` : count(this.rows.size, "agent"));
  }
}
