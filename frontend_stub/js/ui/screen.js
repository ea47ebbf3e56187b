/** Draws what a state of the page puts on the screen: connection, words, message, and which controls can work. */

import { screenOf } from "../state.js";
import { find, h, prose, write } from "./dom.js";

/**
 * @param {import("../state.js").PageState} page
 * @param {() => void} enterToken is called by the button of a message
 */
export function showState(page, enterToken = () => {}) {
  let shown = "";
  page.follow((state) => {
    const screen = screenOf(state);
    document.body.dataset.view = state.view;
    const key = JSON.stringify(screen.message);
    if (key !== shown) find("problem").replaceChildren(...messageOf(screen.message, enterToken));
    shown = key;
    if (find("connection")) showControls(screen);
  });
}

function messageOf(message, enterToken) {
  if (!message) return [];
  const button = message.action === "token" && h("button", { type: "button", onclick: enterToken }, "Enter a token");
  return [h("div.problem.row", {}, h("p", {}, h("strong", {}, ...prose(message.text)), ...prose(message.remedy && ` ${message.remedy}`)), button)];
}

function showControls({ connection, words, run, step, choice, progress }) {
  find("connection").dataset.level = connection.level;
  write(find("connection-words"), connection.text);
  write(find("status"), words);
  write(find("run"), run.text);
  find("run").classList.toggle("primary", run.isPrimary);
  enable(find("run"), run.why);
  enable(find("step"), step.why, "Run one minute, then pause");
  enable(find("pace"), choice.why, "Pace");
  enable(find("until"), choice.why, "Pause at this time of the day; empty: do not pause");
  const bar = find("progress");
  bar.hidden = !progress;
  if (progress) Object.assign(bar, progress);
}

function enable(control, why, title = "") {
  control.disabled = why !== "";
  if (control.title !== (why || title)) control.title = why || title;
}
