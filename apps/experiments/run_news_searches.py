"""The news searches that measure a run: requested at a moment, as its surveys are."""

from uuid import UUID

from apps import history
from apps.evaluation.models import NewsSearchRow
from apps.evaluation.news_searches.commands import NewsSearchRequest, request_news_search
from apps.experiments.design import NewsMeasure


def search_for(
    simulation_id: UUID, measure: NewsMeasure, *, tick: int, tokens_max: int | None, by: str
) -> NewsSearchRow:
    """Request the search for the news of a measure in a run, as of the end of a tick.

    :raises DomainError: if no agent is there.
    """
    request = NewsSearchRequest(
        news=measure.sentence,
        agents=history.slugs_in_simulation(simulation_id, as_of_tick=tick),
        as_of_tick=tick,
        verifier=measure.verifier,
        tokens_max=tokens_max,
    )
    return request_news_search(
        simulation_id, request, by=by, reason="a measure of an experiment"
    )
