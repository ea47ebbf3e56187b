"""News searches: requested, estimated, listed, shown, resumed, deleted; their diffusion."""

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.access.rights import Right
from apps.agents.naming import AgentUnknown
from apps.api.http.lists import list_parameters, page_of_items
from apps.api.http.operation import operation
from apps.api.http.rate_limits import THINKING
from apps.api.http.simulation_views import SimulationView
from apps.api.resources.costs import work_estimate
from apps.api.resources.news_search_serializers import (
    NewsSearch,
    NewsSearchEstimate,
    RequestedNewsSearch,
    VerifiedDiffusionReport,
)
from apps.api.resources.work import (
    OfKind,
    SimulationWorkView,
    TokenLimit,
    WorkList,
    views_of_work,
)
from apps.evaluation.expected_calls import expected_of_search
from apps.evaluation.news_searches import commands as news_searches
from apps.evaluation.news_searches import queries as search_queries
from apps.evaluation.news_searches.commands import (
    NEWS_SEARCHES,
    NewsSearchRequest,
    UnusableNews,
)
from apps.evaluation.news_searches.queries import (
    KnowledgeVerdict,
    NewsSearchNotFinished,
    verified_diffusion,
)
from apps.evaluation.news_searches.verification import (
    CALLS_MAX,
    VerifierUnknown,
    ensure_known_verifier,
    verifying_model,
)
from apps.evaluation.social.grapevine import Grapevine
from apps.simulation import queries
from apps.simulation.engine.run_estimates import estimate_work
from apps.simulation.turn.preparation import SimulationPreparing, ensure_prepared

_EXAMPLES = {
    "The party": {
        "news": "Isabella Rodriguez is having a Valentine's Day party at Hobbs Cafe on "
        "February 14",
    },
    "The candidacy by words, as of the evening": {
        "news": "Sam Moore is running for mayor in the local election",
        "verifier": "rule",
        "at": "2023-02-13T20:00:00",
    },
}


class NewsSearchesView(OfKind, SimulationView):
    """A view that reads the request of a news search."""

    kind = NEWS_SEARCHES
    shown_as = NewsSearch

    def requested_search(self, requested: dict[str, Any]) -> NewsSearchRequest:
        """Return the request with its agents.

        :raises InvalidRequest: if the moment is not committed, or an agent is not there.
        :raises SimulationPreparing: if an agent has no seed memories yet.
        :raises UnusableNews: if the news tells nothing.
        :raises VerifierUnknown: if there is no such verifier.
        """
        news_searches.ensure_usable_news(requested["news"])
        ensure_known_verifier(requested["verifier"])
        tick = self.moment(requested)
        agents = self.agents_at(tick, requested.get("agents"))
        for agent in agents:
            ensure_prepared(self.context.row, agent)
        return NewsSearchRequest(
            news=requested["news"],
            agents=agents,
            as_of_tick=tick,
            verifier=requested["verifier"],
            tokens_max=requested.get("tokens_max"),
        )


class NewsSearches(WorkList, NewsSearchesView):
    """The news searches of a simulation; a request uses the budget, as a survey does."""

    query = list_parameters("news, by, reason", "recorded_at", default="-recorded_at")
    rate_limits: ClassVar = {"POST": THINKING}

    @operation("listNewsSearches", "/news-searches", "evaluation", page_of_items(NewsSearch))
    def get(self, request: Request, **_names: str) -> Any:
        """List the news searches of a simulation, by default the latest first."""
        rows = NEWS_SEARCHES.rows.filter(simulation_id=self.context.id)
        return self.listed(rows, "news", "by", "reason")

    @operation(
        "requestNewsSearch",
        "/news-searches",
        "evaluation",
        {202: NewsSearch},
        request=RequestedNewsSearch,
        examples=_EXAMPLES,
        errors=(AgentUnknown, SimulationPreparing, UnusableNews, VerifierUnknown),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Search who knows a piece of news, by the meaning of memories; workers ask the model.

        The memories nearest to the sentence are read by a verifier. Nothing of the history
        changes: no memory counts as retrieved.
        """
        requested = self.body(RequestedNewsSearch)
        row = news_searches.request_news_search(
            self.context.id,
            self.requested_search(requested),
            by=self.user.get_username(),
            reason=requested.get("reason", ""),
        )
        return self.accepted(row)


class NewsSearchEstimates(NewsSearchesView):
    """The estimate of a news search, before it is requested."""

    rights: ClassVar = {"POST": Right.READ}

    @operation(
        "estimateNewsSearch",
        "/news-searches/estimate",
        "evaluation",
        NewsSearchEstimate,
        request=RequestedNewsSearch,
        examples=_EXAMPLES,
        errors=(AgentUnknown, SimulationPreparing, UnusableNews, VerifierUnknown),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Estimate calls, tokens and cost of a news search without asking anything."""
        requested = self.requested_search(self.body(RequestedNewsSearch))
        agents = len(requested.agents)
        found = estimate_work(
            verifying_model(queries.model_of(self.context.id), requested.verifier),
            expected_of_search(agents),
            simulation_id=self.context.id,
        )
        shown = work_estimate(found, agents=agents, calls_max=agents * CALLS_MAX)
        return Response(self.represent(NewsSearchEstimate, shown))


class NewsSearchView(SimulationWorkView):
    """A view below a news search."""

    kind = NEWS_SEARCHES
    shown_as = NewsSearch
    address: ClassVar[str] = f"{SimulationView.address}/news-searches/{{search}}"
    parameter = "search"
    resumption = TokenLimit
    resumption_example: ClassVar = {"tokens_max": 200_000}


VIEWS = views_of_work(NewsSearchView, tag="evaluation")


class SearchedDiffusion(NewsSearchView):
    """The diffusion of the news of a search."""

    @operation(
        "getVerifiedDiffusion",
        "/diffusion",
        "evaluation",
        VerifiedDiffusionReport,
        errors=(NewsSearchNotFinished,),
    )
    def get(self, request: Request, **_names: str) -> Response:
        """Show who knows the news of a finished search, and by which memories and events.

        Each yes has the memories that hold the news and the chain of events; each no has the
        memories that were read, and the model calls that asked.
        """
        row = self.work_row
        search_queries.ensure_finished(row)  # before the log is read
        log = Grapevine(wiring.event_store().read(self.context.id, until_tick=row.as_of_tick))
        found = verified_diffusion(row, log)
        shown = {
            "search": row,
            "spread": found.spread,
            "findings": found.findings,
            "knowers": len(found.spread.knowers),
            "hallucinated": found.count(KnowledgeVerdict.HALLUCINATED),
            "unverified": found.count(KnowledgeVerdict.UNVERIFIED),
        }
        return Response(self.represent(VerifiedDiffusionReport, shown))
