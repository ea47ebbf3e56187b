"""The representations of an agent, and the request that adds one."""

from typing import Annotated, Any, ClassVar

from pydantic import Field
from rest_framework import serializers

from apps.agents.acts import ActKind
from apps.agents.models import AgentRow
from apps.agents.track import Action, Track
from apps.api.http.fields import (
    Choice,
    Clock,
    GameTime,
    NumberOrNull,
    Position,
    Serializer,
    TextOrNull,
    Tick,
)
from apps.api.resources.commands import CommandRequest
from apps.api.resources.worlds import NODE_KINDS
from apps.kernel import names
from apps.kernel.game_moments import clock_of
from apps.kernel.game_time import MINUTES_PER_DAY
from apps.kernel.request_models import Listed, RequestModel
from apps.world.shapes import Age, Description, Traits
from apps.world.tree import NodeKind, segments_of

LIST_MAX = 100
PATH_CHARACTERS_MAX = 300
ACT_KINDS = [kind.value for kind in ActKind]
_KINDS = (NodeKind.TOWN, NodeKind.PLACE, NodeKind.AREA, NodeKind.OBJECT)
_CLOCK_PATTERN = r"^([01]?\d|2[0-4]):[0-5]\d$"


class MinuteOfDay(serializers.CharField):
    """A minute of the day in a response: "06:00"."""

    def to_representation(self, value: Any) -> str:
        """Return the time."""
        return clock_of(value % MINUTES_PER_DAY)


class DayHours(Serializer):
    """Usual hours, "06:00"; a bed time before the waking hour is in the next day."""

    wake = MinuteOfDay(source="wake_minute")
    sleep = MinuteOfDay(source="sleep_minute")
    dinner = MinuteOfDay(source="dinner_minute", allow_null=True)


class _Action(Serializer):
    description = serializers.CharField()
    emoji = serializers.CharField()
    area = serializers.CharField(help_text="Empty while walking.")
    object = serializers.CharField(help_text="The object that is used; empty for none.")
    towards = serializers.CharField(help_text="The destination of a walk; empty otherwise.")
    asleep = serializers.BooleanField()
    plan_item = NumberOrNull(allow_null=True, help_text="The plan item that is carried out.")
    event = serializers.CharField(help_text="The event with which it began.")


class CurrentAction(_Action):
    """The action of an agent; `description` continues the sentence "<name> is"."""

    start_at = GameTime(source="from_tick")
    start_tick = Tick(source="from_tick")
    due_at = GameTime(
        source="until_tick", allow_null=True, help_text="Its planned end; null: none."
    )
    due_tick = Tick(source="until_tick", allow_null=True)


class Agent(Serializer):
    """An agent in a list."""

    slug = serializers.CharField(source="agent")
    name = serializers.CharField()
    age = serializers.IntegerField()
    traits = serializers.ListField(child=serializers.CharField())
    home = serializers.CharField(help_text="The area of its home; empty for a visitor.")
    workplace = serializers.CharField(allow_null=True)
    position = Position(
        allow_null=True, help_text="Null after the agent has left the simulation."
    )
    action = serializers.CharField(help_text='Continues the sentence "<name> is".')
    emoji = serializers.CharField()
    asleep = serializers.BooleanField()


class AgentDetail(Agent):
    """An agent with its description and its current action."""

    bed = serializers.CharField()
    description = serializers.CharField(help_text="Each phrase is one of its first memories.")
    hours = DayHours()
    clock = Clock()
    current_action = CurrentAction(allow_null=True)


class Summary(Serializer):
    """The summary description of an agent: identity, and three summaries of memories (S1)."""

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
    text = serializers.CharField(allow_null=True, help_text="The summary as prompts have it.")
    updated_at = GameTime(source="from_tick", allow_null=True)
    updated_tick = Tick(source="from_tick", allow_null=True)
    due_at = GameTime(
        source="due_tick", allow_null=True, help_text="The game time of its renewal."
    )
    due_tick = Tick(allow_null=True)


class NodeKindField(Choice):
    """The kind of a node, of its path."""

    def to_representation(self, value: Any) -> str:
        """Return the kind."""
        return _KINDS[len(segments_of(value))].value


class KnownNode(Serializer):
    """A node that an agent knows, and its state as last seen by the agent (W3)."""

    path = serializers.CharField(source="node")
    kind = NodeKindField(choices=NODE_KINDS, source="node")
    state = TextOrNull(allow_null=True, help_text="As last seen; null if never.")
    updated_at = GameTime(source="tick", help_text="The last look, or the first knowledge.")
    updated_tick = Tick(source="tick")


class TimelineEntry(_Action):
    """A past action; `end_at` is its real end, null while it goes on."""

    act = Choice(
        choices=ACT_KINDS,
        help_text="What the action did to or for another agent.",
    )
    other = serializers.CharField(
        help_text="The slug of the agent that the act names, empty for none."
    )
    start_at = GameTime(source="from_tick")
    start_tick = Tick(source="from_tick")
    due_at = GameTime(
        source="until_tick", allow_null=True, help_text="Its planned end; null: none."
    )
    due_tick = Tick(source="until_tick", allow_null=True)
    end_at = GameTime(source="to_tick", only_past=True, allow_null=True)
    end_tick = Tick(source="to_tick", only_past=True, allow_null=True)


def show_action(action: Action | None) -> dict[str, Any]:
    """Return `action`, `emoji` and `asleep` of an agent, empty before its first action."""
    if action is None:
        return {"action": "", "emoji": "", "asleep": False}
    return {"action": action.description, "emoji": action.emoji, "asleep": action.asleep}


def agent_values(row: AgentRow, track: Track, tick: int) -> dict[str, Any]:
    """Return the values of `AgentDetail` as of a tick."""
    action = track.action_at(tick)
    identity = ("agent", "name", "age", "traits", "home", "workplace", "bed", "description")
    return {name: getattr(row, name) for name in identity} | {
        **show_action(action),
        "position": track.tile_at(tick),
        "hours": row,
        "clock": tick,
        "current_action": action,
    }


TimeOfDay = Annotated[str, Field(pattern=_CLOCK_PATTERN)]
Path = Annotated[str, Field(max_length=PATH_CHARACTERS_MAX)]


class NewcomerHours(RequestModel):
    """The times at which an agent wakes, goes to bed and dines: "07:00"."""

    null_is_left_out: ClassVar[bool] = True
    wake: TimeOfDay
    """The time of waking."""
    sleep: TimeOfDay
    """The time of going to bed."""
    dinner: TimeOfDay | None = None
    """The time of dinner, if there is one."""


class Newcomer(CommandRequest):
    """An agent to add to the simulation (U5)."""

    name: Annotated[str, Field(max_length=names.NAME_CHARACTERS_MAX)]
    """The full name, from which the slug is made: letters, single spaces, hyphens and
    apostrophes."""

    age: Age
    """In years."""
    traits: Annotated[Traits, Field(min_length=1, strict=False)]
    """Innate traits, a word or two each."""
    description: Description
    """Phrases between semicolons; each becomes one of its first memories."""
    hours: NewcomerHours
    """The usual hours."""
    home: Path
    """An area with a bed in it."""
    bed: Path | None = None
    """The bed, if it is not the object "bed" of the home."""
    workplace: Path | None = None
    """The area of its work."""
    knows: Annotated[Listed[Path], Field(max_length=LIST_MAX)] = ()
    """Places that it knows at first, besides home and workplace."""

    def facts(self) -> dict[str, Any]:
        """Return the facts of an entry in people.yaml."""
        return self.model_dump(exclude={"at", "reason", "name"}, exclude_unset=True)
