/** The panel of an object: its state, who uses it, and a form to set its state. */

import { fill, h, perform } from "../ui/dom.js";
import { momentOf } from "../town/calendar.js";
import { readable } from "../town/world.js";
import { entryOf } from "../town/words.js";

const PRESENT = " It is set in the present; to change the past, fork from here.";

export function openObject(panel, app, path) {
  const now = h("div");
  const history = h("div");
  panel.replaceChildren(h("div.head", {}, h("div", {}, h("h2", {}, path.split(": ").at(-1)), h("p.quiet", {}, readable(path)))), now, app.isRecorded ? "" : stateForm(app, path), h("h3", {}, "What happened to it"), history);
  fill(now, async () => {
    const { objects } = await app.api.read("/state");
    const found = objects.find((each) => each.path === path);
    const users = (found?.used_by ?? []).map((slug) => h("button.quiet", { type: "button", onclick: () => app.select("agent", slug) }, app.nameOf(slug)));
    return [h("div.card.now", {}, h("strong", {}, found ? found.state : "idle"), h("p.quiet.small", {}, users.length ? "used by " : "used by nobody", ...users))];
  });
  return fill(history, async () => {
    const types = ["agents.object-state-set.v1", "agents.object-righted.v1", "agents.object-state-left.v1"];
    const events = await app.api.list("/events", { type: types, search: path, order: "-tick" }, 50);
    const rows = events.filter((event) => event.data.object === path);
    if (!rows.length) return [h("p.quiet", {}, "Nobody has set its state.")];
    return [h("ol.list", {}, ...rows.map((event) => h("li", {}, h("time", {}, momentOf(event.time)), " ",
      entryOf(event, app.nameOf)?.text ?? `${app.nameOf(event.stream)} left it: ${event.data.state}`)))];
  });
}

function stateForm(app, path) {
  const state = h("input", { required: true, maxLength: 200, placeholder: "burning", list: "object-states" });
  const alarming = h("input", { type: "checkbox" });
  const button = h("button.primary", { type: "submit" }, "Set the state");
  const outcome = h("div", { role: "status" });
  return h("form.card.stack", { "aria-label": "State of the object", onsubmit: (event) => {
    event.preventDefault();
    perform(outcome, button, async () => {
      await app.api.send("/objects/state", { object: path, state: state.value, reason: "from the page", ...(alarming.checked && { alarming: true }) });
      return h("p", {}, "Set. The next agent that sees it decides what to do.");
    });
  } },
  h("strong", {}, "Set its state"),
  h("p.quiet.small", {}, `It holds until an agent that has reacted to it has acted on it.${app.isLive ? "" : PRESENT}`),
  h("label", {}, "It is …", state),
  h("datalist", { id: "object-states" }, ...["burning", "broken", "leaking", "full of flowers"].map((value) => h("option", { value }))),
  h("div.row", {}, h("span.row", {}, alarming, labelFor(alarming, "It is a danger (wakes sleepers)")), button), outcome);
}

function labelFor(field, text) {
  field.id = "object-alarming";
  return h("label", { for: field.id }, text);
}
