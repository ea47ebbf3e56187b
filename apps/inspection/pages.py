"""What all pages share: errors, access, the moment (V3), navigation, fields of filters."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any, ClassVar, TypeVar

from django import forms
from django.contrib.admin import AdminSite
from django.contrib.auth.models import User
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.template.response import TemplateResponse
from django.views import View

from apps import history
from apps.access.rights import NotAllowed, Right, require_right_of_role
from apps.agents.models import AgentRow
from apps.api.http.problems import problem_of
from apps.api.http.simulation_context import SimulationContext, load_context
from apps.api.http.simulation_views import committed
from apps.kernel.errors import DomainError
from apps.kernel.game_moments import last_tick_until
from apps.kernel.text import compose


class ComposedText(forms.CharField):
    """A text in composed letters: "Café" is found whichever way its é was typed."""

    def to_python(self, value: Any) -> Any:
        """Return the text."""
        return compose(super().to_python(value))


class AgentFilter(forms.Form):
    """Filters of a list; an empty field is no condition.

    `names` are the full names of the agents by slug; `others` are further choices.
    """

    all_label: ClassVar[str] = "all agents"
    others: ClassVar[tuple[tuple[str, str], ...]] = ()

    agent = forms.ChoiceField(required=False)

    def __init__(self, *args: Any, names: dict[str, str], **named: Any) -> None:
        super().__init__(*args, **named)
        agent = self.fields["agent"]
        assert isinstance(agent, forms.ChoiceField)
        agent.choices = [("", self.all_label), *names.items(), *self.others]


PARAMETER = "at"
_STEPS = (
    ("- 1 day", timedelta(days=-1)),
    ("- 1 h", timedelta(hours=-1)),
    ("- 10 min", timedelta(minutes=-10)),
    ("+ 10 min", timedelta(minutes=10)),
    ("+ 1 h", timedelta(hours=1)),
    ("+ 1 day", timedelta(days=1)),
)


def tick_of_moment(given: str, context: SimulationContext) -> int:
    """Return the tick as of which to read, the committed tick for "".

    :raises UnusableTime: if the value names no moment.
    :raises InvalidRequest: if the moment is not committed yet.
    """
    if not given:
        return context.row.committed_tick
    tick = last_tick_until(given, context.calendar)
    committed_tick, calendar = context.row.committed_tick, context.calendar
    return committed(tick, committed_tick, calendar, parameter=PARAMETER)


def chosen_moment(parameters: QueryDict, context: SimulationContext) -> dict[str, Any]:
    """Return the moment of a page, the game times that can be chosen, and links to some.

    `parameters` are those of the request; the links keep all but the place in a list. `given`
    is "" for the committed tick, and so is the query of a step to where nothing is committed.
    """
    now, calendar = context.time_at(context.as_of_tick), context.calendar
    earliest, latest = calendar.time_at(0), calendar.time_at(context.row.committed_tick)
    return {
        "given": parameters.get(PARAMETER, ""),
        "tick": context.as_of_tick,
        "time": now,
        "earliest": earliest,
        "latest": latest,
        "steps": [
            {
                "label": label,
                "query": _query(parameters, now + by) if earliest <= now + by <= latest else "",
            }
            for label, by in _STEPS
        ],
        "latest_query": _query(parameters, None),
    }


def _query(parameters: QueryDict, time: datetime | None) -> str:
    changed = parameters.copy()
    for name in (PARAMETER, "after"):
        changed.pop(name, None)
    if time is not None:
        changed[PARAMETER] = time.isoformat(timespec="seconds")
    return f"?{changed.urlencode()}"


_Row = TypeVar("_Row", bound=Model)
_Form = TypeVar("_Form", bound=forms.Form)


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

    def filtered(self, form: type[_Form], **given: Any) -> tuple[_Form, Mapping[str, Any]]:
        """Return the form with the query, and its values; none of an invalid query.

        :param given: arguments of the form besides the query.
        """
        filters = form(self.request.GET, **given)
        return filters, filters.cleaned_data if filters.is_valid() else {}

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
