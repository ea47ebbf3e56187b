"""The representations of an agent: identity, summary, actions, known places."""

from typing import Any

from rest_framework import serializers

from apps.agents.models import ActionRow, AgentRow
from apps.agents.queries import KnownPlace
from apps.agents.track import Track
from apps.api.http.deprecation import deprecated_name_of
from apps.api.http.fields import Choice, Clock, GameTime, Position, Renaming, Tick
from apps.api.http.game_times import clock_of
from apps.api.http.simulation_context import SimulationContext
from apps.api.resources.world.tree import NODE_KINDS
from apps.kernel.game_time import FOREVER_TICK, MINUTES_PER_DAY
from apps.memory.summary.queries import CurrentSummary
from apps.world.node import NodeKind, segments_of

_KINDS = (NodeKind.TOWN, NodeKind.PLACE, NodeKind.AREA, NodeKind.OBJECT)


class DayHours(serializers.Serializer[Any]):
    """Usual hours, "06:00"; a bed time before the waking hour lies in the next day."""

    wake = serializers.CharField()
    sleep = serializers.CharField()
    dinner = serializers.CharField(allow_null=True)


class _Action(Renaming):
    """What every form of an action shows."""

    description = serializers.CharField()
    emoji = serializers.CharField()
    area = serializers.CharField(help_text="Empty while walking.")
    object = serializers.CharField(help_text="What is used; empty when nothing is.")
    towards = serializers.CharField(help_text="Where a walk leads; empty otherwise.")
    asleep = serializers.BooleanField()
    plan_item = serializers.IntegerField(
        allow_null=True, help_text="The plan item that is acted out."
    )
    from_ = GameTime(**deprecated_name_of("start_at"))
    until = GameTime(allow_null=True, **deprecated_name_of("due_at"))
    event = serializers.CharField(help_text="The event that it began with.")


class CurrentAction(_Action):
    """What an agent does: what follows "<name> is", where, with what, from when to when."""

    start_at = GameTime()
    start_tick = Tick()
    due_at = GameTime(allow_null=True, help_text="When it is due to end; null: when asked to.")
    due_tick = Tick(allow_null=True)


class Agent(serializers.Serializer[Any]):
    """A person, as a list shows them."""

    slug = serializers.CharField()
    name = serializers.CharField()
    age = serializers.IntegerField()
    traits = serializers.ListField(child=serializers.CharField())
    home = serializers.CharField(help_text="The area that they live in; empty for a visitor.")
    workplace = serializers.CharField(allow_null=True)
    position = Position(allow_null=True, help_text="Null once they have left town.")
    action = serializers.CharField(help_text='What follows "<name> is".')
    emoji = serializers.CharField()
    asleep = serializers.BooleanField()


class AgentDetail(Agent):
    """A person, whole."""

    bed = serializers.CharField()
    description = serializers.CharField(help_text="Each phrase is a memory they began with.")
    hours = DayHours()
    clock = Clock()
    current_action = CurrentAction(allow_null=True)


class Summary(Renaming):
    """Who a person is in words: identity, and three summaries of their memories (S1)."""

    name = serializers.CharField()
    age = serializers.IntegerField()
    traits = serializers.ListField(child=serializers.CharField())
    core = serializers.CharField(
        allow_null=True, help_text="Core characteristics; null before the first waking."
    )
    occupation = serializers.CharField(allow_null=True, help_text="Current daily occupation.")
    feeling = serializers.CharField(
        allow_null=True, help_text="Feeling about recent progress in life."
    )
    text = serializers.CharField(allow_null=True, help_text="All of it, as prompts have it.")
    since = GameTime(allow_null=True, **deprecated_name_of("updated_at"))
    due = GameTime(allow_null=True, **deprecated_name_of("due_at"))
    updated_at = GameTime(allow_null=True)
    updated_tick = Tick(allow_null=True)
    due_at = GameTime(allow_null=True, help_text="When it is renewed.")
    due_tick = Tick(allow_null=True)


class KnownNode(Renaming):
    """A node that a person knows, and what they last saw of it (W3)."""

    path = serializers.CharField()
    kind = Choice(choices=NODE_KINDS)
    state = serializers.CharField(allow_null=True, help_text="As last seen; null if never.")
    since = GameTime(**deprecated_name_of("updated_at"))
    updated_at = GameTime(help_text="When they last looked, or came to know of it.")
    updated_tick = Tick()


class TimelineEntry(_Action):
    """Something that an agent did; `end_at` is when it really ended, null while it goes on."""

    ended = GameTime(allow_null=True, **deprecated_name_of("end_at"))
    start_at = GameTime()
    start_tick = Tick()
    due_at = GameTime(allow_null=True, help_text="When it was due to end; null: when asked to.")
    due_tick = Tick(allow_null=True)
    end_at = GameTime(allow_null=True)
    end_tick = Tick(allow_null=True)


def show_agent(row: AgentRow, track: Track, context: SimulationContext) -> dict[str, Any]:
    """Return the values of `Agent`."""
    tile, action = track.tile_at(context.as_of_tick), track.action_at(context.as_of_tick)
    return {
        "slug": row.agent,
        "name": row.name,
        "age": row.age,
        "traits": row.traits,
        "home": row.home,
        "workplace": row.workplace,
        "position": None if tile is None else {"x": tile[0], "y": tile[1]},
        "action": action.description if action else "",
        "emoji": action.emoji if action else "",
        "asleep": bool(action and action.asleep),
    }


def detail_agent(row: AgentRow, track: Track, context: SimulationContext) -> dict[str, Any]:
    """Return the values of `AgentDetail`."""
    action = track.action_at(context.as_of_tick)
    return show_agent(row, track, context) | {
        "bed": row.bed,
        "description": row.description,
        "hours": {
            "wake": clock_of(row.wake_minute % MINUTES_PER_DAY),
            "sleep": clock_of(row.sleep_minute % MINUTES_PER_DAY),
            "dinner": None
            if row.dinner_minute is None
            else clock_of(row.dinner_minute % MINUTES_PER_DAY),
        },
        "clock": context.clock,
        "current_action": None if action is None else _told(action, context),
    }


def show_summary(
    row: AgentRow, found: CurrentSummary | None, context: SimulationContext
) -> dict[str, Any]:
    """Return the values of `Summary`."""
    return {
        "name": row.name,
        "age": row.age,
        "traits": row.traits,
        "core": found and found.core,
        "occupation": found and found.occupation,
        "feeling": found and found.feeling,
        "text": found and found.text,
        **context.moment("updated", found.from_tick if found else None),
        **context.moment("due", found.due_tick if found else None),
    }


def show_past_action(row: ActionRow, context: SimulationContext) -> dict[str, Any]:
    """Return the values of `TimelineEntry`."""
    return _told(row, context) | context.moment("end", _end_tick(row, context))


def show_known(place: KnownPlace, context: SimulationContext) -> dict[str, Any]:
    """Return the values of `KnownNode`."""
    return {
        "path": place.node,
        "kind": _KINDS[len(segments_of(place.node))].value,
        "state": place.state or None,
        **context.moment("updated", place.tick),
    }


def _told(action: Any, context: SimulationContext) -> dict[str, Any]:
    """Return the action, a row or one read from a track, as answers show it."""
    return {
        "description": action.description,
        "emoji": action.emoji,
        "area": action.area,
        "object": action.object,
        "towards": action.towards,
        "asleep": action.asleep,
        "plan_item": action.plan_item or None,
        **context.moment("start", action.from_tick),
        **context.moment(
            "due", action.until_tick if action.until_tick < FOREVER_TICK else None
        ),
        "event": action.event,
    }


def _end_tick(row: ActionRow, context: SimulationContext) -> int | None:
    is_over = row.to_tick is not None and row.to_tick <= context.as_of_tick
    return row.to_tick if is_over else None
