"""What all pages of a simulation share: access, moment, navigation, errors."""

from collections.abc import Callable
from dataclasses import replace
from http import HTTPStatus
from typing import Any, ClassVar, TypeVar

from django.contrib.admin import AdminSite
from django.contrib.auth.models import User
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse
from django.views import View

from apps.access.rights import NotAllowed, Right, require_right_of_role
from apps.agents import queries as agent_queries
from apps.agents.models import AgentRow
from apps.api.http.problems import problem_of
from apps.api.http.simulation_context import SimulationContext, load_context
from apps.inspection.moments import PARAMETER, chosen_moment, tick_of_moment
from apps.kernel.errors import DomainError

_Row = TypeVar("_Row", bound=Model)


class InspectionPage(View):
    """A page of one simulation as of a moment.

    A user needs the role that the same request to the HTTP API needs. Errors of the domain
    become a page with their text and status.
    """

    site: AdminSite = None  # type: ignore[assignment]  # given to as_view
    template: ClassVar[str]
    title: ClassVar[str]
    tab: ClassVar[str] = ""
    has_moment: ClassVar[bool] = True
    right_to_post: ClassVar[Right] = Right.COMMAND
    context: SimulationContext

    def dispatch(
        self, request: HttpRequest, *args: Any, simulation: str, **names: Any
    ) -> HttpResponseBase:
        """Load the simulation and the moment, and answer the request."""
        assert isinstance(request.user, User), "the admin requires a login"
        try:
            context = load_context(request.user, simulation)
            require_right_of_role(context.role, self.right_to(request))
            tick = context.as_of_tick
            if self.has_moment:
                given = request.GET.get(PARAMETER, "")
                tick = tick_of_moment(given, context)
            self.context = replace(context, as_of_tick=tick)
            self.load(**names)
            return super().dispatch(request, *args, **names)
        except DomainError as error:
            return self._problem(error)

    def right_to(self, request: HttpRequest) -> Right:
        """Return the right that a request needs."""
        return Right.READ if request.method in {"GET", "HEAD"} else self.right_to_post

    def load(self, **names: Any) -> None:
        """Load what the path names, before the request is answered."""

    @property
    def may_command(self) -> bool:
        """Whether the user may send commands to the simulation."""
        try:
            require_right_of_role(self.context.role, Right.COMMAND)
        except NotAllowed:
            return False
        return True

    def render(self, *, status: int = HTTPStatus.OK, **values: Any) -> TemplateResponse:
        """Return the page with these values."""
        context = self.context
        shared = {
            "title": self.title,
            "tab": self.tab,
            "is_nav_sidebar_enabled": False,
            "simulation": context.row,
            "calendar": context.calendar,
            "moment": chosen_moment(self.request.GET, context) if self.has_moment else None,
            "at": self.request.GET.get(PARAMETER, "") if self.has_moment else "",
            "names": self.names,
            "may_command": self.may_command,
        }
        page = self.site.each_context(self.request) | shared | values
        return TemplateResponse(self.request, self.template, page, status=status)

    def page_of(
        self, rows: QuerySet[_Row], size: int, **position: Callable[[_Row], object]
    ) -> tuple[list[_Row], str]:
        """Return the first rows, and the query of the page that follows, "" without one.

        `position` has the field of the filters by which a page begins, and its value after
        the last row of the page before.
        """
        page, following = list(rows[: size + 1]), self.request.GET.copy()
        if len(page) <= size:
            return page, ""
        del page[size:]
        for name, value_after in position.items():
            following[name] = str(value_after(page[-1]))
        return page, f"?{following.urlencode()}"

    @property
    def names(self) -> dict[str, str]:
        """The full names of the agents that have joined by the moment, by slug."""
        if not hasattr(self, "_names"):
            self._names = agent_queries.names_of_agents(
                self.context.id, as_of_tick=self.context.as_of_tick
            )
        return self._names

    def _problem(self, error: DomainError) -> TemplateResponse:
        problem = problem_of(error)
        assert problem is not None, "every error of the domain has a problem"
        page = self.site.each_context(self.request) | {
            "title": problem.title,
            "is_nav_sidebar_enabled": False,
            "problem": problem,
        }
        return TemplateResponse(
            self.request, "inspection/problem.html", page, status=problem.status
        )


class AgentPage(InspectionPage):
    """A page of one agent of a simulation."""

    agent_row: AgentRow

    def load(self, **names: Any) -> None:
        """Load the agent.

        :raises AgentUnknown: if none of that slug has joined by the moment.
        """
        self.agent_row = self.context.get_agent(names["agent"])

    def render(self, *, status: int = HTTPStatus.OK, **values: Any) -> TemplateResponse:
        """Return the page with the agent."""
        return super().render(status=status, agent=self.agent_row, **values)
