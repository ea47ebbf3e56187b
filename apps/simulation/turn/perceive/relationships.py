"""Inputs about the agent and another one: place, status, acquaintance, memories."""

from collections.abc import Sequence
from dataclasses import replace

from apps.agents.events import ActionKind, ActReported
from apps.agents.status import Acquaintance, AgentStatus, Agreement, LastTalk, PlannedTime
from apps.agents.track import Action
from apps.dialogue.commitments import commitment_of, still_open
from apps.dialogue.events import Agreed, AgreementEnded
from apps.eventlog.event import EventId
from apps.kernel.game_time import FOREVER_TICK, MINUTES_PER_DAY
from apps.kernel.language import noted, phrase
from apps.memory.events import RetrievalPurpose
from apps.memory.facts import STATEMENTS_PRINTED_MAX, relationship_texts, relationship_to
from apps.memory.items import StoredMemory
from apps.memory.retrieval import RankedMemory, Subject
from apps.planning.events import DayOutlined, HoursPlanned
from apps.planning.queries import planned_times
from apps.planning.rules import PlannedHour
from apps.simulation.turn.context.outcome import SpeakTo, Turn
from apps.simulation.turn.context.turn_context import TurnContext

# For so many days an agent has the end of an agreement in mind when it meets others.
ENDED_DAYS = 2
STREET = noted("the street")


def own_place(context: TurnContext) -> str:
    """Return the area that the agent is in, in words."""
    tree = context.tree
    return tree.words(context.area) if context.area else phrase(STREET)


def status_of(context: TurnContext, agent: str) -> AgentStatus:
    """Return what an agent in view is doing; of the own action also when it ends.

    What an agent out of view does is not known.
    """
    name, action = context.name_of(agent), context.view.action_of(agent)
    if action is None:
        return AgentStatus(agent_name=name, activity="")
    if _walks_inside(context, action):
        return AgentStatus(agent_name=name, activity=_goal_of_walk(context, agent, action))
    until = action.until_tick if agent == context.identity.slug else FOREVER_TICK
    is_bounded = context.tick < until < FOREVER_TICK
    return AgentStatus(
        agent_name=name,
        activity=action.description,
        until=context.calendar.time_at(until) if is_bounded else None,
    )


def _walks_inside(context: TurnContext, action: Action) -> bool:
    """Return whether an agent, here or in view here, walks to a node of the place around."""
    tree, here = context.tree, context.area
    if action.kind is not ActionKind.WALKING or not action.towards or not here:
        return False
    return tree.place_of(action.towards) == tree.place_of(here)


def _goal_of_walk(context: TurnContext, agent: str, action: Action) -> str:
    """Return what an agent walks for inside a place, which it has come to already.

    The agent itself knows what it is about to do; of another one the goal is seen.
    """
    planned = context.records.action
    is_own = agent == context.identity.slug
    if is_own and planned is not None and planned.number == action.plan_item:
        return phrase("about to begin {activity}", activity=planned.description)
    words = context.tree.words(action.towards)
    if action.towards == context.area:
        return phrase("walking about in {place}", place=words)
    return phrase("walking to {place}", place=words)


def acquaintance_with(context: TurnContext, other: str) -> Acquaintance:
    """Return what another agent is to this one, and their latest conversation.

    Phrases of the description say it where no relationship is known as a fact: the other agent
    has joined later.
    """
    name, home = context.name_of(other), _home_place(context, context.identity.slug)
    fact = relationship_to(context.records.facts, other)
    phrases = (known for known in context.description if name in known)
    return Acquaintance(
        facts=tuple(phrases)[:STATEMENTS_PRINTED_MAX]
        if fact is None
        else relationship_texts(fact, context.calendar.time_at),
        tie=None if fact is None else fact.tie,
        standing=None if fact is None else fact.standing,
        home=home if home == _home_place(context, other) else "",
        last_talk=_last_talk(context, other),
    )


def open_agreements(turn: Turn) -> tuple[Agreement, ...]:
    """Return the agreements that are open, as this turn leaves them."""
    agreed = {
        str(EventId(turn.tick, turn.identity.slug, ordinal)): new.event
        for ordinal, new in enumerate(turn.events)
        if isinstance(new.event, Agreed)
    }
    replaced = {event.replaces for event in agreed.values()}
    for new_event in turn.events:
        if isinstance(new_event.event, AgreementEnded):
            replaced.update(new_event.event.agreements)
    new = (commitment_of(key, event) for key, event in agreed.items() if not event.cancelled)
    known = (one for one in turn.records.commitments if one.event not in replaced)
    return tuple(one.with_names(turn.name_of) for one in still_open((*known, *new), turn.now))


def lately_ended(context: TurnContext) -> Sequence[StoredMemory]:
    """Return the memories of the agreements that have ended in the last ENDED_DAYS.

    The agent knows of them whatever a query retrieves, and speaks of them as past.
    """
    span = context.ticks_of(minutes=ENDED_DAYS * MINUTES_PER_DAY)
    return context.retrieval.ended(context.tick - span)


def day_outline(turn: Turn) -> tuple[PlannedTime, ...]:
    """Return the plan of the day in broad strokes, the changes of this turn included.

    From the first change on it has the planned hours instead of the chunks. Free time that
    nobody planned is no row of it.
    """
    outline: Sequence[PlannedHour] = turn.records.outline
    is_new = False
    for new in turn.events:
        match new.event:
            case DayOutlined(items=chunks):
                outline, is_new = chunks, True
            case HoursPlanned() if is_new:  # the hours of the new outline itself
                is_new = False
            case HoursPlanned(items=hours):
                kept = [
                    replace(one, to_tick=min(one.to_tick, hours[0].from_tick))
                    for one in outline
                    if one.from_tick < hours[0].from_tick
                ]
                outline = [*kept, *hours]
    planned = [one for one in outline if not (one.asleep or one.free)]
    return planned_times(planned, turn.calendar)


def coming_actions(turn: Turn) -> tuple[str, ...]:
    """Return the actions of this hour that have not begun, without the acts of this turn."""
    reports = (one.event for one in turn.events if isinstance(one.event, ActReported))
    over = {one.plan_item for one in reports if one.outcome.is_over}
    if isinstance(turn.intention, SpeakTo) and turn.intention.overtaken is not None:
        over.add(turn.intention.overtaken.plan_item)
    begun = {(one.hour, one.description) for one in turn.records.done}
    return tuple(
        action.description
        for action in turn.actions_ahead()
        if action.number not in over and (action.parent, action.description) not in begun
    )


def _home_place(context: TurnContext, agent: str) -> str:
    """Return the place in which the agent lives, "" for a visitor."""
    home = context.home_of(agent)
    return context.tree.place_of(home) if home else ""


def _last_talk(context: TurnContext, other: str) -> LastTalk | None:
    """Return the latest conversation with another agent that is over and remembered."""
    talk = context.records.last_talks.get(other)
    if talk is None:
        return None
    minutes = context.calendar.minutes_of(context.tick - talk.to_tick)
    return LastTalk(
        minutes_ago=int(minutes),
        gist=talk.gist,
        same_time_days=talk.same_time_days,
        said_today=talk.said_today,
        told=talk.told,
    )


def relationship_query(context: TurnContext, other: str) -> str:
    """Return the query for an agent's relationship with another one (X1)."""
    return phrase(
        "What is {name}'s relationship with {other}?",
        name=context.identity.name,
        other=context.name_of(other),
    )


def retrieve_relationship(
    context: TurnContext, other: str, purpose: RetrievalPurpose, *, token_budget: int
) -> list[RankedMemory]:
    """Return the memories of an agent's relationship with another one, best first (X1).

    The query asks for one thing, and old ties count as much as new ones.
    """
    return context.retrieval.retrieve(
        relationship_query(context, other),
        purpose,
        token_budget=token_budget,
        is_question=True,
        subject=Subject(slug=other, name=context.name_of(other)),
    )
