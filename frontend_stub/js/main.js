/** Starts the page: connects the application with the map, the panels and the controls. */

import { Client } from "./api/client.js";
import { listSimulations } from "./api/simulation.js";
import { App } from "./app.js";
import { readHash, takeToken } from "./hash.js";
import { MapView } from "./map/mapview.js";
import { SidePanel } from "./panels/side.js";
import { Controls } from "./time/controls.js";
import { Timeline } from "./time/timeline.js";
import { askForToken } from "./ui/token.js";
import { find, h, showProblem } from "./ui/dom.js";
import { listenToTheme } from "./ui/theme.js";

const FRAME_SECONDS_MAX = 0.25; // a hidden tab does not jump ahead

const token = takeToken();
const client = new Client(readHash().api ?? "", token);
const app = new App(client);
const theme = listenToTheme(find("theme"), () => { view.isStale = true; });
const view = new MapView(find("map"), {
  onAgent: (slug) => app.select("agent", slug),
  onObject: (path) => app.select("object", path),
  onNothing: () => view.setFollowing(false),
  onFollowing: (following) => find("follow").setAttribute("aria-pressed", String(following)),
});
const side = new SidePanel(find("side"), app, view);
new Controls(app);
const timeline = new Timeline(find("timeline"), find("past"), app);

app.on("opened", () => {
  view.open(app.map, app.world, (name) => app.api.image(name)).catch(report);
});
app.on("selection", () => {
  const agent = app.selection.kind === "agent" ? app.town.agents.get(app.selection.id) : undefined;
  const box = app.world?.objectByPath.get(app.selection.id);
  if (agent) view.camera.lookAt(agent.pose.x + 0.5, agent.pose.y + 0.5);
  else if (box) view.camera.lookAt(box.x + box.width / 2, box.y + box.height / 2);
});

find("zoom-in").addEventListener("click", () => view.camera.zoomBy(1.4));
find("zoom-out").addEventListener("click", () => view.camera.zoomBy(1 / 1.4));
find("zoom-fit").addEventListener("click", () => { view.setFollowing(false); view.camera.fit(); });
find("follow").addEventListener("click", () => view.setFollowing(!view.following));
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

let before = performance.now();
function frame(now) {
  const began = performance.now();
  const seconds = Math.min((now - before) / 1000, FRAME_SECONDS_MAX);
  before = now;
  const isMoving = app.advance(seconds);
  const shown = app.playhead.shown;
  const painted = view.paint(app.town, {
    hour: app.calendar.hourAt(shown), tick: shown, dark: theme.isDark(),
    chosen: app.selection.kind === "agent" ? app.selection.id : "",
    object: app.selection.kind === "object" ? app.selection.id : "",
  }, isMoving);
  side.frame(now);
  timeline.frame(now);
  if (painted) {
    frames.painted += 1;
    frames.milliseconds += performance.now() - began;
  }
  if (painted && !frames.firstAt) frames.firstAt = performance.now();
  requestAnimationFrame(frame);
}

/** For tests and measurements, and for whoever looks at the page with the browser's tools. */
const frames = { painted: 0, firstAt: 0, milliseconds: 0 };
Object.assign(window, { smallville: { app, view, frames } });
app.on("problem", report);
app.on("connection", (problem) => { if (problem?.status) report(problem); });
requestAnimationFrame(frame);
start().catch(report);
