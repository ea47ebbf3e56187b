/** Summary, lasting facts, and reflections as trees that unfold to observations. */

import { fill, h } from "../ui/dom.js";
import { momentOf } from "../town/calendar.js";

export function openMind(place, app, slug) {
  return fill(place, async () => {
    const [summary, facts, reflections] = await Promise.all([
      app.api.agent(slug, "/summary"),
      app.api.read(`/agents/${slug}/facts`, { limit: 100, current: true }),
      app.api.read(`/agents/${slug}/reflections`, { limit: 30, order: "-created_at" }),
    ]);
    return [
      h("h3", {}, "Summary"),
      h("p.pre", {}, summary.text ?? "There is no summary yet."),
      ...factList(facts.results),
      h("h3", {}, "Reflections"),
      ...(reflections.results.length ? reflections.results.map(reflectionCard) : [h("p.quiet", {}, "No reflection yet: the importance of new memories adds up first.")]),
    ];
  });
}

function factList(facts) {
  if (!facts.length) return [];
  return [h("details", {}, h("summary", {}, `Lasting facts (${facts.length})`),
    h("ul.list", {}, ...facts.map((fact) => h("li", {}, h("span.badge", {}, fact.kind), ` ${(fact.statements ?? []).join("; ")}`))))];
}

function reflectionCard(reflection) {
  return h("details.card.tree", { open: true },
    h("summary", {}, momentOf(reflection.created_at), reflection.kind === "insights" ? "" : " · the day"),
    ...(reflection.questions.length ? [h("ul", {}, ...reflection.questions.map((question) => h("li.quiet", {}, question)))] : []),
    h("ul", {}, ...reflection.insights.map((insight) => branch(insight.memory))));
}

function branch(memory) {
  const words = [h(`span.badge.kind-${memory.kind}`, {}, memory.kind), ` ${memory.description} `, h("span.quiet.small", {}, `(${memory.importance})`)];
  if (!memory.because_of.length) return h("li", {}, ...words);
  return h("li", {}, h("details", {}, h("summary", {}, ...words), h("ul", {}, ...memory.because_of.map(branch))));
}
