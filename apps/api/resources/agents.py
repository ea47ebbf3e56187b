"""The agents of a simulation: listed, added, shown and removed; their actions and places."""

from dataclasses import asdict, fields
from typing import Annotated, Any, ClassVar

from pydantic import Field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.agents import queries as agent_queries
from apps.agents.acts import ActKind
from apps.agents.models import AgentRow
from apps.agents.track import Action, Track
from apps.api.http.downloads import DownloadableList, FormatParameter, page_or_download
from apps.api.http.fields import (
    Choice,
    Clock,
    MomentParameter,
    NumberOrNull,
    Position,
    Serializer,
    TextOrNull,
    Tick,
)
from apps.api.http.lists import (
    ListView,
    Paged,
    TimeRange,
    list_parameters,
    order_parameter,
    page_of_items,
    search_parameter,
)
from apps.api.http.simulation_context import SimulationContext
from apps.api.http.simulation_views import AgentView, AsOf, SimulationView
from apps.api.http.views import operation
from apps.api.resources.commands import (
    MODEL_ERRORS,
    PLACE_ERRORS,
    Command,
    CommandRequest,
    accepted_command,
    issuer_of,
)
from apps.history.agent_days import list_actions
from apps.kernel import names
from apps.kernel.game_moments import clock_of
from apps.kernel.game_time import MINUTES_PER_DAY
from apps.kernel.request_models import Listed, RequestModel
from apps.memory.queries import CurrentSummary, current_summary
from apps.simulation.commands.agent_models import ModelOfAgent
from apps.simulation.commands.agents import (
    Embodied,
    LastAgent,
    NameTaken,
    request_agent,
    request_removal,
)
from apps.simulation.commands.command_log import TickPast
from apps.world.people_loading import InvalidAgentProfile
from apps.world.shapes import Age, Description, Traits
from apps.world.tree import NodeKind, segments_of

LIST_MAX = 100
PATH_CHARACTERS_MAX = 300
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

    start_tick = Tick(source="from_tick")
    due_tick = Tick(
        source="until_tick", allow_null=True, help_text="Its planned end; null: none."
    )


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
    updated_tick = Tick(source="from_tick", allow_null=True)
    due_tick = Tick(allow_null=True, help_text="Its renewal.")


class NodeKindField(Choice):
    """The kind of a node, of its path."""

    def to_representation(self, value: Any) -> str:
        """Return the kind."""
        return _KINDS[len(segments_of(value))].value


class KnownNode(Serializer):
    """A node that an agent knows, and its state as last seen by the agent (W3)."""

    path = serializers.CharField(source="node")
    kind = NodeKindField(choices=NodeKind, source="node")
    state = TextOrNull(allow_null=True, help_text="As last seen; null if never.")
    updated_tick = Tick(source="tick", help_text="The last look, or the first knowledge.")


class TimelineEntry(_Action):
    """A past action; `end_at` is its real end, null while it goes on."""

    act = Choice(
        choices=ActKind,
        help_text="What the action did to or for another agent.",
    )
    other = serializers.CharField(
        help_text="The slug of the agent that the act names, empty for none."
    )
    start_tick = Tick(source="from_tick")
    due_tick = Tick(
        source="until_tick", allow_null=True, help_text="Its planned end; null: none."
    )
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
    model: ModelOfAgent = None
    """The chat model of its own: `server:model`, `server` or `offline`; null for what the
    models of the simulation say."""

    def facts(self) -> dict[str, Any]:
        """Return the facts of an entry in people.yaml."""
        return self.model_dump(exclude={"at", "reason", "name", "model"}, exclude_unset=True)


class Agents(ListView, SimulationView):
    """The agents of a simulation."""

    query = list_parameters("name, traits, description", "slug", more=AsOf)

    @operation("listAgents", "/agents", "agents", page_of_items(Agent))
    def get(self, request: Request, **_names: str) -> Any:
        """List the agents of a simulation, by slug."""
        context = self.context
        rows = [
            row
            for row in agent_queries.list_agents(context.id, as_of_tick=context.as_of_tick)
            if self.contains_search(row.name, row.description, *row.traits)
        ]
        return self.page(
            rows, Agent, prepare=lambda page: _values_of(context, page), slug=("agent",)
        )

    @operation(
        "addAgent",
        "/agents",
        "agents",
        {202: Command},
        request=Newcomer,
        errors=(NameTaken, TickPast, *PLACE_ERRORS, InvalidAgentProfile, *MODEL_ERRORS),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Add an agent to a simulation, before or during a run."""
        requested = self.body(Newcomer)
        issuer = issuer_of(self, requested)
        tree, facts = self.context.constants().world.tree, requested.facts()
        for where in ("home", "bed", "workplace"):
            if facts.get(where) is not None:
                facts[where] = tree.resolve(facts[where]).path
        known = [tree.resolve(place).path for place in requested.knows]
        command = request_agent(
            wiring.ports(),
            self.context.id,
            name=requested.name,
            facts=facts | {"knows": list(dict.fromkeys(known))},
            issuer=issuer,
            model=requested.model,
        )
        return accepted_command(self, command)


class OneAgent(AgentView):
    """An agent of a simulation."""

    @operation("getAgent", "", "agents", AgentDetail)
    def get(self, request: Request, **_names: str) -> Response:
        """Show an agent: identity, home, workplace, hours, current action."""
        [values] = _values_of(self.context, [self.agent_row])
        return Response(self.represent(AgentDetail, values))

    @operation("sendAgentAway", "", "agents", {202: Command}, errors=(LastAgent, Embodied))
    def delete(self, request: Request, **_names: str) -> Response:
        """Remove an agent from a simulation; its memories can still be read."""
        command = request_removal(self.context.id, self.agent_row.agent, issuer=issuer_of(self))
        return accepted_command(self, command)


class AgentSummary(AgentView):
    """The summary description of an agent."""

    @operation("getSummary", "/summary", "agents", Summary)
    def get(self, request: Request, **_names: str) -> Response:
        """Show the summary description of an agent, as prompts have it."""
        context, row = self.context, self.agent_row
        found = current_summary(context.id, row.agent, as_of_tick=context.as_of_tick)
        summary = asdict(found) if found else {f.name: None for f in fields(CurrentSummary)}
        identity = {"name": row.name, "age": row.age, "traits": row.traits}
        return Response(self.represent(Summary, summary | identity))


class KnownPlaces(ListView, AgentView):
    """The part of the world that an agent knows."""

    query = list_parameters("path, state last seen", "path", more=AsOf)

    @operation("listKnownPlaces", "/known-places", "agents", page_of_items(KnownNode))
    def get(self, request: Request, agent: str, **_names: str) -> Any:
        """List the places, areas and objects that an agent knows, by path."""
        tick = self.context.as_of_tick
        known = agent_queries.known_places(self.context.id, agent, as_of_tick=tick)
        return self.page_of(known, KnownNode, "node", "state", path=("node",))


class TimelineFilters(Paged, AsOf, TimeRange, FormatParameter):
    """The filters and the order of actions."""

    from_ = MomentParameter(
        required=False,
        help_text="Only actions that had not ended by this moment: a game time without a zone "
        "(2023-02-13T06:55:00), or a tick.",
    )
    search = search_parameter("description, area, object")
    order = order_parameter("start_at")


class Timeline(DownloadableList, AgentView):
    """The actions of an agent."""

    query = TimelineFilters

    @operation("listTimeline", "/timeline", "agents", page_or_download(TimelineEntry))
    def get(self, request: Request, agent: str, **_names: str) -> Any:
        """List the actions of an agent, by default the earliest first."""
        rows = list_actions(
            self.context.id,
            agent,
            as_of_tick=self.context.as_of_tick,
            **self.filters("from", "to"),
        )
        rows = self.matching(rows, "description", "area", "object")
        return self.page(rows, TimelineEntry, start_at=("from_tick",))


def _values_of(context: SimulationContext, rows: list[AgentRow]) -> list[dict[str, Any]]:
    tick = context.as_of_tick
    slugs = [row.agent for row in rows]
    tracks = agent_queries.tracks(context.id, from_tick=tick, to_tick=tick, agents=slugs)
    return [agent_values(row, tracks[row.agent], tick) for row in rows]
