/** Starts the page: connects the application with the map, the panels and the controls. */

import { Client } from "./api/client.js";
import { listSimulations } from "./api/simulation.js";
import { App } from "./app.js";
import { readHash, takeToken } from "./hash.js";
import { openAsk } from "./panels/ask.js";
import { openMemories } from "./panels/memories.js";
import { openMind } from "./panels/mind.js";
import { openObject } from "./panels/object.js";
import { openPlan } from "./panels/plan.js";
import { openRelations } from "./panels/relations.js";
import { openStage } from "./stage.js";
import { showActivity } from "./charts/activity.js";
import { showCosts } from "./charts/costs.js";
import { showGraph } from "./charts/graph.js";
import { showNews } from "./charts/news.js";
import { showPlots } from "./charts/plots.js";
import { Controls } from "./time/controls.js";
import { askForToken } from "./ui/token.js";
import { find, h, showProblem } from "./ui/dom.js";

const token = takeToken();
const client = new Client(readHash().api ?? "", token);
const app = new App(client);
openStage(app, {
  agentTabs: [
    { id: "plan", label: "Plan", open: openPlan },
    { id: "memories", label: "Memories", open: openMemories },
    { id: "mind", label: "Mind", open: openMind },
    { id: "relations", label: "People", open: openRelations },
    { id: "ask", label: "Talk", open: openAsk },
  ],
  charts: [
    { id: "graph", label: "Conversations", show: showGraph },
    { id: "news", label: "Spread of news", show: showNews },
    { id: "activity", label: "Activity", show: showActivity },
    { id: "costs", label: "Cost", show: showCosts },
    { id: "plots", label: "Plots", show: showPlots },
  ],
  openObject,
}, report);
new Controls(app);

find("simulations").addEventListener("change", (event) => open(event.target.value));
find("simulations").addEventListener("focus", () => showSimulations().catch(report));
find("welcome").hidden = localStorage.getItem("welcomed") === "yes";
find("welcome-close").addEventListener("click", () => {
  localStorage.setItem("welcomed", "yes");
  find("welcome").hidden = true;
});

/** A link within the page, such as one to a branch, opens what it names. */
addEventListener("hashchange", () => {
  const { simulation, agent, at, token: given } = readHash();
  if (given) location.reload();
  else if (simulation && simulation !== app.api?.id) showSimulations().then(() => open(simulation)).catch(report);
  else if (app.api) {
    if (at) app.goTo(app.calendar.tickAt(at)).catch(report);
    if (agent && app.town.agents.has(agent)) app.select("agent", agent);
  }
});

function report(error) {
  showProblem(find("problem"), error);
  if (error.status === 401) askForToken(find("dialog"), error.message);
}

async function open(id) {
  find("problem").replaceChildren();
  find("simulations").value = id;
  try {
    await app.open(id);
  } catch (error) {
    report(error);
  }
}

function label(about) {
  return `${about.name} · ${about.clock.time.slice(5, 16).replace("T", " ")} · ${about.id.slice(0, 8)}`;
}

/** New simulations are there when the list is opened; nothing is asked for in between. */
async function showSimulations() {
  const found = await listSimulations(client);
  const selector = find("simulations");
  selector.replaceChildren(...found.map((about) => h("option", { value: about.id }, label(about))));
  if (app.api) selector.value = app.api.id;
  return found;
}

async function start() {
  if (!token) {
    askForToken(find("dialog"), "The page needs a token to read a simulation.");
    return;
  }
  const found = await showSimulations();
  const wanted = readHash().simulation;
  const first = found.find((about) => about.id === wanted) ?? (wanted ? undefined : found[0]);
  if (wanted && !first) throw new Error(`There is no simulation ${wanted} that this token may read. Choose one in the list.`);
  if (first) await open(first.id);
  else showProblem(find("problem"), new Error("There is no simulation yet: create one with POST /api/v1/simulations, or run `make run`."));
}

app.on("connection", (problem) => { if (problem?.status) report(problem); });
start().catch(report);
