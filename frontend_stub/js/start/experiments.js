/** Experiments in the list, each with its runs, which are read when it is opened. */

import { ROOT } from "../api/simulation.js";
import { addressOf } from "../hash.js";
import { momentOf } from "../town/calendar.js";
import { fill, find, h, write } from "../ui/dom.js";
import { openExperimentDeletion } from "./changes.js";
import { statusOf } from "./simulation_card.js";

/** The section of experiments; it is hidden without any. */
export class ExperimentList {
  /** @param {import("../api/client.js").Client} client @param {() => Promise<void>} changed */
  constructor(client, changed) {
    this.client = client;
    this.changed = changed;
    /** @type {Map<string, any>} */
    this.rows = new Map();
    this.list = h("ul.experiments", { "aria-label": "Experiments" });
    this.element = h("section", { hidden: true, "aria-label": "Experiments" }, h("h2", {}, "Experiments"), this.list);
  }

  get size() {
    return this.rows.size;
  }

  async read() {
    const found = await this.client.list(`${ROOT}/experiments`);
    for (const [id, row] of this.rows) {
      if (found.some((experiment) => experiment.id === id)) continue;
      row.item.remove();
      this.rows.delete(id);
    }
    found.forEach((experiment, index) => {
      const row = this.rows.get(experiment.id) ?? this.#add(experiment.id);
      row.experiment = experiment;
      if (this.list.children[index] !== row.item) this.list.insertBefore(row.item, this.list.children[index] ?? null);
      write(row.name, experiment.title || experiment.name);
      write(row.state, `${experiment.progress.done} of ${experiment.progress.total} runs over · ${experiment.state}`);
      row.bar.max = experiment.progress.total;
      row.bar.value = experiment.progress.done;
      write(row.problem, experiment.problem?.detail ?? "");
      row.remove.disabled = experiment.state === "running";
      row.remove.title = row.remove.disabled ? "It runs: pause or cancel it first" : "";
      if (row.item.firstChild.open && experiment.state === "running" && !row.runs.contains(document.activeElement)) this.#readRuns(row);
    });
    this.element.hidden = !found.length;
  }

  #add(id) {
    const row = {
      name: h("strong"), state: h("span.quiet"), bar: h("progress", { "aria-label": "Runs that are over" }), problem: h("p.small"), runs: h("ul.list"),
      remove: h("button.quiet", { type: "button", onclick: () => openExperimentDeletion(find("dialog"), this.client, row.experiment, this.changed) }, "Delete the experiment"),
    };
    row.item = h("li", {}, h("details", { ontoggle: (event) => { if (event.target.open) this.#readRuns(row); } },
      h("summary", {}, row.name, row.bar, row.state), row.problem, row.runs, row.remove));
    this.rows.set(id, row);
    return row;
  }

  #readRuns({ runs, experiment }) {
    return fill(runs, async () => {
      const found = await this.client.list(`${ROOT}/simulations`, { experiment: experiment.id, order: "recorded_at" });
      if (!found.length) return [h("li.quiet", {}, "No run has begun, or all were deleted.")];
      return found.map((about) => h("li.run", {}, h("a", { href: addressOf({ simulation: about.id }) }, about.name),
        h("span.quiet", {}, `${momentOf(about.clock.time)} · ${statusOf(about)}`)));
    });
  }
}
