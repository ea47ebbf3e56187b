/** The stage: connects an application with the map, the panels and the timeline, and paints its frames. */

import { MapView } from "./map/mapview.js";
import { SidePanel } from "./panels/side.js";
import { Timeline } from "./time/timeline.js";
import { find } from "./ui/dom.js";
import { listenToTheme } from "./ui/theme.js";

const COMPANY_TILES = 8;
const FRAME_SECONDS_MAX = 0.25; // a hidden tab does not jump ahead

/** @returns {import("./town/town.js").AgentView | undefined} of the agents that are awake, the one that talks, else the one with the most company */
function liveliest(agents) {
  const awake = [...agents].filter((agent) => !agent.asleep && agent.action);
  const company = (agent) => awake.filter(({ pose }) => Math.hypot(pose.x - agent.pose.x, pose.y - agent.pose.y) <= COMPANY_TILES).length;
  const life = awake.map((agent) => (agent.words ? awake.length + agent.words.tick : company(agent)));
  return awake[life.indexOf(Math.max(...life))];
}

/**
 * @param {import("./app.js").App} app
 * @param {import("./panels/side.js").Parts} parts of the side panel
 * @param {() => void} onFirstPicture
 */
export function openStage(app, parts, onFirstPicture = () => {}) {
  const theme = listenToTheme(find("theme"), () => { view.isStale = true; });
  const view = new MapView(find("map"), {
    onAgent: (slug) => app.select("agent", slug),
    onObject: (path) => app.select("object", path),
    onNothing: () => view.setFollowing(false),
    onFollowing: (following) => find("follow").setAttribute("aria-pressed", String(following)),
  });
  const side = new SidePanel(find("side"), app, view, parts);
  const timeline = new Timeline(find("timeline"), find("past"), app);

  app.on("world", () => {
    const { api } = app;
    app.page.attempt("map", () => view.open(app.map, app.world, (name) => api.image(name)), () => app.api === api);
  });
  app.on("ready", () => {
    const agent = app.selection.kind === "none" ? liveliest(app.town.agents.values()) : undefined;
    if (!agent) return;
    app.select("agent", agent.slug, false);
    view.setFollowing(true);
  });
  app.on("selection", () => {
    const agent = app.selection.kind === "agent" ? app.town.agents.get(app.selection.id) : undefined;
    const box = app.world?.objectByPath.get(app.selection.id);
    if (agent) view.camera.lookAt(agent.pose.x + 0.5, agent.pose.y + 0.5);
    else if (box) view.camera.lookAt(box.x + box.width / 2, box.y + box.height / 2);
    if (agent && app.isRecorded) view.setFollowing(true); // it plays too fast to look for an agent
  });

  find("zoom-in").addEventListener("click", () => view.camera.zoomBy(1.4));
  find("zoom-out").addEventListener("click", () => view.camera.zoomBy(1 / 1.4));
  find("zoom-fit").addEventListener("click", () => { view.setFollowing(false); view.camera.fit(); });
  find("follow").addEventListener("click", () => view.setFollowing(!view.following));

  let before = performance.now();
  function frame(now) {
    const began = performance.now();
    const seconds = Math.min((now - before) / 1000, FRAME_SECONDS_MAX);
    before = now;
    const isMoving = app.advance(seconds);
    const shown = app.playhead.shown;
    const painted = !app.isLoading && view.paint(app.town, {
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
    if (painted && !frames.firstAt) {
      frames.firstAt = performance.now();
      onFirstPicture();
    }
    requestAnimationFrame(frame);
  }

  /** For tests, for measurements, and for the developer tools of a browser. */
  const frames = { painted: 0, firstAt: 0, milliseconds: 0 };
  Object.assign(window, { smallville: { app, view, frames } });
  requestAnimationFrame(frame);
}
