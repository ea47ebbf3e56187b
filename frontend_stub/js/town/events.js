/** The types of events that the page follows, and the kinds that the feed shows. */

/** What changes the picture. */
const DRAWN = [
  "agents.joined.v1", "agents.returned.v1", "agents.left.v1", "agents.walk-began.v1", "agents.action-began.v1",
  "agents.entry-tried.v1", "agents.door-knocked.v1", "agents.object-state-set.v1", "agents.object-state-left.v1",
  "agents.object-righted.v1", "dialogue.said.v1", "dialogue.talk-ended.v1",
];

/** What is only told. */
const TOLD = [
  "agents.noticed.v1", "agents.door-opened.v1", "dialogue.overheard.v1", "dialogue.agreed.v1", "dialogue.declined.v1",
  "dialogue.promised.v1", "reaction.decided.v1", "reflection.reflected.v1", "planning.day-outlined.v1", "memory.formed.v1",
  "simulation.inner-voice-given.v1", "simulation.observation-given.v1", "simulation.interview-given.v1",
  "simulation.specification-changed.v1", "embodiment.began.v1", "embodiment.ended.v1", "embodiment.action-request-answered.v1",
];

export const FOLLOWED = [...DRAWN, ...TOLD];
/** What is read again to play the past. */
export const PLAYED = DRAWN;
/** What fills the feed at the first view: all that it shows but memories, which are many. */
export const FEED_TYPES = [
  "dialogue.said.v1", "dialogue.talk-ended.v1", "dialogue.overheard.v1", "dialogue.agreed.v1", "dialogue.declined.v1", "dialogue.promised.v1", "reaction.decided.v1",
  "reflection.reflected.v1", "planning.day-outlined.v1", "agents.object-state-set.v1", "agents.object-righted.v1", "agents.door-knocked.v1",
  "agents.joined.v1", "agents.returned.v1", "agents.left.v1", "simulation.inner-voice-given.v1",
  "simulation.observation-given.v1", "simulation.interview-given.v1", "embodiment.began.v1", "embodiment.ended.v1",
];

/** The kinds of the feed, with the words of their filters and their colours (CSS properties). */
export const KINDS = {
  talk: { label: "Conversations", icon: "💬" },
  news: { label: "News", icon: "📣" },
  reaction: { label: "Reactions", icon: "⚡" },
  reflection: { label: "Reflections", icon: "💡" },
  plan: { label: "Plans", icon: "🗓" },
  world: { label: "Objects and doors", icon: "🚪" },
  user: { label: "Interventions", icon: "🖐" },
};
