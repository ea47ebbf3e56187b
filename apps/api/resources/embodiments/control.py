"""The control of one embodiment: shown, used for actions, ended."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.access.rights import Role
from apps.api.http.simulation_views import SimulationView
from apps.api.resources.commands import (
    Command,
    accepted_command,
    issuer_of,
)
from apps.api.resources.embodiments.presentation import (
    EmbodimentDetail,
    detail_embodiment,
)
from apps.api.resources.embodiments.requests import (
    ACTING,
    Action,
)
from apps.simulation.commands import embodied_action
from apps.simulation.commands.command_log import TickPast
from apps.simulation.commands.embodied_action import EmbodiedAction, UnusableAction
from apps.simulation.commands.embodiments import (
    EmbodimentOver,
    EmbodimentUnknown,
    NotYourEmbodiment,
    get_embodiment,
)
from apps.simulation.commands.embody import request_hand_back
from apps.simulation.queries import WorldChanged
from apps.world.errors import AmbiguousPlace, UnknownPerson, UnknownPlace

DIGITS_MAX = 9


class EmbodimentView(SimulationView):
    """A view below an embodiment; `number` is its id."""

    errors: ClassVar = {"*": (EmbodimentUnknown,)}
    number: int

    def load_resources(self, **names: str) -> None:
        """Find the embodiment, or answer that there is none."""
        super().load_resources(**names)
        text = names["embodiment"]
        if not (text.isascii() and text.isdecimal() and len(text) <= DIGITS_MAX):
            raise EmbodimentUnknown(f"there is no embodiment {text[:80]!r}")
        self.number = get_embodiment(self.context.id, int(text)).number

    @property
    def is_owner(self) -> bool:
        """Whether the user owns the simulation."""
        return self.context.role is Role.OWNER


class OneEmbodiment(EmbodimentView):
    """An embodiment, and its end."""

    errors: ClassVar = {
        "GET": (WorldChanged,),
        "DELETE": (NotYourEmbodiment, EmbodimentOver, TickPast),
    }

    @extend_schema(
        operation_id="getEmbodiment",
        summary="The embodiment: position, agents and objects in view, utterances, requests",
        tags=["entering the town"],
        responses={200: EmbodimentDetail},
    )
    def get(self, _request: Request, **_names: str) -> Response:
        """Show it."""
        one = get_embodiment(self.context.id, self.number)
        return Response(EmbodimentDetail(detail_embodiment(self.context, one)).data)

    @extend_schema(
        operation_id="handBack",
        summary="Let the person be themselves again; a visitor leaves town",
        tags=["entering the town"],
        responses={202: Command},
    )
    def delete(self, request: Request, **_names: str) -> Response:
        """Ask for the end."""
        command = request_hand_back(
            self.context.id, self.number, issuer=issuer_of(self, {}), is_owner=self.is_owner
        )
        return accepted_command(self, request, command)


class EmbodiedActions(EmbodimentView):
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
        issuer = issuer_of(self, requested)
        action = self._action(requested)
        command = embodied_action.request_action(
            self.context.id, self.number, action, issuer=issuer, is_owner=self.is_owner
        )
        return accepted_command(self, request, command)

    def _action(self, requested: dict[str, Any]) -> EmbodiedAction:
        world = self.context.constants().world
        if "say" in requested:
            said = requested["say"]
            return embodied_action.say_text(
                self.context.id, said["text"], to=said.get("to", ""), ends=said["ends"]
            )
        if "act" in requested:
            used = requested["act"]
            return embodied_action.use_object(
                world, used["object"], doing=used["doing"], minutes=used["minutes"]
            )
        walk = requested["move"]
        if "tile" in walk:
            return embodied_action.move_to_tile(world, (walk["tile"]["x"], walk["tile"]["y"]))
        return embodied_action.move_to_node(world, walk["to"])
