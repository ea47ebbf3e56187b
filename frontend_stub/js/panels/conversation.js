/** A conversation as a dialogue, with what each side remembers and agreed to. */

import { count, fill, h } from "../ui/dom.js";
import { clockOf, momentOf } from "../town/calendar.js";
import { readable } from "../town/world.js";
import { whyButton } from "./why.js";

/** Show one conversation in a place; its first speaker is on the right. */
export function showConversation(place, app, id) {
  place.scrollIntoView({ block: "nearest" });
  return fill(place, async () => {
    const talk = await app.api.read(`/conversations/${id}`);
    const names = (slugs) => slugs.map(app.nameOf).join(", ");
    const head = `${names(talk.participants)}${talk.by_phone ? ", by telephone" : talk.place ? `, ${readable(talk.place)}` : ""}`;
    return [h("div.card", {},
      h("div.row", {}, h("strong", {}, head), h("time", {}, momentOf(talk.start_at)), h("button.quiet", { type: "button", onclick: () => place.replaceChildren() }, "close")),
      h("ol.dialogue", {}, ...talk.utterances.map((said) => h(`li${said.agent === talk.opened_by ? ".is-self" : ""}`, {},
        h("b", {}, `${app.nameOf(said.agent)} `, h("time", {}, clockOf(said.time))), said.text, !app.isRecorded && whyButton(app, said.event)))),
      ...outcomes(talk, app))];
  });
}

function outcomes(talk, app) {
  const parts = [];
  if (talk.commitments.length) {
    parts.push(h("h3", {}, "What came of it"), h("ul", {}, ...talk.commitments.map((one) => h("li", {},
      `${app.nameOf(one.agent)} ${one.declined ? "declined to" : "agreed to"} ${one.activity}`))));
  }
  const remembering = talk.sides.filter((side) => side.remembers.length);
  if (remembering.length) {
    parts.push(h("details", {}, h("summary", {}, "What they remember"), ...remembering.map((side) => h("div", {},
      h("h3", {}, app.nameOf(side.agent)), h("ul.list", {}, ...side.remembers.map((memory) => h("li", {}, memory.description)))))));
  }
  return parts;
}

/** A list of conversations; one is unfolded below it. */
export function conversationList(app, talks, self = "") {
  const detail = h("div");
  const list = h("ul.list", {}, ...talks.map((talk) => {
    const others = talk.participants.filter((slug) => slug !== self).map(app.nameOf).join(" and ");
    return h("li", {}, h("button.quiet", { type: "button", onclick: () => showConversation(detail, app, talk.id) },
      `${momentOf(talk.start_at)} ${talk.by_phone ? "📞" : "💬"} ${others}`), h("span.quiet.small", {}, ` ${count(talk.utterance_count, "utterance")}`));
  }));
  return talks.length ? [detail, list] : [h("p.quiet", {}, "No conversation yet.")];
}
