"""Writes the conversations of a history as episodes of Sotopia.

The folders are those of Sotopia's storage in local files (`~/.sotopia/data`): episodes, the
profiles of their agents and of their environments. The sentences around the words of the
agents are those of Sotopia's own episodes; it takes them apart. The goal of the first speaker
is its reason for the conversation; those of others are not known. No episode is rated.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from apps import history
from apps.agents.models import AgentRow
from apps.agents.status import TieKind
from apps.archives.exports import EXPORTERS, ExportedFile
from apps.dialogue.models import TalkRow
from apps.dialogue.queries import utterances_of
from apps.dialogue.utterances import Spoken
from apps.django_support.keyset import pages_of
from apps.history import SimulationRow
from apps.history.conversations import participants_of
from apps.kernel.game_time import GameCalendar
from apps.kernel.text import join_and
from apps.memory.events import FactKind
from apps.memory.queries import current_facts

UNKNOWN = "Unknown"
ENVIRONMENT = "Environment"
NOTHING = "did nothing"
LEFT = "left the conversation"
TALKS_PER_PAGE = 100

Json = dict[str, Any]
Message = tuple[str, str, str]


class Relationship(IntEnum):
    """Sotopia's `RelationshipType`."""

    STRANGER = 0
    KNOW_BY_NAME = 1
    ACQUAINTANCE = 2
    FRIEND = 3
    ROMANTIC_RELATIONSHIP = 4
    FAMILY_MEMBER = 5


_RELATIONSHIPS = {
    TieKind.PARTNER: Relationship.ROMANTIC_RELATIONSHIP,
    TieKind.PARENT: Relationship.FAMILY_MEMBER,
    TieKind.CHILD: Relationship.FAMILY_MEMBER,
    TieKind.SIBLING: Relationship.FAMILY_MEMBER,
    TieKind.RELATIVE: Relationship.FAMILY_MEMBER,
    TieKind.FRIEND: Relationship.FRIEND,
    TieKind.BY_NAME: Relationship.KNOW_BY_NAME,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Member:
    """An agent in a conversation; `goal` is UNKNOWN unless it has opened it for a reason."""

    row: AgentRow
    goal: str
    has_left: bool

    @property
    def name(self) -> str:
        return self.row.name


@dataclass(frozen=True, slots=True, kw_only=True)
class _Episode:
    """A conversation with its members, the first speaker first.

    `acquainted` are the pairs (agent, other) of slugs in which the agent knows the other.
    """

    conversation: str
    scenario: str
    members: Sequence[_Member]
    utterances: Sequence[Spoken]
    relationship: Relationship
    acquainted: frozenset[tuple[str, str]]


@EXPORTERS.register(
    "sotopia",
    description="The conversations as episodes, with profiles of agents, for Sotopia.",
)
def sotopia_files(row: SimulationRow) -> Iterator[ExportedFile]:
    """Yield the profiles of the agents, then environment and episode of each conversation."""
    names = history.names_of_agents(row.pk, as_of_tick=row.committed_tick)
    agents = {slug: history.get_agent(row.pk, slug) for slug in names}
    calendar = history.calendar_of(row.pk)
    for agent in agents.values():
        yield _file("AgentProfile", _key(row, agent.agent), _agent_profile(row, agent))
    talks = history.list_conversations(row.pk, as_of_tick=row.committed_tick)
    for page in pages_of(talks.order_by("from_tick", "agent"), TALKS_PER_PAGE):
        ids = [talk.conversation for talk in page]
        members = history.members_of(row.pk, ids, as_of_tick=row.committed_tick)
        for talk in page:
            with_agents = [agents[slug] for slug in members[talk.conversation]]
            episode = _read_episode(row, talk, with_agents, calendar)
            key = _key(row, talk.conversation.replace("/", "-"))
            yield _file("EnvironmentProfile", key, _environment_profile(row, episode))
            yield _file("EpisodeLog", key, _episode_log(row, key, episode))


def _file(model: str, key: str, values: Json) -> ExportedFile:
    content = json.dumps({"pk": key, **values}, ensure_ascii=False, indent=1)
    return ExportedFile(name=f"{model}/{key}.json", pieces=iter([content.encode()]))


def _key(row: SimulationRow, name: str) -> str:
    """Return a primary key and file name, unique among several simulations in a folder."""
    return f"{row.pk}-{name}"


def _read_episode(
    row: SimulationRow, talk: TalkRow, agents: Sequence[AgentRow], calendar: GameCalendar
) -> _Episode:
    tick = row.committed_tick
    utterances = utterances_of(row.pk, talk.conversation, as_of_tick=tick)
    parts = participants_of(row.pk, talk.conversation, as_of_tick=tick)
    left = {one.agent for one in parts if one.to_tick is not None and one.to_tick <= tick}
    slugs = [agent.agent for agent in agents]
    ties = history.related_pairs(row.pk, slugs, as_of_tick=talk.from_tick - 1)
    relationships = [
        _RELATIONSHIPS.get(fact.tie, Relationship.ACQUAINTANCE)
        for fact in ties.values()
        if fact.tie is not None
    ]
    opening = next((one.intent for one in utterances if one.number == 1), "")
    return _Episode(
        conversation=talk.conversation,
        scenario=_scenario(row, talk, agents, calendar),
        members=[
            _Member(
                row=agent,
                goal=opening if agent.agent == talk.agent and opening else UNKNOWN,
                has_left=agent.agent in left,
            )
            for agent in agents
        ],
        utterances=utterances,
        relationship=max(relationships, default=Relationship.STRANGER),
        acquainted=frozenset(ties),
    )


def _scenario(
    row: SimulationRow, talk: TalkRow, agents: Sequence[AgentRow], calendar: GameCalendar
) -> str:
    tracks = history.tracks(
        row.pk, from_tick=talk.from_tick, to_tick=talk.from_tick, agents=[talk.agent]
    )
    action = tracks[talk.agent].action_at(talk.from_tick)
    where = f" at {action.area}" if action is not None and action.area else ""
    how = " on the telephone" if talk.by_phone else where
    time = calendar.time_at(talk.from_tick)
    return f"{join_and([agent.name for agent in agents])} talk{how}, {time:%Y-%m-%d %H:%M}."


def _agent_profile(row: SimulationRow, agent: AgentRow) -> Json:
    first, _, last = agent.name.rpartition(" ")
    facts = current_facts(row.pk, agent.agent, as_of_tick=row.committed_tick)
    occupation = [one for one in facts if one.kind is FactKind.OCCUPATION]
    return {
        "first_name": first,
        "last_name": last,
        "age": agent.age,
        "occupation": ". ".join(text for one in occupation for text in one.statements),
        "public_info": ". ".join(agent.seeds),
        "personality_and_values": ", ".join(agent.traits),
        "model_id": row.model["chat_model"],
        "tag": str(row.pk),
    }


def _environment_profile(row: SimulationRow, episode: _Episode) -> Json:
    return {
        "codename": episode.conversation,
        "source": row.world,
        "scenario": episode.scenario,
        "agent_goals": [member.goal for member in episode.members],
        "relationship": episode.relationship,
        "tag": str(row.pk),
    }


def _episode_log(row: SimulationRow, key: str, episode: _Episode) -> Json:
    model = row.model["chat_model"]
    return {
        "environment": key,
        "agents": [_key(row, member.row.agent) for member in episode.members],
        "tag": str(row.pk),
        "models": [model] * (1 + len(episode.members)),
        "messages": list(_turns(episode)),
        "reasoning": "",
        "rewards": [0.0 for _ in episode.members],
        "rewards_prompt": "",
    }


def _turns(episode: _Episode) -> Iterator[list[Message]]:
    """Yield the turns: a message of the environment to each agent, then the act of each agent.

    One agent speaks in a turn. In the last turn those leave that have left the conversation.
    """
    names = {member.row.agent: member.name for member in episode.members}
    told: Mapping[str, str] = {
        member.name: f"\n{_context(episode, member)}\nConversation Starts:\n"
        for member in episode.members
    }
    for number, said in enumerate(episode.utterances):
        speaker, words = names[said.agent], f'said: "{said.text}"'
        yield [
            *((ENVIRONMENT, name, text) for name, text in told.items()),
            *((name, ENVIRONMENT, words if name == speaker else NOTHING) for name in told),
        ]
        told = dict.fromkeys(told, f"Turn #{number}: {speaker} {words}\n")
    yield [
        *((ENVIRONMENT, name, text) for name, text in told.items()),
        *(
            (one.name, ENVIRONMENT, LEFT if one.has_left else NOTHING)
            for one in episode.members
            if any(other.has_left for other in episode.members)
        ),
    ]


def _context(episode: _Episode, viewer: _Member) -> str:
    """Return what an agent knows before the conversation, in Sotopia's form."""
    names = [member.name for member in episode.members]
    backgrounds = (
        f"{one.name}'s background: {_background(episode, viewer, one)}"
        for one in episode.members
    )
    goals = (
        f"{one.name}'s goal: {one.goal if one is viewer else UNKNOWN}"
        for one in episode.members
    )
    lines = [
        "Here is the context of this interaction:",
        f"Scenario: {episode.scenario}",
        f"Participants: {join_and(names)}",
        *backgrounds,
        *goals,
    ]
    return "\n".join(lines) + "\n"


def _background(episode: _Episode, viewer: _Member, one: _Member) -> str:
    is_known = one is viewer or (viewer.row.agent, one.row.agent) in episode.acquainted
    return ". ".join(one.row.seeds) if is_known else UNKNOWN
