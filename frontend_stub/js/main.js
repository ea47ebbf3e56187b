/** Starts the page: connects the application with the map, the panels and the controls. */

import { Client } from "./api/client.js";
import { listSimulations } from "./api/simulation.js";
import { App } from "./app.js";
import { readHash, takeToken } from "./hash.js";
import { askForToken } from "./ui/token.js";
import { find, h, showProblem } from "./ui/dom.js";

const token = takeToken();
const client = new Client(readHash().api ?? "", token);
// The simulation is read while the modules that draw are loaded.
const drawing = Promise.all([import("./stage.js"), import("./time/controls.js")]);
const app = new App(client, drawing.then(draw));

// Nobody opens a detail before the first picture: their modules are loaded after it.
let details;
const loadDetails = () => (details ??= import("./details.js").catch((error) => {
  details = undefined; // the next one to be opened tries again
  throw error;
}));
const later = (name) => async (place, ...parameters) => {
  try {
    return (await loadDetails())[name](place, ...parameters);
  } catch (error) {
    return showProblem(place, error);
  }
};

function draw([{ openStage }, { Controls }]) {
  openStage(app, {
    agentTabs: [
      { id: "plan", label: "Plan", open: later("openPlan") },
      { id: "memories", label: "Memories", open: later("openMemories") },
      { id: "mind", label: "Mind", open: later("openMind") },
      { id: "relations", label: "People", open: later("openRelations") },
      { id: "ask", label: "Talk", open: later("openAsk") },
    ],
    charts: [
      { id: "graph", label: "Conversations", show: later("showGraph") },
      { id: "news", label: "Spread of news", show: later("showNews") },
      { id: "activity", label: "Activity", show: later("showActivity") },
      { id: "costs", label: "Cost", show: later("showCosts") },
      { id: "plots", label: "Plots", show: later("showPlots") },
    ],
    openObject: later("openObject"),
  }, report, () => loadDetails().catch(report));
  new Controls(app);
}

find("simulations").addEventListener("change", (event) => open(event.target.value));
find("simulations").addEventListener("focus", () => showSimulations().catch(report));
find("welcome").hidden = localStorage.getItem("welcomed") === "yes";
// It has said what to do once the first click is done.
addEventListener("click", () => {
  localStorage.setItem("welcomed", "yes");
  find("welcome").hidden = true;
}, { once: true });

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

/** Open the simulation of the address while the list is read: neither needs the other. */
async function openWanted(id) {
  const [found, opened] = await Promise.allSettled([showSimulations(), app.open(id)]);
  if (found.status === "rejected") throw found.reason;
  if (opened.status === "fulfilled") return;
  if (found.value.some((about) => about.id === id)) throw opened.reason;
  app.api = null;
  throw new Error(`There is no simulation ${id} that this token may read. Choose one in the list.`);
}

async function start() {
  if (!token) {
    askForToken(find("dialog"), "The page needs a token to read a simulation.");
    return;
  }
  const wanted = readHash().simulation;
  if (wanted) await openWanted(wanted);
  else {
    const [newest] = await showSimulations();
    if (newest) await open(newest.id);
    else showProblem(find("problem"), new Error("There is no simulation yet: create one with POST /api/v1/simulations, or run `make run`."));
  }
}

app.on("connection", (problem) => { if (problem?.status) report(problem); });
start().catch(report);
