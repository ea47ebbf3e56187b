/** Starts the page on which people rank answers: one task after another, and the progress. */

import { find, h, showProblem } from "../ui/dom.js";
import { listenToTheme } from "../ui/theme.js";
import { RankingForm } from "./ranking_form.js";
import { RankingSession, openLink } from "./session.js";

const place = find("task");
const session = new RankingSession(openLink());
listenToTheme(find("theme"), () => {});
// The address behind `#` is that of the ranking: a link to an element would replace it.
find("skip").addEventListener("click", (event) => {
  event.preventDefault();
  place.focus();
});
await showNext();

/** Show the next task, or the end. After a submission `last` is the task just ranked. */
async function showNext(last = null) {
  place.setAttribute("aria-busy", "true");
  try {
    if (session.missing) {
      return place.replaceChildren(h("p.problem", { role: "alert" }, h("strong", {}, `This link is not complete: it lacks ${session.missing}.`), " Open it again as you received it, with all that follows the #."));
    }
    const next = await session.next();
    const children = [progress(next)];
    if (last) children.push(h("p.row", {}, h("button.quiet", { onclick: () => change(last, next) }, "Change the ranks that you have just submitted")));
    if (!next.task) {
      const done = h("h2", { tabIndex: -1 }, next.tasks ? "You have ranked all questions. Thank you." : "There is nothing to rank here.");
      place.replaceChildren(...children, done);
      done.focus();
    } else {
      showTask(next.task, next.agent_name, children, Boolean(last));
    }
  } catch (error) {
    showProblem(place, error);
    place.append(h("p.row", {}, h("button", { onclick: () => showNext(last) }, "Try again")));
  } finally {
    place.removeAttribute("aria-busy");
  }
}

/** Show a task; after another one, its question gets the focus, so that it is read aloud. */
function showTask(task, agentName, above, takesFocus) {
  const form = new RankingForm(task, {
    agentName,
    memories: session.memoriesOf(task),
    onSubmit: async (ranks, reason) => {
      const ranked = await session.submit(task.id, ranks, reason);
      await showNext({ task: ranked, agentName });
      return "";
    },
  });
  place.replaceChildren(...above, form.element);
  if (takesFocus) form.heading.focus();
  scrollTo(0, 0);
}

function change(last, next) {
  showTask(last.task, last.agentName, [progress(next)], true);
}

function progress({ ranked, tasks }) {
  const label = h("label.quiet", { for: "progress" }, `${ranked} of ${tasks} questions ranked`);
  return h("div.progress", {}, label, h("progress", { id: "progress", max: Math.max(tasks, 1), value: ranked }));
}
