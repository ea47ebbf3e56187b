/** The start page: the simulations of the user with what can be done to them, and the experiments with their runs. */

import { ROOT } from "../api/simulation.js";
import { h, find, write } from "../ui/dom.js";
import { openCreation } from "./creation.js";
import { ExperimentList } from "./experiments.js";
import { SimulationCard } from "./simulation_card.js";
import { worldCards } from "./worlds.js";

const READS_MILLISECONDS = 4000;
const ORDERS = {
  newest: { label: "newest first", compare: (one, other) => other.recorded_at.localeCompare(one.recorded_at) },
  name: { label: "by name", compare: (one, other) => one.name.localeCompare(other.name) },
  time: { label: "longest lived first", compare: (one, other) => other.clock.tick - one.clock.tick },
  running: { label: "running first", compare: (one, other) => Number(other.status === "running") - Number(one.status === "running") },
};

/** The list is kept while a simulation is open: who comes back finds it as it was. @type {SimulationList | null} */
let list = null;
let openings = 0;

/** Show the start page, and read it again as long as it is shown. */
export async function openStartPage(place, page, client, created) {
  openings += 1;
  await addStyles();
  const worlds = await client.list(`${ROOT}/worlds`, { order: "name" });
  list ??= new SimulationList(client, created);
  list.worlds = worlds;
  await list.read();
  if (!list.element.isConnected) place.replaceChildren(list.element);
  follow(page, openings);
}

async function follow(page, opening) {
  const isShown = () => page.now.view === "start" && opening === openings;
  while (isShown()) {
    await new Promise((wake) => setTimeout(wake, READS_MILLISECONDS));
    if (isShown() && !document.hidden) await page.attempt("list", () => list.read(), isShown);
  }
}

/** The style sheet of this page is loaded with it. */
function addStyles() {
  if (find("start-styles")) return null;
  const sheet = h("link", { id: "start-styles", rel: "stylesheet", href: "css/start.css" });
  const loaded = new Promise((ready) => { sheet.onload = sheet.onerror = ready; });
  document.head.append(sheet);
  return loaded;
}

/** Cards are kept and changed, so that the focus stays where it is. */
class SimulationList {
  constructor(client, created) {
    this.client = client;
    /** @type {any[]} */
    this.worlds = [];
    /** @type {Map<string, SimulationCard>} */
    this.cards = new Map();
    /** @type {any[]} */
    this.found = [];
    this.create = (world = "") => openCreation(find("dialog"), client, this.worlds, created, world);
    this.search = h("input", { type: "search", placeholder: "Find a simulation", "aria-label": "Find a simulation", oninput: () => this.#show() });
    this.order = h("select", { "aria-label": "Order", onchange: () => { localStorage.setItem("order", this.order.value); this.#show(); } },
      ...Object.entries(ORDERS).map(([value, { label }]) => h("option", { value }, label)));
    this.order.value = localStorage.getItem("order") in ORDERS ? localStorage.getItem("order") : "newest";
    this.count = h("p.quiet.small", { role: "status" });
    this.grid = h("ul.cards", { "aria-label": "Simulations" });
    this.experiments = new ExperimentList(client, () => this.read());
    this.head = h("div.start-head", {}, h("h2", {}, "Your simulations"),
      h("div.row", {}, this.search, this.order, h("button.primary", { type: "button", onclick: () => this.create() }, "New simulation")));
    this.empty = h("section.empty", { hidden: true });
    this.element = h("main.start-page", { "aria-label": "Simulations and experiments" }, this.empty, this.head, this.count, this.grid, this.experiments.element);
  }

  async read() {
    const [found] = await Promise.all([this.client.list(`${ROOT}/simulations`, { experiment: "none" }), this.experiments.read()]);
    this.found = found;
    const isEmpty = !found.length && !this.experiments.size;
    for (const part of [this.head, this.count, this.grid]) part.hidden = isEmpty;
    if (isEmpty && this.empty.hidden) this.empty.replaceChildren(...welcome(this.worlds, this.create));
    this.empty.hidden = !isEmpty;
    for (const [id, card] of this.cards) {
      if (found.some((about) => about.id === id)) continue;
      card.element.remove();
      this.cards.delete(id);
    }
    const names = new Map(found.map((about) => [about.id, about.name]));
    for (const about of found) {
      const card = this.cards.get(about.id) ?? new SimulationCard(this.client, () => this.read());
      this.cards.set(about.id, card);
      card.show(about, this.#title(about.world), names.get(about.parent?.id));
    }
    this.#show();
  }

  #title(world) {
    return this.worlds.find(({ name }) => name === world)?.title ?? world;
  }

  /** Order and filter the cards; one that stays in its place is not touched. */
  #show() {
    const wanted = this.search.value.trim().toLowerCase();
    const sorted = this.found.toSorted(ORDERS[this.order.value].compare);
    sorted.forEach(({ id }, index) => {
      const { element } = this.cards.get(id);
      if (this.grid.children[index] !== element) this.grid.insertBefore(element, this.grid.children[index] ?? null);
      element.hidden = wanted !== "" && !element.textContent.toLowerCase().includes(wanted);
    });
    const shown = sorted.filter(({ id }) => !this.cards.get(id).element.hidden).length;
    write(this.count, wanted ? `${shown} of ${sorted.length}` : sorted.length ? "" : "None yet; runs of experiments are below.");
  }
}

/** What an installation without any simulation shows. */
function welcome(worlds, create) {
  return [
    h("h2", {}, "A town of your own"),
    h("p", {}, "Choose a world. Its people get up, go to work, remember, talk, and change their plans; you watch, and ask why."),
    h("p.quiet", {}, "The built-in model needs no key and costs nothing."),
    worldCards(worlds, create),
  ];
}
