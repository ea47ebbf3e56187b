"""A piece of news in a request: words, or a finished news search that found it by meaning."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from rest_framework import serializers

from apps.api.http.request_errors import FieldError, InvalidRequest
from apps.api.resources.social import WordsOfNews
from apps.evaluation.news_searches.commands import NEWS_SEARCHES
from apps.evaluation.news_searches.queries import (
    NewsSearchNotFinished,
    ensure_finished,
    findings_of,
)
from apps.evaluation.news_searches.verified_diffusion import verified_news
from apps.evaluation.social.news import FollowedNews, news_of
from apps.kernel.game_time import GameCalendar
from apps.work.kinds import WorkUnknown

SEARCH_ERRORS = (WorkUnknown, NewsSearchNotFinished)


class WordsOrSearch(WordsOfNews):
    """A piece of news, by words or by a finished news search: either `topic` or `search`."""

    search = serializers.UUIDField(
        required=False,
        help_text="In place of words: the id of a finished news search of this simulation, "
        "whose memories hold the news.",
    )

    def get_fields(self) -> dict[str, Any]:
        """Return the fields; words may be left out."""
        fields: dict[str, Any] = super().get_fields()
        fields["topic"].required = False
        return fields

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check that the news is given in one way."""
        if ("topic" in attrs) == ("search" in attrs):
            raise serializers.ValidationError(
                {
                    "topic": "give either topic, the words of the news, or search, the id of a "
                    "finished news search"
                }
            )
        if "search" in attrs and (unused := [one for one in ("about", "asks") if attrs[one]]):
            raise serializers.ValidationError(
                {unused[0]: "it means nothing beside search; leave it out"}
            )
        return attrs


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedNews:
    """The news of a request.

    `unverified` are agents of which the search has no valid answer to some of its questions:
    they may know the news without a memory that it has found, or have known it earlier.
    """

    news: FollowedNews
    unverified: frozenset[str] = frozenset()


def requested_news(
    simulation_id: UUID,
    requested: dict[str, Any],
    agents: Collection[str],
    *,
    until_tick: int,
    calendar: GameCalendar,
) -> RequestedNews:
    """Return the news of `WordsOrSearch`, which is asked of the agents up to a tick.

    :raises WorkUnknown: if the simulation has no such search.
    :raises NewsSearchNotFinished: if its agents are not verified yet.
    :raises InvalidRequest: if it is as of an earlier moment, or has left out an agent.
    """
    if "search" not in requested:
        words = (requested["topic"], requested["about"], requested["asks"])
        return RequestedNews(news=news_of(*words))
    row = NEWS_SEARCHES.get(requested["search"], simulation_id=simulation_id)
    ensure_finished(row)
    rows = list(findings_of(row))
    if row.as_of_tick < until_tick:
        searched, needed = (
            f"{calendar.time_at(tick):%Y-%m-%dT%H:%M:%S}"
            for tick in (row.as_of_tick, until_tick)
        )
        detail = f"the search is as of {searched}; it must be as of {needed} or later"
        raise InvalidRequest([FieldError(pointer="/search", code="too-early", detail=detail)])
    if missing := sorted({*agents}.difference(one.agent for one in rows)):
        detail = f"the search has left out {', '.join(missing)}; search all agents"
        raise InvalidRequest([FieldError(pointer="/search", code="incomplete", detail=detail)])
    return RequestedNews(
        news=verified_news(row, rows),
        unverified=frozenset(one.agent for one in rows if one.parse_error),
    )
