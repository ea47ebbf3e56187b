"""Base classes of views below a simulation and below an agent."""

from typing import Any, ClassVar

import structlog
from django.http.response import HttpResponseBase

from apps.access.rights import Right, require_right_of_role
from apps.agents.models import AgentRow
from apps.agents.naming import AgentUnknown
from apps.api.http.problems import problem_of
from apps.api.http.simulation_context import SimulationContext, load_context
from apps.api.http.views import ApiView, Errors
from apps.simulation.engine.lifecycle import ensure_not_deleted
from apps.simulation.queries import SimulationUnknown

logger = structlog.get_logger(__name__)


class SimulationView(ApiView):
    """A view below a simulation, which is in `context`."""

    errors: ClassVar[Errors] = (SimulationUnknown,)
    context: SimulationContext

    @property
    def serializer_context(self) -> dict[str, Any]:
        """The context of all serializers, with the calendar and the tick that is read."""
        below = {"calendar": self.context.calendar, "as_of_tick": self.context.as_of_tick}
        return super().serializer_context | below

    def load_resources(self, **names: str) -> None:
        """Load the simulation, and check the right before anything below it is loaded.

        :raises SimulationUnknown: if there is none, or the user has no role in it.
        """
        self.context = load_context(self.user, names["simulation"])
        self.require_right(self.right_of(str(self.request.method)))

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

    errors: ClassVar[Errors] = (AgentUnknown,)
    agent_row: AgentRow

    def load_resources(self, **names: str) -> None:
        """Load the agent.

        :raises AgentUnknown: if there is none of that slug.
        """
        super().load_resources(**names)
        self.agent_row = self.context.get_agent(names["agent"])
