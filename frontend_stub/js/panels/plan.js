/** The plan of the day, beside what was really done. */

import { fill, h } from "../ui/dom.js";
import { clockOf, dayOf } from "../town/calendar.js";
import { readable } from "../town/world.js";
import { whyButton } from "./why.js";

export function openPlan(place, app, slug) {
  return fill(place, async () => {
    const from = app.calendar.isoAt(app.calendar.dayStart(app.tick));
    const [plan, done] = await Promise.all([
      app.api.agent(slug, "/plan"),
      app.api.list(`/agents/${slug}/timeline`, { from, order: "-start_at" }, 200),
    ]);
    const now = plan.clock.tick;
    if (!plan.outline.length) return [h("p.quiet", {}, "There is no plan before the agent wakes."), ...doneList(app, done)];
    return [
      h("h3", {}, `Plan of ${dayOf(plan.day)}`),
      ...plan.outline.map((chunk) => h("details.card.plan-chunk", { open: chunk.start_tick <= now && now < chunk.end_tick },
        h("summary", {}, h("time", {}, `${clockOf(chunk.start_at)}–${clockOf(chunk.end_at)}`), ` ${chunk.description}`),
        h("ol.plan", {}, ...chunk.hours.flatMap((hour) => [line(hour, now), ...hour.actions.map((action) => line(action, now, true))])))),
      ...doneList(app, done),
    ];
  });
}

function line(item, now, isAction = false) {
  const state = item.start_tick <= now && now < item.end_tick ? ".is-now" : item.end_tick <= now ? ".is-past" : "";
  return h(`li${state}`, {}, h("time", {}, clockOf(item.start_at)), h("span", {}, isAction ? `· ${item.emoji} ${item.description}` : item.description,
    !isAction && item.place && h("small.quiet", {}, ` · ${readable(item.place)}`)));
}

function doneList(app, done) {
  const kept = done.filter((entry) => !entry.towards);
  if (!kept.length) return [];
  return [h("h3", {}, "What was done, latest first"), h("ol.list", {}, ...kept.slice(0, 60).map((entry) => h("li", {},
    h("time", {}, clockOf(entry.start_at)), ` ${entry.emoji} ${entry.description} `,
    !entry.plan_item && h("span.badge", {}, "not planned"), whyButton(app, entry.event))))];
}
