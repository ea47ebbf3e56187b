/** Why something happened: the provenance of an event, as far as the log tells it. */

import { fill, h } from "../ui/dom.js";
import { clockOf } from "../town/calendar.js";
import { entryOf } from "../town/words.js";

/** @returns {HTMLElement} a part that shows the reasons of an event when it is unfolded */
export function whyButton(app, event, label = "Why?") {
  const place = h("div");
  const details = h("details.small", {}, h("summary", {}, label), place);
  details.addEventListener("toggle", () => { if (details.open && !place.childNodes.length) showWhy(place, app, event); });
  return details;
}

/** Show the reasons of an event, as of the moment of the reads that named it. */
export function showWhy(place, app, event, api = app.api.asOfNow()) {
  return fill(place, async () => {
    const why = await api.provenance(event);
    const planned = await provenanceOfPlan(api, why);
    return [
      h("ol.chain", { "aria-label": "Reasons, the nearest first" }, ...reasons(app, why)),
      ...retrievals(app, why.retrievals.length ? why.retrievals : planned?.retrievals ?? []),
      ...evidence(why.evidence),
      ...prompts(why.model_calls.length ? why.model_calls : planned?.model_calls ?? []),
    ];
  });
}

/** An action follows from a plan; the memories of the plan are those of the event that made it. */
async function provenanceOfPlan(api, why) {
  if (why.retrievals.length) return null;
  const sources = [why.plan?.action?.event, why.plan?.hour?.event, why.plan?.outline?.event];
  for (const event of new Set(sources.filter((each) => each && each !== why.event.id))) {
    const found = await api.provenance(event);
    if (found.retrievals.length) return found;
  }
  return null;
}

function reasons(app, why) {
  const steps = [];
  const add = (title, text, time) => steps.push(h("li", {}, h("b", {}, title), time ? h("time", {}, `${time} `) : null, text));
  const { reaction, plan } = why;
  if (reaction && reaction.id !== why.event.id) add("Reaction", entryOf(reaction, app.nameOf)?.text ?? reaction.data.choice, clockOf(reaction.time));
  for (const cause of why.causes) {
    if (cause.id === reaction?.id) continue;
    add("Cause", entryOf(cause, app.nameOf)?.text ?? describe(app, cause), clockOf(cause.time));
  }
  if (plan?.action) add("Planned action", plan.action.description, span(plan.action));
  if (plan?.hour) add("Part of the hour", plan.hour.description, span(plan.hour));
  if (plan?.outline) add("Part of the day", plan.outline.description, span(plan.outline));
  if (!steps.length) add("No recorded cause", "It follows from the rules of the simulation, such as the end of a walk.");
  return steps;
}

const span = ({ start_at: start, end_at: end }) => `${clockOf(start)}–${clockOf(end)}`;

function describe(app, event) {
  const { data, stream, type } = event;
  if (data.description) return `${app.nameOf(stream)}: ${data.description}`;
  if (data.sights) return `${app.nameOf(stream)} noticed: ${data.sights.map((sight) => sight.description).join("; ")}`;
  return `${app.nameOf(stream)} ${DONE[type] ?? `· ${type}`}`;
}

/** What an event is when the feed has no words for it. @type {Record<string, string>} */
const DONE = {
  "planning.actions-planned.v1": "planned the actions of the hour",
  "planning.hours-planned.v1": "planned the hours of the day",
  "agents.turned-away.v1": "was turned away",
  "agents.act-reported.v1": "saw how an act ended",
  "dialogue.talk-ended.v1": "ended a conversation",
  "dialogue.overheard.v1": "overheard a conversation",
  "memory.retrieved.v1": "remembered something",
  "self_summary.renewed.v1": "thought about who they are",
};

function retrievals(app, found) {
  return found.slice(0, 3).flatMap((retrieval) => [
    h("h3", {}, "Memories that came to mind"),
    h("p.quiet.small", {}, `for “${retrieval.query}”`),
    h("ol.list", {}, ...retrieval.memories.slice(0, 5).map(scoredMemory)),
    retrieval.memories.length > 5 ? h("details.small", {}, h("summary", {}, `${retrieval.memories.length - 5} more`),
      h("ol.list", {}, ...retrieval.memories.slice(5).map(scoredMemory))) : "",
  ]);
}

/** A memory with the three parts of its score as bars, each from 0 to 1. */
export function scoredMemory(memory) {
  return h("li", {},
    h("p", {}, h(`span.badge.kind-${memory.kind}`, {}, memory.kind), ` ${memory.description}`),
    h("details.small", {}, h("summary", {}, `score ${memory.score.toFixed(2)}`),
      ...Object.entries(memory.parts).map(([part, { scaled }]) => {
        const bar = h("i");
        bar.style.width = `${Math.round(Math.min(1, Math.max(0, scaled)) * 100)}%`;
        return h("div.bar-line", {}, part, h("span.track", {}, bar), scaled.toFixed(2));
      })));
}

function evidence(memories) {
  if (!memories.length) return [];
  return [h("h3", {}, "Evidence"), h("ul.list", {}, ...memories.map((memory) => h("li", {}, memory.description)))];
}

function prompts(calls) {
  if (!calls.length) return [];
  return [h("h3", {}, "What the model was asked"), ...calls.slice(0, 3).map((call) => h("details.card", {},
    h("summary", {}, `${call.task} · ${call.prompt_tokens + call.completion_tokens} tokens · ${call.outcome}`),
    h("p.quiet.small", {}, `${call.model}, ${clockOf(call.time)}`),
    ...call.messages.flatMap((message) => [h("h3", {}, message.role), h("pre", {}, message.content)]),
    h("h3", {}, "answer"), h("pre", {}, JSON.stringify(call.answer, null, 2))))];
}
