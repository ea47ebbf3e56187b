"""Embodiments: begun for an agent or a visitor, listed, used for actions, ended (U4)."""

from dataclasses import asdict, replace
from typing import Annotated, Any, ClassVar

from drf_spectacular.utils import extend_schema_serializer
from pydantic import Field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.access.rights import Role
from apps.agents import queries as agent_queries
from apps.api.http.fields import Choice, Clock, Position, Serializer, Strict, Tick
from apps.api.http.lists import ListView, list_parameters, page_of_items
from apps.api.http.simulation_context import SimulationContext
from apps.api.http.simulation_views import AgentView, SimulationView
from apps.api.http.views import Errors, operation
from apps.api.resources.commands import (
    MODEL_ERRORS,
    PLACE_ERRORS,
    Command,
    CommandRequest,
    accepted_command,
    accepted_response,
    issuer_of,
)
from apps.api.resources.embodied_perception import LATEST_MAX, perception_of, utterances_heard
from apps.api.resources.state import LastWords
from apps.history import read_visible_state
from apps.simulation.commands import embodied_action
from apps.simulation.commands.agents import NameTaken
from apps.simulation.commands.command_log import TickPast
from apps.simulation.commands.embodied_action import UnusableAction
from apps.simulation.commands.embodiments import (
    AlreadyEmbodied,
    EmbodimentOver,
    EmbodimentOverview,
    EmbodimentUnknown,
    NeedsPace,
    NotYourEmbodiment,
    get_embodiment,
    list_embodiments,
    request_embodiment,
    request_hand_back,
)
from apps.simulation.commands.visit import NoPlaceToAppear, Visitor, request_visit
from apps.simulation.embodiment import queries as embodiments
from apps.simulation.embodiment.requested_actions import (
    ACTION_NAMES,
    PATH_CHARACTERS_MAX,
    GivenAction,
)
from apps.simulation.queries import WorldChanged
from apps.world.people_loading import InvalidAgentProfile
from apps.world.problems import AgentNotInWorld

STATES = ["pending", "refused", "open", "ended"]
OUTCOMES = ["open", "begun", "done", "refused"]


class Entry(CommandRequest):
    """The reason and the time of the control of an agent."""


class Visit(CommandRequest, Visitor):
    """A visitor to add to the simulation."""

    place: Annotated[str, Field(max_length=PATH_CHARACTERS_MAX)] = ""
    """The place of the arrival, by a unique name; on the street if left out."""

    def visitor(self) -> Visitor:
        """Return the visitor without the request."""
        return Visitor(**{name: getattr(self, name) for name in Visitor.model_fields})


class ActionRequest(CommandRequest, GivenAction):
    """An action of the embodied agent: one of the five."""


@extend_schema_serializer(component_name="Begun")
class Begun(Command):
    """The command that begins an embodiment."""

    id = serializers.IntegerField(
        source="body.embodiment", min_value=1, help_text="The embodiment's id."
    )


class EmbodimentShown(Serializer):
    """The control of an agent by a user, in a list."""

    id = serializers.IntegerField(source="number", min_value=1)
    agent = serializers.CharField(help_text="The agent's slug.")
    visitor = serializers.BooleanField(
        source="is_visitor", help_text="Whether the agent leaves at its end."
    )
    by = serializers.CharField()
    reason = serializers.CharField()
    state = Choice(choices=STATES)
    refusal = serializers.CharField(help_text="The reason of a rejection; empty otherwise.")
    start_tick = Tick(allow_null=True)
    end_tick = Tick(allow_null=True)


class AgentInView(Serializer):
    """An agent in view of the embodied agent."""

    slug = serializers.CharField()
    name = serializers.CharField()
    doing = serializers.CharField(help_text="A sentence.")
    distance = serializers.IntegerField(help_text="In tiles.")
    talking_with = serializers.CharField(allow_null=True, help_text="A slug.")


class ObjectInView(Serializer):
    """An object in view."""

    path = serializers.CharField()
    state = serializers.CharField()
    distance = serializers.IntegerField(help_text="In tiles.")


class SaidInTalk(LastWords):
    """An utterance."""

    to = serializers.CharField(help_text="A slug.")
    ends = serializers.BooleanField(help_text="Whether no reply is expected.")
    conversation = serializers.CharField()


class TalkInView(Serializer):
    """The conversation of the embodied agent, or one that another agent begins with it."""

    id = serializers.CharField()
    other = serializers.CharField(help_text="A slug.")
    by_phone = serializers.BooleanField(help_text="Whether it is held on the telephone.")
    awaits_answer = serializers.BooleanField(
        help_text="Whether the other agent spoke last and waits for a reply."
    )
    utterances = SaidInTalk(many=True)


class ActionAsked(Serializer):
    """A requested action and its outcome."""

    event = serializers.CharField(help_text="The event of the request.")
    kind = Choice(choices=ACTION_NAMES)
    asked = serializers.DictField(source="action.to_json", help_text="The body of the request.")
    effective_tick = Tick(source="tick")
    outcome = Choice(choices=OUTCOMES)
    code = serializers.CharField(help_text="The code of a rejection; empty otherwise.")
    why = serializers.CharField(help_text="The reason of a rejection.")


class Standing(Serializer):
    """The position and the perception of the embodied agent, at the committed tick."""

    position = Position()
    place = serializers.CharField()
    action = serializers.CharField(help_text='Continues the sentence "<name> is".')
    emoji = serializers.CharField()
    agents = AgentInView(many=True)
    objects = ObjectInView(many=True)
    conversation = TalkInView(allow_null=True)


class EmbodimentDetail(EmbodimentShown):
    """The control of an agent by a user, with what the agent perceives."""

    clock = Clock()
    name = serializers.CharField()
    standing = Standing(
        allow_null=True, help_text="Null while the agent is not in the simulation."
    )
    heard = SaidInTalk(
        many=True,
        help_text="Recent utterances that the agent heard in full, in order: those to it, and "
        "those to others that it overheard.",
    )
    actions = ActionAsked(many=True, help_text="Recently requested actions, in order.")


DIGITS_MAX = 9
_CONTROL_ERRORS = (NotYourEmbodiment, EmbodimentOver, TickPast)


class Embody(AgentView):
    """The embodiment of an agent."""

    @operation(
        "embodyAgent",
        "/embodiment",
        "entering the town",
        {202: Begun},
        request=Entry,
        errors=(NeedsPace, AlreadyEmbodied, TickPast),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Control an agent: from then on it carries out requests, and decides nothing."""
        issuer = issuer_of(self, self.body(Entry))
        command = request_embodiment(self.context.id, self.agent_row.agent, issuer=issuer)
        return accepted_response(self.represent(Begun, command))


class Visitors(SimulationView):
    """Visitors: agents without home or plan, present while a user controls them."""

    @operation(
        "visit",
        "/visitors",
        "entering the town",
        {202: Begun},
        request=Visit,
        errors=(
            *PLACE_ERRORS,
            NeedsPace,
            NameTaken,
            TickPast,
            NoPlaceToAppear,
            InvalidAgentProfile,
            *MODEL_ERRORS,
        ),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Enter a simulation as a visitor; the name of an earlier one means the same."""
        requested = self.body(Visit)
        command = request_visit(
            wiring.ports(),
            self.context.id,
            requested.visitor(),
            place=requested.place,
            issuer=issuer_of(self, requested),
        )
        return accepted_response(self.represent(Begun, command))


class Embodiments(ListView, SimulationView):
    """The embodiments of a simulation."""

    query = list_parameters("agent, user, reason, refusal", "id")

    @operation(
        "listEmbodiments", "/embodiments", "entering the town", page_of_items(EmbodimentShown)
    )
    def get(self, request: Request, **_names: str) -> Any:
        """List the embodiments of a simulation by id, ended ones included."""
        return self.page_of(
            list_embodiments(self.context.id),
            EmbodimentShown,
            *("agent", "by", "reason", "refusal"),
            prepare=lambda page: [_values_of(one, self.context) for one in page],
            id=("number",),
        )


class EmbodimentView(SimulationView):
    """A view below an embodiment."""

    query = Strict
    errors: ClassVar[Errors] = (EmbodimentUnknown,)
    embodiment: EmbodimentOverview

    def load_resources(self, **names: str) -> None:
        """Load the embodiment.

        :raises EmbodimentUnknown: if there is none of that id.
        """
        super().load_resources(**names)
        text = names["embodiment"]
        if not (text.isascii() and text.isdecimal() and len(text) <= DIGITS_MAX):
            raise EmbodimentUnknown(f"there is no embodiment {text[:80]!r}")
        self.embodiment = get_embodiment(self.context.id, int(text))

    @property
    def is_owner(self) -> bool:
        """Whether the user owns the simulation."""
        return self.context.role is Role.OWNER


class OneEmbodiment(EmbodimentView):
    """An embodiment, and its end."""

    @operation(
        "getEmbodiment",
        "/embodiments/{embodiment}",
        "entering the town",
        EmbodimentDetail,
        errors=(WorldChanged,),
    )
    def get(self, request: Request, **_names: str) -> Response:
        """Show an embodiment: position, agents and objects in view, utterances, requests."""
        context, tick = self.context, self.context.as_of_tick
        values = _values_of(self.embodiment, context) | {"clock": tick}
        begun = self.embodiment.embodiment
        if begun is None or begun.from_tick > tick:
            nothing = {"name": self.embodiment.agent, "standing": None}
            values |= nothing | {"heard": [], "actions": []}
            return Response(self.represent(EmbodimentDetail, values))
        snapshot = read_visible_state(context.constants(), tick=context.as_of_tick).snapshot
        stands = begun.is_active_at(tick) and snapshot.tile_of(begun.agent, tick) is not None
        values |= {
            "name": agent_queries.fixed_facts(context.id, begun.agent).identity.name,
            "standing": perception_of(context, snapshot, begun.agent) if stands else None,
            "heard": utterances_heard(context, begun),
            "actions": [
                replace(one, outcome=one.outcome or "open")
                for one in embodiments.latest_requests(
                    context.id, begun, as_of_tick=tick, count=LATEST_MAX
                )
            ],
        }
        return Response(self.represent(EmbodimentDetail, values))

    @operation(
        "handBack",
        "/embodiments/{embodiment}",
        "entering the town",
        {202: Command},
        errors=_CONTROL_ERRORS,
    )
    def delete(self, request: Request, **_names: str) -> Response:
        """End an embodiment: the agent decides again; a visitor leaves."""
        command = request_hand_back(
            self.context.id,
            self.embodiment.number,
            issuer=issuer_of(self),
            is_owner=self.is_owner,
        )
        return accepted_command(self, command)


class EmbodiedActions(EmbodimentView):
    """The actions of an embodiment."""

    @operation(
        "actEmbodied",
        "/embodiments/{embodiment}/actions",
        "entering the town",
        {202: Command},
        request=ActionRequest,
        errors=(*_CONTROL_ERRORS, *PLACE_ERRORS, AgentNotInWorld, UnusableAction),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Request a walk, an utterance, an activity, an act with an agent, or an open door.

        Requests are carried out in order.
        """
        requested = self.body(ActionRequest)
        world = self.context.constants().world
        command = embodied_action.request_action(
            self.context.id,
            self.embodiment.number,
            embodied_action.resolve_action(self.context.id, world, requested.action),
            issuer=issuer_of(self, requested),
            is_owner=self.is_owner,
        )
        return accepted_command(self, command)


def _values_of(one: EmbodimentOverview, context: SimulationContext) -> dict[str, Any]:
    """Return the values of `EmbodimentShown` as of the committed tick."""
    begun = one.embodiment
    if begun is None or begun.from_tick > context.as_of_tick:
        state = "refused" if one.refusal else "pending"
        return asdict(one) | {"state": state, "start_tick": None, "end_tick": None}
    is_over = begun.to_tick is not None and begun.to_tick <= context.as_of_tick
    return asdict(one) | {
        "state": "ended" if is_over else "open",
        "start_tick": begun.from_tick,
        "end_tick": begun.to_tick if is_over else None,
    }
