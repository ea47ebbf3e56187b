/** Forks: a branch of the simulation from the moment shown, with something changed in it. */

import { addressOf } from "../hash.js";
import { h, perform } from "../ui/dom.js";

/** @param {HTMLDialogElement} dialog @param {import("../app.js").App} app */
export function openForkDialog(dialog, app) {
  const at = app.calendar.isoAt(app.tick);
  const name = h("input", { required: true, maxLength: 120, value: `From ${at.slice(5, 16).replace("T", " ")}` });
  const agent = h("select", {}, h("option", { value: "" }, "nobody"),
    ...[...app.town.agents.values()].map((each) => h("option", { value: each.slug }, each.name)));
  const text = h("textarea", { placeholder: "You are too tired to give a party this year" });
  const button = h("button.primary", { type: "submit" }, "Create the branch");
  const outcome = h("div", { role: "status" });
  const form = h("form.stack", {},
    h("h2", { id: "dialog-title" }, `Fork at ${app.calendar.clock(app.tick)}`),
    h("p.quiet", {}, "The branch shares the past up to this moment and goes on by itself. This simulation does not change."),
    h("label", {}, "Name", name),
    h("label", {}, "Who has another thought", agent),
    h("label", {}, "The thought", text),
    h("div.row", {}, button, h("button", { type: "button", onclick: () => dialog.close() }, "Cancel")),
    outcome);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const interventions = agent.value && text.value ? [{ kind: "inner-voice", agent: agent.value, text: text.value }] : [];
    perform(outcome, button, async () => {
      const branch = await app.api.send("/forks", { at, name: name.value, ...(interventions.length && { interventions }) });
      const link = h("a", { href: addressOf({ simulation: branch.id }), onclick: () => dialog.close() }, "Open the branch");
      return h("p", {}, `“${branch.name}” is there, paused at ${branch.clock.time.slice(11, 16)}. `, link);
    });
  });
  dialog.replaceChildren(form);
  dialog.showModal();
}
