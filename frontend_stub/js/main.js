/** Starts the page: connects the application with the map, the panels, the controls and the list of simulations. */

import { Client } from "./api/client.js";
import { ROOT } from "./api/simulation.js";
import { App } from "./app.js";
import { LIST, addressOf, readHash, takeToken } from "./hash.js";
import { PageState } from "./state.js";
import { Controls } from "./time/controls.js";
import { count, find, occupy, write } from "./ui/dom.js";
import { showState } from "./ui/screen.js";

const token = takeToken();
const page = new PageState();
const client = new Client(readHash().api ?? "", token, (answers) => page.take({ kind: "reach", answers }));
const lastKey = `simulation of ${client.origin}`;

/** Import modules; those that do not come are those of a server that does not answer. */
async function load(importing) {
  try {
    return await importing();
  } catch (error) {
    if (error instanceof TypeError) throw client.unreachable();
    throw error;
  }
}

// The simulation is read while the modules that draw are loaded.
let drawing = null;
const app = new App(client, page, () => (drawing ??= load(() => import("./stage.js")).then(draw, (error) => {
  drawing = null;
  throw error;
})));
const controls = new Controls(app);

// Nobody opens a detail before the first picture: their modules are loaded after it.
const loadDetails = () => load(() => import("./details.js"));
const later = (name) => (place, ...parameters) => occupy(place, async () => (await loadDetails())[name](place, ...parameters));

function draw({ openStage }) {
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
  }, () => page.attempt("details", loadDetails, () => true));
}

find("welcome").hidden = localStorage.getItem("welcomed") === "yes";
// It has said what to do once the first click in a simulation is done.
addEventListener("click", function leave() {
  if (page.now.view !== "simulation") return;
  localStorage.setItem("welcomed", "yes");
  find("welcome").hidden = true;
  removeEventListener("click", leave);
});

/** Open a simulation, again after an outage; the list of simulations in place of one that is not there. */
function open(id) {
  return page.attempt("simulation", async () => {
    try {
      const opened = app.open(id);
      page.attempt("about", readAbout, () => app.api?.id === id);
      await opened;
      localStorage.setItem(lastKey, id);
    } catch (error) {
      if (error.status !== 404) throw error;
      await openList(readHash().simulation && new Error(`There is no simulation ${id} that this token may read.`));
    }
  }, () => app.api?.id === id);
}

async function readAbout() {
  const { api } = app;
  const about = await api.readNow();
  if (app.api === api) page.take({ kind: "about", about });
}

/** Show the list of simulations, with the reason that no simulation is open. */
async function openList(problem = null) {
  app.close();
  page.take({ kind: "view", view: "start" });
  history.replaceState(null, "", addressOf({ simulation: LIST }));
  if (problem) page.take({ kind: "outcome", of: "wanted", error: problem });
  await occupy(find("start"), async () => {
    const { openStartPage } = await load(() => import("./start/start_page.js"));
    await openStartPage(find("start"), page, client, created);
  });
}

/** Open a simulation that was created; its first run, if there is one, is a command like others. */
async function created(simulation, firstRun) {
  location.hash = addressOf({ simulation: simulation.id });
  await open(simulation.id);
  if (firstRun && app.api?.id === simulation.id) await controls.run(firstRun);
}

/** Without a simulation in the address: the last one of this browser, else the only one, else the list. */
async function openUsual() {
  const last = localStorage.getItem(lastKey);
  if (last) return open(last);
  const [simulations, experiments] = await Promise.all([
    client.list(`${ROOT}/simulations`, {}, 2), client.list(`${ROOT}/experiments`, {}, 1),
  ]);
  const isOnlyOne = simulations.length === 1 && !experiments.length;
  return isOnlyOne ? open(simulations[0].id) : openList();
}

/** A link within the page, such as one to a branch, opens what it names. */
function route() {
  const { simulation, agent, at, token: given } = readHash();
  if (given) location.reload();
  else if (simulation === LIST) openList();
  else if (!simulation) page.attempt("simulation", openUsual, () => !readHash().simulation);
  else if (simulation !== app.api?.id) open(simulation);
  else if (!app.isLoading) {
    if (at) page.attempt("moment", () => app.goTo(app.calendar.tickAt(at)));
    if (agent && app.town.agents.has(agent)) app.select("agent", agent);
  }
}

let asked = "accepted";
const enterToken = async () => (await load(() => import("./ui/token.js"))).askForToken(find("dialog"), page.now.token);
showState(page, enterToken);
page.follow(({ about, token: state, view }) => {
  if (about) {
    write(find("name"), about.name);
    const origin = about.experiment ? `run of ${about.experiment.name}` : about.parent && "fork";
    write(find("about"), [about.world, count(about.preparation.agents, "agent"), origin].filter(Boolean).join(" · "));
  }
  document.title = about && view === "simulation" ? `${about.name} · Smallville` : "Smallville";
  if (state !== "accepted" && state !== asked) enterToken();
  asked = state;
});
find("all").addEventListener("click", (event) => {
  event.preventDefault();
  location.hash = addressOf({ simulation: LIST });
});
addEventListener("hashchange", () => {
  if (page.now.token === "accepted") find("dialog").close(); // it belongs to what was shown
  route();
});
if (token) route();
else page.take({ kind: "token", token: "missing" });
