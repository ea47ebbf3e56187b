/** The dialogs that rename and delete a simulation, and delete an experiment. */

import { ROOT } from "../api/simulation.js";
import { count, h, perform, write } from "../ui/dom.js";

const RETRY_MILLISECONDS = 1000;
const REST_SECONDS = 60; // a scheduler and the turns under way let go of a simulation within it

const addressIn = (kind, { id }) => `${ROOT}/${kind}/${id}`;

/**
 * Open a dialog with a form; it is closed when its command is done.
 * @param {HTMLDialogElement} dialog
 * @param {{title: string, parts: any[], verb: string, command: (outcome: HTMLElement) => Promise<any>, done: () => Promise<any>}} form
 */
function openForm(dialog, { title, parts, verb, command, done }) {
  const outcome = h("div", { role: "status" });
  const button = h("button.primary", { type: "submit" }, verb);
  const form = h("form.stack", { onsubmit: (event) => {
    event.preventDefault();
    perform(outcome, button, async () => {
      await command(outcome);
      dialog.close();
      await done();
      return "";
    });
  } }, h("h2", { id: "dialog-title" }, title), ...parts,
  h("div.row", {}, button, h("button", { type: "button", onclick: () => dialog.close() }, "Cancel")), outcome);
  dialog.replaceChildren(form);
  dialog.showModal();
}

export function openRenaming(dialog, client, about, done) {
  const name = h("input", { required: true, maxLength: 120, value: about.name });
  openForm(dialog, {
    title: "Rename the simulation", parts: [h("label", {}, "Name", name)], verb: "Rename", done,
    command: () => client.send(addressIn("simulations", about), { name: name.value.trim() }, "PATCH"),
  });
  name.select();
}

export function openDeletion(dialog, client, about, done) {
  const keep = h("input", { type: "checkbox" });
  const branches = h("label.choice", { hidden: true }, keep, "Keep the past that its forks share; nobody reads it but they");
  const isResting = about.status === "paused";
  openForm(dialog, {
    title: `Delete “${about.name}”?`, verb: "Delete", done,
    parts: [h("p", {}, `Its whole history is deleted, and cannot be had back.${isResting ? "" : " It is paused first."}`), branches],
    command: async (outcome) => {
      try {
        await deleteSimulation(client, about, keep.checked, outcome);
      } catch (error) {
        if (error.code === "has-branches") branches.hidden = false;
        throw error;
      }
    },
  });
}

/** Delete a simulation: one that runs is paused, and deleted when it rests. */
async function deleteSimulation(client, about, keepsBranches, outcome) {
  const address = addressIn("simulations", about);
  if (about.status !== "paused") await client.send(`${address}/pause`, { reason: "to be deleted" });
  for (let seconds = 0; ; seconds += 1) {
    try {
      return await client.send(`${address}?keep_branches=${keepsBranches}`, {}, "DELETE");
    } catch (error) {
      if (error.status === 404) return null; // it is gone already
      if (error.code !== "still-running" || seconds >= REST_SECONDS) throw error;
    }
    write(outcome, "Waiting until it rests …");
    await new Promise((wake) => setTimeout(wake, RETRY_MILLISECONDS));
  }
}

export function openExperimentDeletion(dialog, client, experiment, done) {
  const withRuns = h("input", { type: "checkbox", checked: true });
  openForm(dialog, {
    title: `Delete the experiment “${experiment.name}”?`, verb: "Delete", done,
    parts: [h("p", {}, "Its values and its report are deleted, and cannot be had back."),
      h("label.choice", {}, withRuns, "Delete the simulations of its runs too; without this they stay in the list")],
    command: async (outcome) => {
      const runs = withRuns.checked ? await client.list(`${ROOT}/simulations`, { experiment: experiment.id }) : [];
      const forksFirst = runs.toSorted((one, other) => Number(other.parent !== null) - Number(one.parent !== null));
      for (const [index, run] of forksFirst.entries()) {
        write(outcome, `Deleting ${index + 1} of ${count(runs.length, "run")} …`);
        await deleteSimulation(client, run, false, outcome);
      }
      await client.send(addressIn("experiments", experiment), {}, "DELETE");
    },
  });
}
