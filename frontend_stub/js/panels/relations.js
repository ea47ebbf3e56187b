/** Whom an agent knows, and with whom it has talked. */

import { count, fill, h } from "../ui/dom.js";
import { momentOf } from "../town/calendar.js";
import { conversationList } from "./conversation.js";

export function openRelations(place, app, slug) {
  return fill(place, async () => {
    const [relations, talks] = await Promise.all([
      app.api.read("/relationships", { agent: slug, limit: 200 }),
      app.api.list("/conversations", { agent: slug, order: "-start_at" }, 100),
    ]);
    const known = relations.results.filter((one) => one.remembered).sort((one, other) => other.memory_count - one.memory_count);
    return [
      h("h3", {}, "Conversations"),
      ...conversationList(app, talks, slug),
      h("h3", {}, "Relationships"),
      known.length ? h("ul.list", {}, ...known.map((one) => row(app, slug, one))) : h("p.quiet", {}, "Knows nobody yet."),
    ];
  });
}

function row(app, slug, one) {
  const other = one.agent === slug ? one.other : one.agent;
  const marks = [one.tie, one.standing, count(one.memory_count, "memory", "memories"), count(one.conversation_count, "conversation")].filter(Boolean).join(" · ");
  return h("li", {},
    h("button.quiet", { type: "button", onclick: () => app.select("agent", other) }, app.nameOf(other)), h("span.quiet.small", {}, ` ${marks}`),
    one.latest_memory && h("p.small", {}, h("time", {}, momentOf(one.latest_memory.created_at)), ` ${one.latest_memory.description}`));
}
