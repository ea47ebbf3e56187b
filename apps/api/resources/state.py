"""The state of a simulation: everything that a front end draws."""

from collections import defaultdict
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.agents.track import Movement, Track
from apps.api.http.deprecation import deprecated_name_of
from apps.api.http.fields import (
    Choice,
    Clock,
    GameTime,
    Position,
    Renaming,
    Tick,
    plain_list_of,
)
from apps.api.http.simulation_context import SimulationContext, clock_at
from apps.api.http.simulation_views import SimulationView
from apps.dialogue import queries as dialogue_queries
from apps.kernel.game_time import FOREVER_TICK
from apps.simulation.models import Status
from apps.simulation.queries import WorldChanged
from apps.simulation.snapshot.world_snapshot import WorldSnapshot, read_world_snapshot
from apps.world.tree import NodeKind


class Inhabitant(Renaming):
    """A person: where they are, what they are doing."""

    name = serializers.CharField()
    slug = serializers.CharField()
    position = Position()
    path = plain_list_of("Position", help_text="The tiles still to be walked, one a tick.")
    action = serializers.CharField(help_text='What follows "<name> is".')
    emoji = serializers.CharField()
    place = serializers.CharField(
        help_text='In words: the object used, else the area, else the town: "Hobbs Cafe: cafe: '
        'counter".'
    )
    until = GameTime(allow_null=True, **deprecated_name_of("due_at"))
    due_at = GameTime(allow_null=True, help_text="When the action is due to end.")
    due_tick = Tick(allow_null=True)
    asleep = serializers.BooleanField()
    talking_with = serializers.CharField(allow_null=True, help_text="A slug.")


class ObjectState(serializers.Serializer[Any]):
    """An object that is not idle."""

    path = serializers.CharField()
    state = serializers.CharField()
    used_by = serializers.ListField(child=serializers.CharField(), help_text="Slugs.")


class LastWords(Renaming):
    """What was said last in a conversation."""

    by = serializers.CharField(**deprecated_name_of("agent"))
    text = serializers.CharField()
    at = GameTime(**deprecated_name_of("time"))
    agent = serializers.CharField(help_text="The slug of the speaker.")
    tick = Tick()
    time = GameTime()


class Conversation(serializers.Serializer[Any]):
    """A conversation in progress."""

    id = serializers.CharField()
    participants = serializers.ListField(child=serializers.CharField(), help_text="Slugs.")
    last = LastWords()


class State(serializers.Serializer[Any]):
    """A town at its settled tick."""

    clock = Clock()
    status = Choice(choices=Status.choices)
    agents = Inhabitant(many=True)
    objects = ObjectState(many=True)
    conversations = Conversation(many=True)


class TownState(SimulationView):
    """The state of a simulation at its committed tick."""

    errors: ClassVar = {"GET": (WorldChanged,)}

    @extend_schema(
        operation_id="getState",
        summary="Everything that a front-end draws, at the settled tick",
        tags=["town"],
        responses={200: State},
    )
    def get(self, _request: Request, **_names: str) -> Response:
        """Show the town."""
        return Response(State(state_of(self.context)).data)


def state_of(context: SimulationContext) -> dict[str, Any]:
    """Return the values of `State`."""
    constants = context.constants()
    tick = context.as_of_tick
    town = read_world_snapshot(
        context.id, world=constants.world, seed=constants.seed, from_tick=tick, to_tick=tick
    )
    return {
        "clock": context.clock,
        "status": context.row.status,
        "agents": [
            _inhabitant(context, town, track)
            for track in town.tracks.values()
            if track.tile_at(tick) is not None
        ],
        "objects": _objects_not_idle(town, tick),
        "conversations": _open_conversations(context, town),
    }


def position_of(tile: tuple[int, int]) -> dict[str, int]:
    """Return the tile as answers show it."""
    return {"x": tile[0], "y": tile[1]}


def place_in_words(town: WorldSnapshot, agent: str, tick: int) -> str:
    """Return the place of an agent: the object used, else its area, else the world."""
    action = town.tracks[agent].action_at(tick)
    used = action.object if action else ""
    return used or town.area_of(agent, tick) or town.world.name


def _inhabitant(
    context: SimulationContext, town: WorldSnapshot, track: Track
) -> dict[str, Any]:
    tick = context.as_of_tick
    tile, action = track.tile_at(tick), track.action_at(tick)
    talk = town.talk_of(track.agent, tick)
    assert tile is not None, "an agent that is shown stands on a tile"
    return {
        "name": track.name,
        "slug": track.agent,
        "position": position_of(tile),
        "path": [position_of(step) for step in _steps_left(track.movement_at(tick), tick)],
        "action": action.description if action else "",
        "emoji": action.emoji if action else "",
        "place": place_in_words(town, track.agent, tick),
        **context.moment(
            "due", action.until_tick if action and action.until_tick < FOREVER_TICK else None
        ),
        "asleep": bool(action and action.asleep),
        "talking_with": None if talk is None else talk.other,
    }


def _steps_left(movement: Movement | None, tick: int) -> tuple[tuple[int, int], ...]:
    if movement is None:
        return ()
    return movement.steps[tick - movement.from_tick + 1 :]


def _open_conversations(
    context: SimulationContext, town: WorldSnapshot
) -> list[dict[str, Any]]:
    """Return the open conversations with the last utterance of each."""
    tick = context.as_of_tick
    standing = [talk for talks in town.talks.values() for talk in talks if talk.stands_at(tick)]
    participants: dict[str, set[str]] = defaultdict(set)
    for talk in standing:
        participants[talk.conversation] |= {talk.agent, talk.other}
    last = dialogue_queries.last_words(context.id, participants, as_of_tick=tick)
    return [
        {
            "id": conversation,
            "participants": sorted(participants[conversation]),
            "last": {
                "agent": last[conversation].agent,
                "text": last[conversation].text,
                **clock_at(context.calendar, last[conversation].tick),
            },
        }
        for conversation in sorted(participants)
    ]


def _objects_not_idle(town: WorldSnapshot, tick: int) -> list[dict[str, Any]]:
    tree = town.world.tree
    nodes = {*town.uses, *town.set_states}
    things = sorted(node for node in nodes if tree.node(node).kind is NodeKind.OBJECT)
    found = []
    for path in things:
        state = town.state_of(path, tick)
        if state != tree.node(path).idle_state:
            used_by = [use.agent for use in town.holders_of(path, tick)]
            found.append({"path": path, "state": state, "used_by": used_by})
    return found
