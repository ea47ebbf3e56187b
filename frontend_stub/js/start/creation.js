/** The dialog that creates a simulation: its world, agents, model and seed, with the estimate of a day before. */

import { ROOT } from "../api/simulation.js";
import { count, fill, h, perform, write } from "../ui/dom.js";

const MORNING = "06:55:00"; // the agents of Smallville get up then
const ESTIMATE_MILLISECONDS = 300;

/**
 * @param {HTMLDialogElement} dialog
 * @param {import("../api/client.js").Client} client
 * @param {any[]} worlds
 * @param {(simulation: any, firstRun: object | null) => Promise<void>} created
 * @param {string} chosen the name of a world; "" for the first
 */
export function openCreation(dialog, client, worlds, created, chosen = "") {
  const usable = worlds.filter((world) => world.problem === null);
  const world = h("select", { onchange: () => showWorld() }, ...usable.map(({ name, title }) => h("option", { value: name, selected: name === chosen }, title)));
  const about = h("p.quiet.small");
  const name = h("input", { required: true, maxLength: 120 });
  const agents = h("ul.choices");
  const summary = h("summary");
  const model = h("select", { onchange: () => showEstimate() });
  const seed = h("input", { type: "number", min: 0, step: 1, placeholder: "random" });
  const budget = h("input", { type: "number", min: 1, step: 1, placeholder: "no limit" });
  const night = h("input", { type: "checkbox", checked: true });
  const estimate = h("div.estimate", { role: "status" });
  const outcome = h("div", { role: "status" });
  const button = h("button.primary", { type: "submit" }, "Create the simulation");

  const worldChosen = () => usable.find((each) => each.name === world.value);
  const boxes = () => [...agents.querySelectorAll("input")];
  const names = () => boxes().filter((box) => box.checked).map((box) => box.value);

  function showWorld() {
    const { title, description, agents: people } = worldChosen();
    write(about, description);
    name.value = title;
    agents.replaceChildren(...people.map((each) => h("li", {}, h("label.choice", {}, h("input", { type: "checkbox", checked: true, value: each, onchange: showAgents }), each))));
    showAgents();
  }

  function showAgents() {
    const chosenNames = names();
    write(summary, chosenNames.length === boxes().length ? `All ${count(boxes().length, "agent")}` : `${chosenNames.length} of ${count(boxes().length, "agent")}`);
    boxes()[0].setCustomValidity(chosenNames.length ? "" : "Choose an agent");
    showEstimate();
  }

  let timer;
  function showEstimate() {
    clearTimeout(timer);
    timer = setTimeout(() => fill(estimate, async () => {
      if (!names().length) return [h("p", {}, "Choose an agent.")];
      return estimateOf(await client.get(`${ROOT}/costs/estimate`, { world: world.value, model: model.value, agents: names().length }));
    }), ESTIMATE_MILLISECONDS);
  }

  async function create() {
    const all = names().length === boxes().length;
    const body = {
      name: name.value.trim(), world: world.value, ...(model.value && { model: model.value }), ...(seed.value && { seed: Number(seed.value) }),
      ...(!all && { agents: names() }), ...(budget.value && { budget: { tokens: Number(budget.value) } }),
    };
    const simulation = await client.send(`${ROOT}/simulations`, body);
    const morning = `${simulation.clock.time.slice(0, 11)}${MORNING}`;
    dialog.close();
    await created(simulation, night.checked && morning > simulation.clock.time ? { until: morning, pace: null } : null);
    return "";
  }

  const setAll = (checked) => () => { for (const box of boxes()) box.checked = checked; showAgents(); };
  const form = h("form.stack.creation", { onsubmit: (event) => { event.preventDefault(); perform(outcome, button, create); } },
    h("h2", { id: "dialog-title" }, "A new simulation"),
    h("label", {}, "World", world), about,
    h("label", {}, "Name", name),
    h("details", {}, summary, h("div.row", {}, h("button.quiet", { type: "button", onclick: setAll(true) }, "All"), h("button.quiet", { type: "button", onclick: setAll(false) }, "None")), agents),
    h("label", {}, "Model", model),
    h("div.pair", {}, h("label", {}, "Seed", seed), h("label", {}, "At most, in tokens", budget)),
    h("label.choice", {}, night, "Let the first night pass at once, until 06:55"),
    estimate, outcome,
    h("div.row", {}, button, h("button", { type: "button", onclick: () => dialog.close() }, "Cancel")));
  dialog.replaceChildren(form);
  dialog.showModal();
  showWorld();
  fill(outcome, async () => {
    const models = await client.list(`${ROOT}/models`);
    model.replaceChildren(...models.map((offer) => h("option", { value: offer.model, selected: offer.is_default }, `${offer.model} (${priceOf(offer)})`)));
    showEstimate();
    return [];
  });
  name.select();
}

/** @returns {string} the price of a model, in words */
function priceOf({ price }) {
  if (!price) return "price not known";
  return price.prompt || price.completion ? `${price.prompt} and ${price.completion} per million tokens` : "costs nothing";
}

/** @returns {Node[]} calls, tokens and cost of the first day */
function estimateOf({ agent_count: agents, total, models }) {
  const figure = (value, label) => h("div", {}, h("b", {}, value), label);
  const { is_priced: isPriced, price } = models;
  const cost = total.cost ? total.cost.toLocaleString("en-GB", { maximumFractionDigits: 2 }) : "nothing";
  const tokens = total.prompt_tokens + total.completion_tokens;
  return [h("h3", {}, `The first day of ${count(agents, "agent")}, estimated`), h("div.figures", {},
    figure(total.calls.toLocaleString("en-GB"), "calls"),
    figure(`${(tokens / 1e6).toLocaleString("en-GB", { maximumSignificantDigits: 2 })} million`, "tokens"),
    figure(isPriced ? cost : "not known", isPriced && price.as_of ? `cost, prices of ${price.as_of}` : "cost"))];
}
