"""The admin site: the addresses of its pages, its index, and its tables in sections."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.cache import never_cache

from apps.api.http.simulation_context import list_visible_simulations
from apps.experiments.models import ExperimentRow
from apps.experiments.queries import list_experiments
from apps.inspection.agents import DayPage, PeoplePage, PlacesPage, ReflectionsPage
from apps.inspection.controls import ControlsPage
from apps.inspection.memories import MemoriesPage, MemoryPage
from apps.inspection.overview import ComparisonPage, OverviewPage
from apps.inspection.pages import InspectionPage, SitePage
from apps.inspection.records import (
    CallPage,
    CallsPage,
    ConversationPage,
    ConversationsPage,
    EventPage,
    LogPage,
)
from apps.inspection.research import (
    ExperimentPage,
    InterviewPage,
    NewsSearchPage,
    RankingPage,
    ResearchPage,
    SurveyPage,
)
from apps.simulation import queries

_AGENT = "agents/<str:agent>/"
_PAGES: tuple[tuple[str, str, type[InspectionPage]], ...] = (
    ("simulation", "", OverviewPage),
    ("controls", "controls/", ControlsPage),
    ("interview", "interviews/<uuid:interview>/", InterviewPage),
    ("events", "events/", LogPage),
    ("event", "events/<int:tick>/<str:stream>/<int:ordinal>/", EventPage),
    ("conversations", "conversations/", ConversationsPage),
    ("conversation", "conversations/<int:tick>/<str:opener>/", ConversationPage),
    ("comparison", "comparisons/<uuid:other>/", ComparisonPage),
    ("research", "research/", ResearchPage),
    ("survey", "surveys/<uuid:survey>/", SurveyPage),
    ("ranking", "surveys/<uuid:survey>/rankings/<uuid:ranking>/", RankingPage),
    ("news-search", "news-searches/<uuid:search>/", NewsSearchPage),
    ("calls", "calls/", CallsPage),
    ("call", "calls/<int:tick>/<str:stream>/<str:task>/<int:number>/", CallPage),
    ("agent", _AGENT, DayPage),
    ("memories", f"{_AGENT}memories/", MemoriesPage),
    ("memory", f"{_AGENT}memories/<int:number>/", MemoryPage),
    ("reflections", f"{_AGENT}reflections/", ReflectionsPage),
    ("people", f"{_AGENT}people/", PeoplePage),
    ("places", f"{_AGENT}places/", PlacesPage),
)


def page_patterns(site: AdminSite) -> list[URLPattern]:
    """Return the patterns of all pages; each is for logged-in members of the staff."""
    of_simulations = (
        (name, f"simulations/<str:simulation>/{route}", page) for name, route, page in _PAGES
    )
    experiment: tuple[str, str, type[SitePage]] = (
        "experiment",
        "experiments/<uuid:experiment>/",
        ExperimentPage,
    )
    return [
        path(
            route,
            site.admin_view(never_cache(page.as_view(site=site))),
            name=f"inspect-{name}",
        )
        for name, route, page in (experiment, *of_simulations)
    ]


HISTORY = "Records of simulations"
ACCESS = "Users and access"
INTERNALS = "Internals, for operators"

# The tables of the first two sections in their order, as app label and model name; all other
# tables are rows of the engine.
_SECTIONS: Mapping[str, Sequence[str]] = {
    HISTORY: (
        "simulation.simulationrow",
        "agents.agentrow",
        "eventlog.eventrow",
        "memory.memoryrow",
        "reflection.reflectionrow",
        "planning.planitemrow",
        "agents.actionrow",
        "dialogue.utterancerow",
        "dialogue.commitmentrow",
        "memory.factrow",
        "llm.modelcallrow",
        "llm.modelfailurerow",
        "simulation.commandrow",
        "interaction.interviewrow",
        "counterfactuals.counterfactualrow",
        "evaluation.surveyrow",
        "evaluation.rankingrow",
        "evaluation.newssearchrow",
        "evaluation.questionnairerow",
        "experiments.experimentrow",
        "experiments.experimenteventrow",
    ),
    ACCESS: (
        "auth.user",
        "auth.group",
        "access.apitoken",
        "access.membershiprow",
    ),
}

_LABELS = {HISTORY: "records", ACCESS: "access", INTERNALS: "internals"}


def in_sections(apps: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the list of apps of `AdminSite.get_app_list` as sections of tables.

    Sections have the members of apps, so that the templates of Django show them.
    """
    tables = {_key(model): model for app in apps for model in app["models"]}
    sections = [
        _section(name, [tables.pop(key) for key in keys if key in tables])
        for name, keys in _SECTIONS.items()
    ]
    rest = sorted(tables.values(), key=lambda model: str(model["name"]))
    return [section for section in (*sections, _section(INTERNALS, rest)) if section["models"]]


def _key(model: Mapping[str, Any]) -> str:
    return str(model["model"]._meta.label_lower)


def _section(name: str, models: list[Any]) -> dict[str, Any]:
    return {
        "name": name,
        "app_label": _LABELS[name],
        "app_url": "",
        "has_module_perms": True,
        "models": models,
    }


SIMULATIONS_LISTED_MAX = 50
EXPERIMENTS_LISTED_MAX = 20


def listed_experiments(user: User) -> QuerySet[ExperimentRow]:
    """Return the latest experiments of a user."""
    return list_experiments(user.pk).order_by("-requested_at")[:EXPERIMENTS_LISTED_MAX]


def listed_simulations(user: User) -> list[dict[str, Any]]:
    """Return the latest simulations of a user, each as `row` and its game time `clock`."""
    rows = list(
        list_visible_simulations(user)
        .select_related("owner")
        .order_by("-created_at")[:SIMULATIONS_LISTED_MAX]
    )
    calendars = queries.calendars_of([row.pk for row in rows])

    def clock(simulation: Any) -> datetime | None:
        calendar = calendars.get(simulation.pk)
        return None if calendar is None else calendar.time_at(simulation.committed_tick)

    return [{"row": row, "clock": clock(row)} for row in rows]


class InspectionSite(AdminSite):
    """Django's admin with pages for the simulations that a user has a role in."""

    site_header = "Smallville"
    site_title = "Smallville"
    index_title = "Simulations and experiments"
    index_template = "inspection/index.html"
    site_url = None

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Return the addresses of the pages and of Django's admin."""
        return [*page_patterns(self), *super().get_urls()]

    def get_app_list(
        self, request: HttpRequest, app_label: str | None = None
    ) -> list[dict[str, Any]]:
        """Return the tables in sections, or those of one app."""
        apps = super().get_app_list(request, app_label)
        return list(apps) if app_label else in_sections(apps)

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        """Show the simulations and experiments of the user, and below them the tables."""
        assert isinstance(request.user, User), "the admin requires a login"
        shown = {
            "simulations": listed_simulations(request.user),
            "experiments": listed_experiments(request.user),
        }
        return super().index(request, shown | (extra_context or {}))
