"""News searches: requested, estimated, listed, shown, resumed, deleted; their diffusion."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.access.rights import Right
from apps.agents import queries as agent_queries
from apps.agents.naming import AgentUnknown
from apps.api.http.fields import Strict
from apps.api.http.lists import ListView, list_parameters, page_of_items
from apps.api.http.operation import operation
from apps.api.http.rate_limits import THINKING
from apps.api.http.request_errors import FieldError, InvalidRequest
from apps.api.http.simulation_context import parse_resource_id
from apps.api.http.simulation_views import SimulationView
from apps.api.http.views import Errors
from apps.api.http.worker_tasks import send_after_commit
from apps.api.resources.commands import accepted_response
from apps.api.resources.news_search_serializers import (
    NewsSearch,
    NewsSearchEstimate,
    RequestedNewsSearch,
    SearchTokenLimit,
    VerifiedDiffusionReport,
)
from apps.api.resources.requested_work import values_of_work
from apps.evaluation.models import NewsSearchRow
from apps.evaluation.news_searches import commands as news_searches
from apps.evaluation.news_searches import queries as search_queries
from apps.evaluation.news_searches.commands import (
    NEWS_SEARCHES,
    NewsSearchNotPaused,
    NewsSearchRequest,
    UnusableNews,
)
from apps.evaluation.news_searches.queries import (
    NewsSearchNotFinished,
    NewsSearchUnknown,
    SearchProgress,
)
from apps.evaluation.news_searches.search_estimates import estimate_news_search
from apps.evaluation.news_searches.verification import ensure_known_verifier, verifying_model
from apps.evaluation.news_searches.verified_diffusion import (
    KnowledgeVerdict,
    verified_diffusion,
)
from apps.evaluation.news_searches.verifiers import VerifierUnknown
from apps.evaluation.social.grapevine import Grapevine
from apps.llm.catalogue import price_of
from apps.simulation.turn.preparation import SimulationPreparing, ensure_prepared

SEARCH_NEWS = "smallville.search_news"
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


class NewsSearchesView(SimulationView):
    """A view that reads the request of a news search."""

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
        agents = self._agents_at(tick, requested.get("agents"))
        for agent in agents:
            ensure_prepared(self.context.row, agent)
        return NewsSearchRequest(
            news=requested["news"],
            agents=agents,
            as_of_tick=tick,
            verifier=requested["verifier"],
            tokens_max=requested.get("tokens_max"),
        )

    def _agents_at(self, tick: int, asked: Sequence[str] | None) -> list[str]:
        present = agent_queries.slugs_in_simulation(self.context.id, as_of_tick=tick)
        for place, slug in enumerate(asked or ()):
            row = self.context.get_agent(slug)
            if slug not in present:
                detail = f"{row.name} is not in the simulation at this moment"
                raise InvalidRequest(
                    [FieldError(pointer=f"/agents/{place}", code="not-in-town", detail=detail)]
                )
        return present if asked is None else list(dict.fromkeys(asked))


class NewsSearches(ListView, NewsSearchesView):
    """The news searches of a simulation; a request uses the budget, as a survey does."""

    query = list_parameters("news, by, reason", "recorded_at", default="-recorded_at")
    rate_limits: ClassVar = {"POST": THINKING}

    @operation("listNewsSearches", "/news-searches", "evaluation", page_of_items(NewsSearch))
    def get(self, request: Request, **_names: str) -> Any:
        """List the news searches of a simulation, by default the latest first."""
        rows = [
            row
            for row in search_queries.list_news_searches(self.context.id)
            if self.contains_search(row.news, row.by, row.reason)
        ]
        return self.page(
            rows, NewsSearch, prepare=_shown_all, recorded_at=("requested_at", "pk")
        )

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
        send_after_commit(SEARCH_NEWS, search_id=str(row.pk))
        return accepted_response(self.represent(NewsSearch, _shown(row)))


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
        model = verifying_model(
            NewsSearchRow(simulation_id=self.context.id, verifier=requested.verifier)
        )
        price = price_of(model.chat_model, model.server)
        found = estimate_news_search(
            len(requested.agents), price, simulation_id=self.context.id
        )
        shown = {name: getattr(found, name) for name in found.__slots__}
        return Response(
            self.represent(NewsSearchEstimate, shown | {"is_priced": price is not None})
        )


class NewsSearchView(SimulationView):
    """A view below a news search, which is in `search_row`."""

    query = Strict
    errors: ClassVar[Errors] = (NewsSearchUnknown,)
    search_row: NewsSearchRow

    def load_resources(self, **names: str) -> None:
        """Load the news search.

        :raises NewsSearchUnknown: if there is none of that id.
        """
        super().load_resources(**names)
        search_id = parse_resource_id(
            names["search"], NewsSearchUnknown, "there is no news search"
        )
        self.search_row = search_queries.get_news_search(self.context.id, search_id)


class OneNewsSearch(NewsSearchView):
    """A news search."""

    @operation("getNewsSearch", "/news-searches/{search}", "evaluation", NewsSearch)
    def get(self, request: Request, **_names: str) -> Response:
        """Show a news search and its progress."""
        return Response(self.represent(NewsSearch, _shown(self.search_row)))

    @operation("deleteNewsSearch", "/news-searches/{search}", "evaluation", {204: None})
    def delete(self, request: Request, **_names: str) -> Response:
        """Delete a news search with its findings; if it is in progress, it stops."""
        self.search_row.delete()
        return Response(status=HTTPStatus.NO_CONTENT)


class ResumedNewsSearch(NewsSearchView):
    """The continuation of a paused news search."""

    @operation(
        "resumeNewsSearch",
        "/news-searches/{search}/resume",
        "evaluation",
        {202: NewsSearch},
        request=SearchTokenLimit,
        examples={"With a higher limit": {"tokens_max": 200_000}},
        errors=(NewsSearchNotPaused,),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Let a paused news search go on, with another limit of tokens if one is given."""
        limit = self.body(SearchTokenLimit).get("tokens_max")
        row = news_searches.resume_news_search(self.search_row, tokens_max=limit)
        send_after_commit(SEARCH_NEWS, search_id=str(row.pk))
        return accepted_response(self.represent(NewsSearch, _shown(row)))


class SearchedDiffusion(NewsSearchView):
    """The diffusion of the news of a search."""

    @operation(
        "getVerifiedDiffusion",
        "/news-searches/{search}/diffusion",
        "evaluation",
        VerifiedDiffusionReport,
        errors=(NewsSearchNotFinished,),
    )
    def get(self, request: Request, **_names: str) -> Response:
        """Show who knows the news of a finished search, and by which memories and events.

        Each yes has the memories that hold the news and the chain of events; each no has the
        memories that were read, and the model calls that asked.
        """
        row = self.search_row
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


def _shown(row: NewsSearchRow) -> dict[str, Any]:
    return _shown_all([row])[0]


def _shown_all(rows: list[NewsSearchRow]) -> list[dict[str, Any]]:
    progress = search_queries.search_progress([row.pk for row in rows])
    return [
        values_of_work(NEWS_SEARCHES, row)
        | {"progress": progress.get(row.pk, SearchProgress())}
        for row in rows
    ]
