/** Starts the page of a recording: the same application, with a client that answers from the file. */

import { App } from "../app.js";
import { showGraph } from "../charts/graph.js";
import { readHash } from "../hash.js";
import { conversationList } from "../panels/conversation.js";
import { openObject } from "../panels/object.js";
import { openPlan } from "../panels/plan.js";
import { openStage } from "../stage.js";
import { PageState } from "../state.js";
import { fill, find } from "../ui/dom.js";
import { showState } from "../ui/screen.js";
import { RecordedClient } from "./client.js";
import { RecordedControls } from "./controls.js";
import { readRecording } from "./recording.js";

const page = new PageState();

/** What an agent has said by the moment shown. */
const openSaid = (place, app, slug) => fill(place, async () => conversationList(app, await app.api.list("/conversations", { agent: slug }), slug));

async function start() {
  const recording = await readRecording(find("history"));
  const app = new App(new RecordedClient(recording), page);
  app.span = { from: recording.from, to: recording.to };
  openStage(app, {
    agentTabs: [{ id: "plan", label: "Plan", open: openPlan }, { id: "said", label: "Said", open: openSaid }],
    charts: [{ id: "graph", label: "Conversations", show: showGraph }],
    openObject,
  });
  const controls = new RecordedControls(app);
  const { at } = readHash();
  await app.open("recording");
  if (!at) await app.goTo(recording.from);
  Object.assign(window.smallville, { controls, recording });
}

showState(page);
page.attempt("recording", start);
