/** A simulation in the list: its world, agents, game time, status and origin, and what can be done to it. */

import { addressOf } from "../hash.js";
import { momentOf } from "../town/calendar.js";
import { count, find, h, write } from "../ui/dom.js";
import { openDeletion, openRenaming } from "./changes.js";

const PHASES = [[5, "night"], [8, "dawn"], [18, "day"], [21, "dusk"], [24, "night"]];

/** @returns {string} "14 Feb 2023, 08:15" of a game time */
const timeOf = (time) => `${momentOf(time).slice(0, -6)} ${time.slice(0, 4)}, ${time.slice(11, 16)}`;

/** @returns {string} what a simulation is doing */
export function statusOf({ status, reason, clock, pace, preparation: { agents, ready } }) {
  if (status === "running") return pace === null ? "running as fast as possible" : `running at ${pace} times real time`;
  if (status === "pausing") return "pausing";
  if (clock.tick === 0 && ready < agents) return `forming memories: ${ready} of ${agents} agents`;
  return clock.tick === 0 ? "not yet run" : `paused${reason ? `: ${reason}` : ""}`;
}

/** One card; `show` writes what has changed. */
export class SimulationCard {
  /** @param {import("../api/client.js").Client} client @param {() => Promise<void>} changed */
  constructor(client, changed) {
    this.name = h("a", {});
    this.clock = h("b");
    this.day = h("span");
    this.facts = h("p");
    this.status = h("p.status");
    this.origin = h("p.quiet.small");
    this.created = h("p.quiet.small");
    this.rename = h("button.quiet", { type: "button", onclick: () => openRenaming(find("dialog"), client, this.about, changed) }, "Rename");
    this.remove = h("button.quiet", { type: "button", onclick: () => openDeletion(find("dialog"), client, this.about, changed) }, "Delete");
    this.sky = h("div.sky", {}, this.clock, this.day);
    this.element = h("li.simulation", {}, this.sky,
      h("div.body", {}, h("h3", {}, this.name), this.facts, this.status, this.origin, this.created, h("div.row", {}, this.rename, this.remove)));
  }

  /** @param {any} about @param {string} world its title @param {string} [parent] the name of the simulation that it was forked from */
  show(about, world, parent) {
    this.about = about;
    write(this.name, about.name);
    this.name.href = addressOf({ simulation: about.id });
    const hour = Number(about.clock.time.slice(11, 13));
    this.sky.dataset.phase = PHASES.find(([until]) => hour < until)[1];
    write(this.clock, about.clock.time.slice(11, 16));
    write(this.day, momentOf(about.clock.time).slice(0, -6));
    write(this.facts, `${world} · ${count(about.preparation.agents, "agent")}`);
    write(this.status, statusOf(about));
    this.status.dataset.status = about.status;
    write(this.origin, about.parent ? `Forked from ${parent ?? "another simulation"} at ${timeOf(about.parent.clock.time)}` : "");
    const role = about.role === "owner" ? "" : ` · you are a ${about.role}`;
    write(this.created, `Created ${new Date(about.recorded_at).toLocaleString("en-GB", { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" })}${role}`);
    for (const [button, verb] of [[this.rename, "Rename"], [this.remove, "Delete"]]) {
      button.hidden = about.role !== "owner";
      button.setAttribute("aria-label", `${verb} ${about.name}`);
    }
  }
}
