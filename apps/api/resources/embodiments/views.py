"""Embodiments: begun for an agent or a visitor, listed, used for actions, ended (U4)."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.access.rights import Role
from apps.api.http import listing
from apps.api.http.paging import Paged, page_of_items, page_response, split_page
from apps.api.http.views import AgentView, SimulationView
from apps.api.resources.commands import (
    Command,
    accepted_command,
    accepted_response,
    asking_of,
    show_command,
)
from apps.api.resources.embodiments.presentation import (
    EmbodimentDetail,
    EmbodimentShown,
    detail_embodiment,
    show_embodiment,
)
from apps.api.resources.embodiments.requests import (
    ACTING,
    ENTERING,
    VISITING,
    Action,
    Entry,
    Visit,
)
from apps.simulation.commands import directions, embodying, visiting
from apps.simulation.commands.command_log import TickPast
from apps.simulation.commands.directions import Deed, Move, UnusableAction, Words
from apps.simulation.commands.embodying import (
    Actor,
    AlreadyEmbodied,
    EmbodimentOver,
    EmbodimentUnknown,
    NeedsPace,
    NotYourEmbodiment,
)
from apps.simulation.commands.residency import NameTaken
from apps.simulation.commands.visiting import NoPlaceToAppear, Visitor
from apps.simulation.models import CommandRow
from apps.simulation.queries import WorldChanged
from apps.world.errors import AmbiguousPlace, UnknownPerson, UnknownPlace
from apps.world.newcomers import NewcomerUnfit

DIGITS_MAX = 9


@extend_schema_serializer(component_name="Begun")
class Begun(Command):
    """A command that an embodiment begins with."""

    id = serializers.IntegerField(min_value=1, help_text="The embodiment's id.")


class Embody(AgentView):
    """The embodiment of an agent."""

    errors: ClassVar = {"POST": (NeedsPace, AlreadyEmbodied, TickPast)}

    @extend_schema(
        operation_id="embodyAgent",
        summary="Act for a person: from then on they do what you say, and decide nothing",
        tags=["entering the town"],
        request=Entry,
        responses={202: Begun},
        examples=ENTERING,
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Ask to act for the person."""
        asking = asking_of(self, self.body(Entry))
        command = embodying.request_embodiment(
            self.context.id, self.agent_row.agent, asking=asking
        )
        return _begun(self, request, command)


class Visitors(SimulationView):
    """Visitors: agents without home or plan, present while a user controls them."""

    errors: ClassVar = {
        "POST": (
            NeedsPace,
            NameTaken,
            TickPast,
            WorldChanged,
            UnknownPlace,
            AmbiguousPlace,
            NoPlaceToAppear,
            NewcomerUnfit,
        )
    }

    @extend_schema(
        operation_id="visit",
        summary="Come to town as a visitor; under the name of an earlier one, as the same",
        tags=["entering the town"],
        request=Visit,
        responses={202: Begun},
        examples=VISITING,
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Ask for the visitor to come."""
        requested = self.body(Visit)
        asking = asking_of(self, requested)
        visitor = Visitor(**requested | {"traits": tuple(requested.pop("traits", ()))})
        ports = wiring.ports()
        command = visiting.request_visit(ports, self.context.id, visitor, asking=asking)
        return _begun(self, request, command)


class EmbodimentFilters(Paged):
    """Which embodiments, in which order."""

    search = listing.search_parameter("agent, user, reason, refusal")
    order = listing.order_parameter("id", default="id")


class Embodiments(SimulationView):
    """The embodiments of a simulation, ended ones included."""

    query = EmbodimentFilters

    @extend_schema(
        operation_id="listEmbodiments",
        summary="Who acts, or acted, for whom, by id",
        tags=["entering the town"],
        responses={200: page_of_items(EmbodimentShown)},
    )
    def get(self, request: Request, **_names: str) -> Response:
        """List them."""
        requested = self.parameters
        found = [
            one
            for one in embodying.overviews(self.context.id)
            if listing.contains_text(
                requested.get("search"), one.agent, one.by, one.reason, one.refusal
            )
        ]
        after = listing.cursor_keys(self, int)
        rest = listing.page_of(
            found, lambda one: (one.number,), order=requested["order"], after=after
        )
        page, more = split_page(rest, requested["limit"])
        shown = [show_embodiment(self.context, one) for one in page]
        cursor = listing.next_cursor(self, page[-1].number) if more else None
        results = EmbodimentShown(shown, many=True).data
        return page_response(request, results, next_page=cursor)


class _EmbodimentView(SimulationView):
    """A view below an embodiment; `number` is its id."""

    errors: ClassVar = {"*": (EmbodimentUnknown,)}
    number: int

    def load_resources(self, **names: str) -> None:
        """Find the embodiment, or answer that there is none."""
        super().load_resources(**names)
        text = names["embodiment"]
        if not (text.isascii() and text.isdecimal() and len(text) <= DIGITS_MAX):
            raise EmbodimentUnknown(f"there is no embodiment {text[:80]!r}")
        self.number = embodying.overview(self.context.id, int(text)).number

    def actor(self, requested: dict[str, Any]) -> Actor:
        """Return issuer, reason and time; take the latter two out of the values."""
        return Actor(
            asking=asking_of(self, requested), is_in_charge=self.context.role is Role.OWNER
        )


class OneEmbodiment(_EmbodimentView):
    """An embodiment, and its end."""

    errors: ClassVar = {
        "GET": (WorldChanged,),
        "DELETE": (NotYourEmbodiment, EmbodimentOver, TickPast),
    }

    @extend_schema(
        operation_id="getEmbodiment",
        summary="Where the person stands, whom they see, what was said to and asked of them",
        tags=["entering the town"],
        responses={200: EmbodimentDetail},
    )
    def get(self, _request: Request, **_names: str) -> Response:
        """Show it."""
        one = embodying.overview(self.context.id, self.number)
        return Response(EmbodimentDetail(detail_embodiment(self.context, one)).data)

    @extend_schema(
        operation_id="handBack",
        summary="Let the person be themselves again; a visitor leaves town",
        tags=["entering the town"],
        responses={202: Command},
    )
    def delete(self, request: Request, **_names: str) -> Response:
        """Ask for the end."""
        command = embodying.request_hand_back(
            self.context.id, self.number, actor=self.actor({})
        )
        return accepted_command(self, request, command)


class EmbodiedActions(_EmbodimentView):
    """The actions of an embodiment."""

    errors: ClassVar = {
        "POST": (
            NotYourEmbodiment,
            EmbodimentOver,
            TickPast,
            WorldChanged,
            UnknownPlace,
            UnknownPerson,
            AmbiguousPlace,
            UnusableAction,
        )
    }

    @extend_schema(
        operation_id="actEmbodied",
        summary="Have the person walk, speak or do something, one after the other",
        tags=["entering the town"],
        request=Action,
        responses={202: Command},
        examples=ACTING,
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Ask for it."""
        requested = self.body(Action)
        actor = self.actor(requested)
        action = self._action(requested)
        command = embodying.request_action(self.context.id, self.number, action, actor=actor)
        return accepted_command(self, request, command)

    def _action(self, requested: dict[str, Any]) -> Move | Words | Deed:
        world = self.context.constants().world
        if "say" in requested:
            said = requested["say"]
            return directions.say(
                self.context.id, said["text"], to=said.get("to", ""), ends=said["ends"]
            )
        if "act" in requested:
            used = requested["act"]
            return directions.use(
                world, used["object"], doing=used["doing"], minutes=used["minutes"]
            )
        walk = requested["move"]
        if "tile" in walk:
            return directions.walk_to(world, (walk["tile"]["x"], walk["tile"]["y"]))
        return directions.move_to(world, walk["to"])


def _begun(view: SimulationView, request: Request, command: CommandRow) -> Response:
    """Answer 202 with the id of the embodiment."""
    shown = {"id": command.body["embodiment"], **show_command(view, request, command)}
    return accepted_response(shown)
