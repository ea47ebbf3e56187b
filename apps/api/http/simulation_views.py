"""Base classes of views below a simulation and below an agent."""

from collections.abc import Sequence
from dataclasses import replace
from http.client import OK
from typing import Any, ClassVar

import structlog
from django.http.response import HttpResponseBase
from rest_framework.request import Request
from rest_framework.response import Response

from apps.access.rights import Right, require_right_of_role
from apps.agents import queries as agent_queries
from apps.agents.models import AgentRow
from apps.agents.naming import AgentUnknown
from apps.api.http.etags import validate_response
from apps.api.http.fields import PastMomentParameter, Strict
from apps.api.http.problems import problem_of
from apps.api.http.request_errors import FieldError, InvalidRequest
from apps.api.http.simulation_context import SimulationContext, load_context
from apps.api.http.views import SAFE, ApiView, Errors
from apps.kernel.game_time import GameCalendar
from apps.simulation.engine.lifecycle import ensure_not_deleted
from apps.simulation.queries import SimulationUnknown

logger = structlog.get_logger(__name__)


class AsOf(Strict):
    """The moment as of which something is read."""

    at = PastMomentParameter(
        required=False,
        help_text="The moment as of which to read: a game time without a zone "
        "(2023-02-13T06:55:00), or a tick; the committed tick, if left out.",
    )


def committed(tick: int, committed_tick: int, calendar: GameCalendar, **place: str) -> int:
    """Return a requested tick.

    :param place: the `parameter` or the `pointer` of the request that names it.
    :raises InvalidRequest: if it is not committed yet.
    """
    if tick > committed_tick:
        detail = calendar.not_committed(tick, committed_tick)
        raise InvalidRequest([FieldError(code="not-committed", detail=detail, **place)])
    return tick


class SimulationView(ApiView):
    """A view below a simulation, which is in `context`.

    A GET reads as of the moment in `at` if its parameters have one (V3).
    `changes_later` is set where later requests can change what was read as of a moment.
    """

    address: ClassVar[str] = "/api/v1/simulations/{simulation}"
    query: ClassVar[type[Strict]] = AsOf
    errors: ClassVar[Errors] = (SimulationUnknown,)
    changes_later: ClassVar[bool] = False
    context: SimulationContext

    @property
    def serializer_context(self) -> dict[str, Any]:
        """The context of all serializers, with the calendar and the tick that is read."""
        below = {"calendar": self.context.calendar, "as_of_tick": self.context.as_of_tick}
        return super().serializer_context | below

    def load_resources(self, **names: str) -> None:
        """Load the simulation, and check the right before anything below it is loaded.

        :raises SimulationUnknown: if there is none, or the user has no role in it.
        :raises InvalidRequest: if `at` is no committed moment.
        """
        self.context = load_context(self.user, names["simulation"])
        self.require_right(self.right_of(str(self.request.method)))
        if self.reads_past:
            self.context = replace(self.context, as_of_tick=self._requested_tick())

    @property
    def reads_past(self) -> bool:
        """Whether the request names the moment as of which it reads."""
        can_name_it = self.request.method in SAFE and issubclass(self.query, AsOf)
        return can_name_it and "at" in self.request.query_params

    def _requested_tick(self) -> int:
        moment = {"at": self.request.query_params["at"]}
        tick: int = self.validated(AsOf, moment)["at"]
        context = self.context
        return committed(tick, context.row.committed_tick, context.calendar, parameter="at")

    def agents_at(
        self, tick: int, asked: Sequence[str] | None, *, may_have_left: bool = False
    ) -> list[str]:
        """Return the asked agents, each once; by default all that are there at the tick.

        :raises AgentUnknown: if one is unknown.
        :raises InvalidRequest: if one is not there, or has not joined yet if it may have left.
        """
        present = agent_queries.slugs_in_simulation(self.context.id, as_of_tick=tick)
        for place, row in enumerate(self.context.get_agents(asked or ())):
            if row.joined_tick > tick if may_have_left else row.agent not in present:
                detail = f"{row.name} is not in the simulation at this moment"
                raise InvalidRequest(
                    [FieldError(pointer=f"/agents/{place}", code="not-in-town", detail=detail)]
                )
        return present if asked is None else list(dict.fromkeys(asked))

    def moment(self, tick: int | None) -> int:
        """Return the tick in `at` of a body, the committed one for None.

        :raises InvalidRequest: if it is not committed yet.
        """
        committed_tick = self.context.row.committed_tick
        if tick is None:
            return committed_tick
        return committed(tick, committed_tick, self.context.calendar, pointer="/at")

    def finalize_response(
        self, request: Request, response: Any, *args: Any, **names: Any
    ) -> Any:
        """Let clients keep a page that was read as of a moment."""
        final = super().finalize_response(request, response, *args, **names)
        if isinstance(final, Response) and final.status_code == OK and self.reads_past:
            validate_response(request, final, is_unchanging=not self.changes_later)
        return final

    def handle_exception(self, exc: Exception) -> Any:
        """Answer 404 if the simulation was deleted during the request.

        Rows are read one after the other, so that any of them may be missing then.
        """
        if problem_of(exc) is None and hasattr(self, "context"):
            try:
                ensure_not_deleted(self.context.id)
            except SimulationUnknown as deleted:
                logger.info("simulation deleted during a request", error=repr(exc))
                return super().handle_exception(deleted)
        return super().handle_exception(exc)

    def _call_method(self) -> HttpResponseBase:
        """Call the method; the simulation may have been deleted while it waited for an LLM."""
        response = super()._call_method()
        if self.waits_for_llm:
            ensure_not_deleted(self.context.id)
        return response

    def require_right(self, right: Right) -> None:
        """Check that the role and the token allow it.

        :raises NotAllowed: if one of them does not.
        """
        require_right_of_role(self.context.role, right)
        super().require_right(right)


class AgentView(SimulationView):
    """A view below an agent of a simulation."""

    address: ClassVar[str] = f"{SimulationView.address}/agents/{{agent}}"
    errors: ClassVar[Errors] = (AgentUnknown,)
    agent_row: AgentRow

    def load_resources(self, **names: str) -> None:
        """Load the agent.

        :raises AgentUnknown: if there is none of that slug.
        """
        super().load_resources(**names)
        self.agent_row = self.context.get_agent(names["agent"])
