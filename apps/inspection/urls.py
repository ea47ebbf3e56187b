"""The addresses of the pages, below `/admin/`."""

from django.contrib.admin import AdminSite
from django.urls import URLPattern, path
from django.views.decorators.cache import never_cache

from apps.inspection.calls import CallPage, CallsPage
from apps.inspection.comparisons import ComparisonPage
from apps.inspection.controls import ControlsPage
from apps.inspection.conversations import ConversationPage, ConversationsPage
from apps.inspection.day import DayPage
from apps.inspection.experiments import ExperimentPage
from apps.inspection.interviews import InterviewPage
from apps.inspection.log import EventPage, LogPage
from apps.inspection.memories import MemoriesPage, MemoryPage
from apps.inspection.overview import OverviewPage
from apps.inspection.pages import InspectionPage, SitePage
from apps.inspection.people import PeoplePage
from apps.inspection.places import PlacesPage
from apps.inspection.reflection_trees import ReflectionsPage
from apps.inspection.research import NewsSearchPage, RankingPage, ResearchPage, SurveyPage

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
