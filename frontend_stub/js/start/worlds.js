/** Worlds as cards: the people who live there, and the way in. */

import { count, h } from "../ui/dom.js";
import { portrait } from "../ui/portrait.js";
import { dayOf } from "../town/calendar.js";

const FACES_MAX = 12;
const ADULT_AGE = 30; // the list of worlds has no ages

/** @returns {HTMLElement} the worlds, each with a button that creates a simulation in it */
export function worldCards(worlds, create) {
  return h("ul.cards", { "aria-label": "Worlds" }, ...worlds.map((world) => h("li.world", {},
    h("h3", {}, world.title),
    faces(world.agents),
    h("p", {}, world.description),
    h("p.quiet.small", {}, world.problem ?? `${count(world.agents.length, "agent")} · ${count(world.places.length, "place")} · begins on ${dayOf(world.start_at)} ${world.start_at.slice(0, 4)}`),
    h("button.primary", { type: "button", disabled: world.problem !== null, onclick: () => create(world.name) }, `Begin in ${world.title}`))));
}

function faces(names) {
  const more = names.length - FACES_MAX;
  return h("div.faces", { "aria-hidden": "true" }, ...names.slice(0, FACES_MAX).map((name) => portrait({ name, age: ADULT_AGE }, 30)), more > 0 && h("small.quiet", {}, `+${more}`));
}
