"""Company: agents that know each other in one room, of whom one at a time is asked (X1).

A situation such as a meal, a visit or a party is not stored. It holds as long as awake agents
that know each other are in one area, in view of each other. One of them at a time is asked
whether it says something, to whom and what: one call about all of them, within a budget of
calls an hour (ADR 98).
"""

from collections.abc import Sequence

from apps.agents.events import ActionKind
from apps.agents.phrases import MINUTES_PER_HOUR
from apps.agents.status import STRANGER
from apps.kernel.chance import draw
from apps.kernel.game_time import MINUTES_PER_DAY
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.perceive.relationships import acquaintance_with


def company_of(context: TurnContext) -> tuple[str, ...]:
    """Return the agents that the agent is in company with, nearest first; none outdoors.

    They are free to be spoken to.
    """
    if not (context.settings.situation_calls_per_hour and context.area):
        return ()
    if not context.settings.talk_utterances_max:
        return ()
    return tuple(
        other for _distance, other in context.view.agents_in_view() if _is_with(context, other)
    )


def _is_with(context: TurnContext, other: str) -> bool:
    action = context.view.action_of(other)
    if action is None or action.asleep or action.kind is ActionKind.KNOCKING:
        return False
    if context.map.area_at(context.view.tile_near(other)) != context.area:
        return False
    is_known = acquaintance_with(context, other) != STRANGER
    return is_known and context.conversations.talk_of(other) is None


def has_turn(context: TurnContext, others: Sequence[str]) -> bool:
    """Return whether the agent is the one of its company that may be asked at present.

    They take turns, in an order that begins anew each day. A turn is so long that the two of a
    pair are not both asked within the pause of decisions, and shorter the more there are.
    """
    if not others:
        return False
    day = context.tick // context.ticks_of(minutes=MINUTES_PER_DAY)
    members = sorted((context.identity.slug, *others))
    length = max(_interval(context), 2 * _longest(context) // len(members))
    turns = context.tick // length + draw(context.seed, "company", context.area, day)
    return members[turns % len(members)] == context.identity.slug


def is_asked(context: TurnContext, others: Sequence[str]) -> bool:
    """Return whether the agent is asked in this break of its own whether it says something."""
    if not context.is_action_over or context.records.hour_at(context.tick) is None:
        return False
    return has_turn(context, others) and _has_paused(context, others)


def _interval(context: TurnContext) -> int:
    """Return the ticks between two calls, at least."""
    calls = context.settings.situation_calls_per_hour
    return context.ticks_of(minutes=MINUTES_PER_HOUR / calls)


def _longest(context: TurnContext) -> int:
    """Return the ticks after which an agent is asked again at the latest."""
    return context.ticks_of(minutes=context.settings.reaction_pause_minutes)


def _has_paused(context: TurnContext, others: Sequence[str]) -> bool:
    """Return whether the silence has lasted for long enough that the agent is asked again.

    Asked in vain, it is silent until its day goes on with something else or somebody has come,
    but not for more than two of the pauses of decisions.
    """
    records, interval, longest = context.records, _interval(context), _longest(context)
    talks = (records.last_talks[one].to_tick for one in others if one in records.last_talks)
    asked_at = [records.decided_at.get(one, -1) for one in others]
    talked, asked = max(talks, default=-1), max(asked_at)
    if asked <= talked or context.tick - asked > 2 * longest:
        return talked < 0 or context.tick - talked >= interval
    has_come = any(max(at, talked) < context.tick - longest for at in asked_at)
    begun = (part.from_tick for part in records.outline if part.from_tick <= context.tick)
    is_new = has_come or max(begun, default=asked) > asked
    return is_new and context.tick - asked >= interval


def listeners(context: TurnContext, other: str) -> tuple[str, ...]:
    """Return whom words to one of the company reach, too: those of it that are near enough."""
    company, near = company_of(context), context.settings.hearing_distance
    if other not in company:
        return ()
    return tuple(
        one
        for distance, one in context.view.agents_in_view()
        if one in company and one != other and distance <= near
    )
