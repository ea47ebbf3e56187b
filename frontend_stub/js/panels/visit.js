/** A visit: a user enters the town as a person of their own and speaks to an agent. */

import { h, perform } from "../ui/dom.js";

/** The visit of this page, if there is one. @type {{id: number, slug: string, name: string, log: HTMLElement} | null} */
let visit = null;

export function visitForm(app, slug, name) {
  const outcome = h("div", { role: "status" });
  const card = h("form.card.stack", { "aria-label": "Visit" });
  const build = () => card.replaceChildren(h("strong", {}, visit ? `You are ${visit.name}` : `Visit ${name}`), ...(visit ? speaking(app, slug, name, outcome) : entering(app, slug, outcome)), outcome);
  card.addEventListener("submit", (event) => {
    event.preventDefault();
    perform(outcome, card.querySelector("button[type=submit]"), async () => {
      const words = visit ? await speak(app, slug, card) : await enter(app, slug, card);
      build();
      return words;
    });
  });
  card.addEventListener("leave", () => {
    perform(outcome, card.querySelector("button.leave"), async () => {
      await app.api.send(`/embodiments/${visit.id}`, {}, "DELETE");
      visit = null;
      build();
      return "You have left. What they remember of you stays.";
    });
  });
  build();
  return card;
}

function entering(app, slug) {
  const agent = app.town.agents.get(slug);
  const place = (agent?.place ?? "").split(": ").slice(0, 2).join(": ");
  return [
    h("p.quiet.small", {}, "You come to town as a person. The simulation must run at a pace; nobody appears in a home."),
    h("label", {}, "Your name", h("input", { name: "name", required: true, value: "Ada Finch", maxLength: 40 })),
    h("label", {}, "About you", h("textarea", { name: "description", maxLength: 2000 }, "Ada Finch writes a book about small towns")),
    h("label", {}, "Arrive at", h("input", { name: "place", value: place, maxLength: 300 })),
    h("div.row", {}, h("button", { type: "submit" }, "Come to town")),
  ];
}

async function enter(app, slug, card) {
  const fields = new FormData(card);
  const body = { name: fields.get("name"), description: fields.get("description"), reason: "from the page" };
  const place = fields.get("place").trim();
  const begun = await app.api.send("/visitors", place ? { ...body, place } : body);
  visit = { id: begun.id, slug: begun.agent, name: body.name, log: h("ol.dialogue", { "aria-live": "polite" }) };
  listen(app);
  return "You arrive with the next tick. Say something when you stand near somebody.";
}

let isListening = false;

/** What is said to and by the visitor comes by the stream. */
function listen(app) {
  if (isListening) return;
  isListening = true;
  app.on("events", (blocks) => {
    for (const { name, data } of blocks) {
      if (name !== "" || !visit) continue;
      const isOwn = data.stream === visit.slug;
      if (data.type === "dialogue.said.v1" && (isOwn || data.data.to === visit.slug)) {
        visit.log.append(h(`li${isOwn ? ".is-self" : ""}`, {}, h("b", {}, app.nameOf(data.stream)), data.data.text));
      } else if (data.type === "embodiment.action-request-answered.v1" && data.data.outcome === "refused") {
        visit.log.append(h("li.quiet", {}, `That was not possible: ${data.data.why || data.data.code}`));
      }
    }
  });
}

function speaking(app, slug, name) {
  const leave = h("button.leave", { type: "button", onclick: (event) => event.target.closest("form").dispatchEvent(new Event("leave")) }, "Leave town");
  return [visit.log, h("label", {}, `To ${name}`, h("textarea", { name: "text", required: true, maxLength: 1000, placeholder: `Good morning, ${name}!` })),
    h("div.row", {}, h("button.primary", { type: "submit" }, "Say"),
      h("button", { type: "button", onclick: (event) => approach(app, slug, event.target) }, `Go to ${name}`), leave)];
}

async function speak(app, slug, card) {
  const text = new FormData(card).get("text");
  await app.api.send(`/embodiments/${visit.id}/actions`, { say: { text, to: slug } });
  return "Said as soon as you may speak.";
}

function approach(app, slug, button) {
  const outcome = button.closest("form").lastElementChild;
  perform(outcome, button, async () => {
    await app.api.send(`/embodiments/${visit.id}/actions`, { with_agent: { kind: "look for", agent: slug, minutes: 30 } });
    return "You walk there.";
  });
}
