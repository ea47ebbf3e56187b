/** The words of the feed: one entry for each event that a user wants to know of. */

import { dayOf } from "./calendar.js";
import { inSentence } from "./world.js";

const INSIGHTS_SHOWN = 2;
export const MEMORIES_AFTER = 10_000; // entries of memories stand behind those of events of the same tick

/**
 * @typedef {{id: string, tick: number, kind: string, icon: string, agents: string[], text: string, object?: string, conversation?: string, words?: string, isAgreement?: boolean, isMemory?: boolean}} Entry
 */

/**
 * @param {any} event an event of the log
 * @param {(slug: string) => string} nameOf
 * @returns {Entry | null} null for an event that the feed does not show
 */
export function entryOf(event, nameOf) {
  const words = WORDS[event.type]?.(event.data, nameOf(event.stream), nameOf, event);
  if (!words) return null;
  return { id: event.id, tick: event.tick, agents: [event.stream], ...words };
}

/** @returns {Entry} the entry of what an agent remembers of a conversation; the same for its event and for its memory */
function heardEntry(agent, number, tick, description, nameOf) {
  return {
    id: `${tick}/${agent}/${MEMORIES_AFTER + number}`, tick, agents: [agent], kind: "news", icon: "📣", isMemory: true,
    text: `${nameOf(agent)} remembers: ${description}`,
  };
}

/** @returns {Entry} the entry of an agent that has noticed what a user has set */
export function noticedEntry(event, sight, nameOf) {
  return {
    id: event.id, tick: event.tick, agents: [event.stream], kind: "world", icon: "👀", object: sight.subject,
    text: `${nameOf(event.stream)} noticed ${inSentence(sight.subject)}: ${sight.description}`,
  };
}

/** @returns {string} "Isabella, Klaus and Maria" */
export const names = (list) => (list.length > 2 ? `${list.slice(0, -1).join(", ")} and ${list.at(-1)}` : list.join(" and "));

/** @type {Record<string, (data: any, name: string, nameOf: (slug: string) => string, event: any) => any>} */
const WORDS = {
  "dialogue.said.v1": (data, name, nameOf, event) => ({
    kind: "talk", icon: data.by_phone ? "📞" : "💬", conversation: data.conversation, words: data.text,
    agents: [event.stream, ...(data.participants?.length ? data.participants : [data.to])],
    text: `${name} to ${names((data.participants?.length ? data.participants : [data.to]).map(nameOf))}: “${data.text}”`,
  }),
  "dialogue.agreed.v1": (data, name, nameOf, event) => ({
    kind: "news", icon: "🤝", isAgreement: true, agents: [event.stream, data.other], conversation: data.conversation,
    text: `${name} agreed with ${nameOf(data.other)} to ${data.activity}, on ${dayOf(data.day)} at ${minutes(data.from_minute)}${data.place ? `, ${data.place}` : ""}`,
  }),
  "dialogue.declined.v1": (data, name, nameOf, event) => ({
    kind: "news", icon: "🙅", isAgreement: true, agents: [event.stream, data.other], conversation: data.conversation,
    text: `${name} declined to ${data.activity}`,
  }),
  "dialogue.promised.v1": (data, name, nameOf, event) => ({
    kind: "news", icon: "🤞", isAgreement: true, agents: [event.stream, data.other], conversation: data.conversation,
    text: `${name} promised ${nameOf(data.other)} to pass on: ${data.what}`,
  }),
  "memory.formed.v1": (data, _name, nameOf, event) => (data.kind === "dialogue"
    ? heardEntry(event.stream, data.number, event.tick, data.description, nameOf) : null),
  "reaction.decided.v1": (data, name, nameOf, event) => (data.choice === "go on" ? null : {
    kind: "reaction", icon: "⚡", agents: [event.stream],
    text: `${name} reacted to ${subjectOf(data.about, nameOf)}: ${data.choice === "act" && data.what ? data.what : `${data.choice}${data.what ? ` (${data.what})` : ""}`}`,
  }),
  "reflection.reflected.v1": (data, name) => ({
    kind: "reflection", icon: "💡",
    text: `${name} reflected${insightsOf(data.insights.map((insight) => insight.statement))}`,
  }),
  "planning.day-outlined.v1": (data, name) => ({ kind: "plan", icon: "🗓", text: `${name} planned ${dayOf(data.day)} in ${data.items.length} parts` }),
  "agents.object-state-set.v1": (data, _name, _nameOf, event) => ({
    kind: "user", icon: "🖐", object: data.object, agents: [],
    text: `${data.by ?? event.data.by ?? "A user"} set ${inSentence(data.object)}: ${data.state}`,
  }),
  "agents.object-righted.v1": (data, name) => ({ kind: "world", icon: "🔧", object: data.object, text: `${name} dealt with ${inSentence(data.object)}` }),
  "agents.door-knocked.v1": (data, name) => ({ kind: "world", icon: "🚪", text: `${name} knocked at the door of ${data.node}` }),
  "agents.door-opened.v1": (data, name, nameOf) => ({ kind: "world", icon: "🚪", text: `${name} opened the door of ${data.node} to ${nameOf(data.visitor)}` }),
  "agents.joined.v1": (data, _name, _nameOf, event) => (event.tick > 0 ? { kind: "user", icon: "👋", text: `${data.name} came to town` } : null),
  "agents.returned.v1": (_data, name) => ({ kind: "user", icon: "👋", text: `${name} came back` }),
  "agents.left.v1": (_data, name) => ({ kind: "user", icon: "👋", text: `${name} left` }),
  "simulation.inner-voice-given.v1": (data, _name, nameOf) => ({
    kind: "user", icon: "🖐", agents: [data.agent], text: `${data.by} gave ${nameOf(data.agent)} an inner voice: “${data.text}”`,
  }),
  "simulation.observation-given.v1": (data, _name, nameOf) => ({
    kind: "user", icon: "🖐", agents: [data.agent], text: `${data.by} told ${nameOf(data.agent)}: ${data.text}`,
  }),
  "simulation.interview-given.v1": (data, _name, nameOf) => ({
    kind: "user", icon: "🎤", agents: [data.agent], text: `${data.by} asked ${nameOf(data.agent)}: “${data.question}”`,
  }),
  "embodiment.began.v1": (data, _name, nameOf) => ({ kind: "user", icon: "🎮", agents: [data.agent], text: `${data.by} acts as ${nameOf(data.agent)}` }),
  "embodiment.ended.v1": (data, _name, nameOf) => ({ kind: "user", icon: "🎮", agents: [data.agent], text: `${data.by} no longer acts as ${nameOf(data.agent)}` }),
};

/** The first insights; all of them are in the mind of the agent. */
function insightsOf(statements) {
  if (!statements.length) return " without a new insight";
  const more = statements.length - INSIGHTS_SHOWN;
  return `: ${statements.slice(0, INSIGHTS_SHOWN).join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

function subjectOf(about, nameOf) {
  return about.includes(": ") ? inSentence(about) : nameOf(about);
}

function minutes(count) {
  return `${String(Math.floor(count / 60) % 24).padStart(2, "0")}:${String(count % 60).padStart(2, "0")}`;
}
