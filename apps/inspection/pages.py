"""What all pages share: errors; and those of a simulation: access, moment, navigation."""

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

from apps import history
from apps.access.rights import NotAllowed, Right, require_right_of_role
from apps.agents.models import AgentRow
from apps.api.http.problems import problem_of
from apps.api.http.simulation_context import SimulationContext, load_context
from apps.inspection.moments import PARAMETER, chosen_moment, tick_of_moment
from apps.kernel.errors import DomainError

_Row = TypeVar("_Row", bound=Model)


class SitePage(View):
    """A page of the admin; errors of the domain become a page with their text and status."""

    site: AdminSite = None  # type: ignore[assignment]  # given to as_view
    template: ClassVar[str]
    title: ClassVar[str]

    def dispatch(self, request: HttpRequest, *args: Any, **names: Any) -> HttpResponseBase:
        """Answer the request."""
        try:
            self.open(**names)
            return super().dispatch(request, *args, **names)
        except DomainError as error:
            return self._problem(error)

    @property
    def user(self) -> User:
        """The member of the staff that has sent the request."""
        assert isinstance(self.request.user, User), "the admin requires a login"
        return self.request.user

    def open(self, **names: Any) -> None:
        """Load what the path names, before the request is answered."""

    def render(self, *, status: int = HTTPStatus.OK, **values: Any) -> TemplateResponse:
        """Return the page with these values."""
        shared = {"title": self.title, "is_nav_sidebar_enabled": False}
        page = self.site.each_context(self.request) | shared | values
        return TemplateResponse(self.request, self.template, page, status=status)

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


class InspectionPage(SitePage):
    """A page of one simulation as of a moment.

    A user needs the role that the same request to the HTTP API needs.
    """

    tab: ClassVar[str] = ""
    has_moment: ClassVar[bool] = True
    context: SimulationContext

    def open(self, **names: Any) -> None:
        """Load the simulation, the moment, and what else the path names."""
        context = load_context(self.user, names.pop("simulation"))
        require_right_of_role(context.role, self.right_to(self.request))
        tick = context.as_of_tick
        if self.has_moment:
            tick = tick_of_moment(self.request.GET.get(PARAMETER, ""), context)
        self.context = replace(context, as_of_tick=tick)
        self.load(**names)

    def right_to(self, request: HttpRequest) -> Right:
        """Return the right that a request needs."""
        return Right.READ if request.method in {"GET", "HEAD"} else Right.COMMAND

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
            "tab": self.tab,
            "simulation": context.row,
            "calendar": context.calendar,
            "moment": chosen_moment(self.request.GET, context) if self.has_moment else None,
            "at": self.request.GET.get(PARAMETER, "") if self.has_moment else "",
            "names": self.names,
            "may_command": self.may_command,
        }
        return super().render(status=status, **shared | values)

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
            self._names = history.names_of_agents(
                self.context.id, as_of_tick=self.context.as_of_tick
            )
        return self._names


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
