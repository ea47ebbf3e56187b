"""The state of a simulation: everything that a front end draws."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.agents.queries import ages_of_agents
from apps.agents.track import Track
from apps.api.http.fields import (
    Choice,
    Clock,
    GameTime,
    Position,
    Serializer,
    Tick,
    plain_list_of,
)
from apps.api.http.simulation_views import SimulationView
from apps.api.http.value_serializers import serializer_of
from apps.api.http.views import operation
from apps.api.resources.agents import show_action
from apps.history.visible_state import OpenConversation, VisibleObject, read_visible_state
from apps.simulation.models import Status
from apps.simulation.queries import WorldChanged
from apps.simulation.snapshot.world_snapshot import WorldSnapshot


class Inhabitant(Serializer):
    """An agent: its position and its action."""

    name = serializers.CharField()
    age = serializers.IntegerField(help_text="In years.")
    slug = serializers.CharField()
    position = Position()
    path = plain_list_of("Position", help_text="The tiles still to be walked, one a tick.")
    action = serializers.CharField(help_text='Continues the sentence "<name> is".')
    emoji = serializers.CharField()
    place = serializers.CharField(
        help_text='The object used, else the area, else the world: "Hobbs Cafe: cafe: counter".'
    )
    due_tick = Tick(allow_null=True, help_text="The planned end of the action.")
    asleep = serializers.BooleanField()
    talking_with = serializers.CharField(allow_null=True, help_text="A slug.")


ObjectState = serializer_of(VisibleObject, "ObjectState")


class LastWords(Serializer):
    """The last utterance of a conversation."""

    text = serializers.CharField()
    agent = serializers.CharField(help_text="The slug of the speaker.")
    tick = Tick()
    time = GameTime(source="tick")


Conversation = serializer_of(OpenConversation, "Conversation", last=LastWords())


class State(Serializer):
    """A simulation at the end of a committed tick."""

    clock = Clock()
    status = Choice(
        choices=Status,
        required=False,
        help_text="Left out as of a moment in `at`: it is no part of the history.",
    )
    agents = Inhabitant(many=True)
    objects = ObjectState(many=True)
    conversations = Conversation(many=True)


class SimulationState(SimulationView):
    """The state of a simulation at the end of a committed tick."""

    @operation("getState", "/state", "town", State, errors=(WorldChanged,))
    def get(self, request: Request, **_names: str) -> Response:
        """Show everything that a front end draws, as of the committed tick or of `at`."""
        context, tick = self.context, self.context.as_of_tick
        found = read_visible_state(context.constants(), tick=tick)
        ages = ages_of_agents(context.id, as_of_tick=tick)
        shown = {
            "clock": tick,
            "agents": [
                {**_inhabitant(found.snapshot, track, tick), "age": ages[track.agent]}
                for track in found.snapshot.tracks.values()
                if track.tile_at(tick) is not None
            ],
            "objects": found.objects,
            "conversations": found.conversations,
        }
        if not self.reads_past:
            shown["status"] = context.row.status
        return Response(self.represent(State, shown))


def _inhabitant(snapshot: WorldSnapshot, track: Track, tick: int) -> dict[str, Any]:
    action, talk = track.action_at(tick), snapshot.talk_of(track.agent, tick)
    return {
        "name": track.name,
        "slug": track.agent,
        "position": track.tile_at(tick),
        "path": [{"x": x, "y": y} for x, y in track.steps_after(tick)],
        **show_action(action),
        "place": snapshot.place_of(track.agent, tick),
        "due_tick": action.until_tick if action else None,
        "talking_with": None if talk is None else talk.other,
    }
