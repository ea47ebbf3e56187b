/** Talking with an agent: an interview, an inner voice, or a visit. */

import { count, h, perform } from "../ui/dom.js";
import { visitForm } from "./visit.js";

export function openAsk(place, app, slug) {
  if (place.dataset.slug === slug && place.querySelector("form")) return;
  place.dataset.slug = slug;
  const name = app.nameOf(slug).split(" ")[0];
  place.replaceChildren(interviewForm(app, slug, name), voiceForm(app, slug, name), visitForm(app, slug, name));
}

function interviewForm(app, slug, name) {
  const question = h("textarea", { required: true, maxLength: 1000, placeholder: "What are you doing today, and why?" });
  const persona = h("input", { maxLength: 200, value: "a reporter" });
  const button = h("button.primary", { type: "submit" }, "Ask");
  const answers = h("div", { "aria-live": "polite" });
  const problem = h("div");
  return h("form.card.stack", { "aria-label": "Interview", onsubmit: (event) => {
    event.preventDefault();
    perform(problem, button, async () => {
      const asked = await app.api.interview(slug, question.value, persona.value);
      answers.prepend(answerCard(name, asked));
      question.value = "";
      return "";
    });
  } },
  h("strong", {}, `Interview ${name}`),
  h("p.quiet.small", {}, "Nobody remembers it, and nothing changes. In the past, the answer is that of the moment shown."),
  h("label", {}, "Question", question), h("label", {}, "You are", persona), h("div.row", {}, button), problem, answers);
}

function answerCard(name, asked) {
  return h("div", {},
    h("ol.dialogue", {}, h("li.is-self", {}, h("b", {}, asked.persona), asked.question), h("li", {}, h("b", {}, name), asked.answer ?? "No answer.")),
    h("details.small", {}, h("summary", {}, `${count(asked.memories.length, "memory", "memories")} behind the answer`),
      h("ul.list", {}, ...asked.memories.map((memory) => h("li", {}, h(`span.badge.kind-${memory.kind}`, {}, memory.kind), ` ${memory.description}`)))));
}

function voiceForm(app, slug, name) {
  const text = h("textarea", { required: true, maxLength: 1000, placeholder: "You are going to run for mayor in the upcoming election" });
  const button = h("button", { type: "submit" }, "Give the inner voice");
  const outcome = h("div", { role: "status" });
  return h("form.card.stack", { "aria-label": "Inner voice", onsubmit: (event) => {
    event.preventDefault();
    perform(outcome, button, async () => {
      await app.api.send(`/agents/${slug}/inner-voice`, { text: text.value, reason: "from the page" });
      text.value = "";
      return h("p", {}, `Given. ${name} hears it in the next turn; the feed shows what comes of it.`);
    });
  } },
  h("strong", {}, `Be the inner voice of ${name}`),
  h("p.quiet.small", {}, `${name} takes it for an own thought, decides, and plans the rest of the day again.`),
  h("label", {}, "Thought", text), h("div.row", {}, button), outcome);
}
