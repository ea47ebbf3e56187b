"""News searches: requested, estimated, listed, shown; the diffusion of their news."""

from typing import Annotated, Any, ClassVar

from pydantic import Field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.agents.naming import AgentUnknown
from apps.api.http.fields import Clock, ResourceURL
from apps.api.http.simulation_views import SimulationView
from apps.api.http.views import THINKING, operation
from apps.api.resources.costs import WorkEstimate, work_estimate
from apps.api.resources.social import DiffusionReport, follow_news
from apps.api.resources.surveys import AGENTS_MAX
from apps.api.resources.work import (
    LimitedWork,
    SimulationWorkRequests,
    SimulationWorkView,
    TokenLimit,
    progress_of_work,
    views_of_requests,
    views_of_work,
)
from apps.evaluation.expected_calls import expected_of_search
from apps.evaluation.models import NewsSearchRow
from apps.evaluation.news_searches import commands as news_searches
from apps.evaluation.news_searches import queries as search_queries
from apps.evaluation.news_searches.commands import (
    NEWS_CHARACTERS_MAX,
    NEWS_SEARCHES,
    NewsSearchRequest,
    UnusableNews,
)
from apps.evaluation.news_searches.queries import NewsSearchNotFinished, verified_news
from apps.evaluation.news_searches.verification import (
    CALLS_MAX,
    VerifierUnknown,
    ensure_known_verifier,
    verifying_model,
)
from apps.kernel.request_models import Listed
from apps.kernel.requested_values import LastTickUntil, Name, Reason, Slug
from apps.simulation import queries
from apps.simulation.engine.run_estimates import estimate_work
from apps.simulation.turn.preparation import SimulationPreparing, ensure_prepared


class RequestedNewsSearch(TokenLimit):
    """A piece of news as a sentence, and in whose memories it is searched."""

    news: Annotated[str, Field(max_length=NEWS_CHARACTERS_MAX)]
    """A sentence that says who does what, where and when: `Isabella Rodriguez is having a
    Valentine's Day party at Hobbs Cafe on February 14`."""
    agents: Annotated[Listed[Slug], Field(min_length=1, max_length=AGENTS_MAX)] | None = None
    """All agents that are there at the moment, if left out."""
    at: LastTickUntil | None = None
    """A committed moment; now, if left out."""
    verifier: Name = NewsSearchRow.MODEL
    """`model` is the simulation's model; others are listed by `GET /verifiers`. `rule` compares
    words, without a model: it does not find news in other words."""
    reason: Reason = ""
    """The reason; it is stored with the search."""


NewsSearchProgress = progress_of_work(search_queries.SearchProgress, "NewsSearchProgress")


class NewsSearch(LimitedWork):
    """A news search and its progress."""

    id = serializers.UUIDField()
    status_url = ResourceURL("getNewsSearch", simulation="simulation_id", search="id")
    news = serializers.CharField()
    as_of = Clock(source="as_of_tick")
    verifier = serializers.CharField()
    progress = NewsSearchProgress()
    tokens = serializers.IntegerField(
        min_value=0,
        help_text="Of its model calls so far; those that it has in common with an earlier "
        "search for the same news count for both.",
    )


class NewsSearchEstimate(WorkEstimate):
    """The expected use of a news search."""

    agents = serializers.IntegerField(min_value=0)
    calls_max = serializers.IntegerField(min_value=0, help_text="It cannot make more.")


class NewsSearchRequests(SimulationWorkRequests):
    """The news searches of a simulation; a request uses the budget, as a survey does."""

    kind = NEWS_SEARCHES
    shown_as = NewsSearch
    body_model = RequestedNewsSearch
    estimated_as = NewsSearchEstimate
    searched: ClassVar = {"news": "news", "by": "by", "reason": "reason"}

    def requested_search(self, requested: RequestedNewsSearch) -> NewsSearchRequest:
        """Return the request with its agents.

        :raises InvalidRequest: if the moment is not committed, or an agent is not there.
        :raises SimulationPreparing: if an agent has no seed memories yet.
        :raises UnusableNews: if the news tells nothing.
        :raises VerifierUnknown: if there is no such verifier.
        """
        news_searches.ensure_usable_news(requested.news)
        ensure_known_verifier(requested.verifier)
        tick = self.moment(requested.at)
        agents = self.agents_at(tick, requested.agents)
        ensure_prepared(self.context.row, agents)
        return NewsSearchRequest(
            news=requested.news,
            agents=agents,
            as_of_tick=tick,
            verifier=requested.verifier,
            tokens_max=requested.tokens_max,
        )

    def record(self, requested: RequestedNewsSearch) -> NewsSearchRow:
        """Search who knows a piece of news, by the meaning of memories; workers ask the model.

        The memories nearest to the sentence are read by a verifier. Nothing of the history
        changes: no memory counts as retrieved.
        """
        return news_searches.request_news_search(
            self.context.id,
            self.requested_search(requested),
            by=self.user.get_username(),
            reason=requested.reason,
        )

    def estimate(self, requested: RequestedNewsSearch) -> dict[str, Any]:
        """Return the values of `NewsSearchEstimate`."""
        agents = self.requested_search(requested).agents
        model = verifying_model(queries.model_of(self.context.id), requested.verifier)
        expected = expected_of_search(len(agents))
        found = estimate_work(self.context.id, expected, agents=agents, model=model)
        return work_estimate(found, agents=len(agents), calls_max=len(agents) * CALLS_MAX)


class NewsSearchView(SimulationWorkView):
    """A view below a news search."""

    kind = NEWS_SEARCHES
    shown_as = NewsSearch
    address: ClassVar[str] = f"{SimulationView.address}/news-searches/{{search}}"
    parameter = "search"
    resumption = TokenLimit


VIEWS = views_of_work(NewsSearchView, tag="evaluation") + views_of_requests(
    NewsSearchRequests,
    tag="evaluation",
    route="/news-searches",
    request_id="requestNewsSearch",
    rate=THINKING,
    errors=(AgentUnknown, SimulationPreparing, UnusableNews, VerifierUnknown),
)


class SearchedDiffusion(NewsSearchView):
    """The diffusion of the news of a search."""

    @operation(
        "getVerifiedDiffusion",
        "/diffusion",
        "evaluation",
        DiffusionReport,
        errors=(NewsSearchNotFinished,),
    )
    def get(self, request: Request, **_names: str) -> Response:
        """Show who knows the news of a finished search, and by which memories and events.

        Each yes has the memories that hold the news and the chain of events; each no has the
        memories that were read, and the model calls that asked.
        """
        row = self.work_row
        news = verified_news(row)
        agents = news.searched or ()
        found = follow_news(self.context.id, news, agents, as_of_tick=row.as_of_tick)
        return Response(self.represent(DiffusionReport, found))
