"""A piece of news in a request: words, or a finished news search that found it by meaning."""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from rest_framework import serializers

from apps import wiring
from apps.api.http.fields import Strict, Text
from apps.api.http.request_errors import FieldError, InvalidRequest
from apps.evaluation.news_searches.commands import NEWS_SEARCHES
from apps.evaluation.news_searches.queries import (
    NewsSearchNotFinished,
    ensure_finished,
    findings_of,
    verified_news,
)
from apps.evaluation.social.grapevine import Diffusion, Grapevine, diffusion
from apps.evaluation.social.news import News, news_of
from apps.kernel.game_time import GameCalendar
from apps.work.kinds import WorkUnknown

SEARCH_ERRORS = (WorkUnknown, NewsSearchNotFinished)
WORDS_MAX, WORD_CHARACTERS_MAX = 50, 200


def _words(help_text: str) -> serializers.ListField:
    return serializers.ListField(
        child=Text(max_length=WORD_CHARACTERS_MAX),
        required=False,
        default=list,
        max_length=WORDS_MAX,
        help_text=help_text,
    )


class WordsOrSearch(Strict):
    """A piece of news, by words or by a finished news search: either `topic` or `search`.

    A text tells it that has one of `topic` and one of `about`.
    """

    topic = _words("Words by which one speaks of it, in any case: `party`.")
    about = _words("Words that tell it from others of its kind: `Isabella`, `Valentine's Day`.")
    asks = _words("Phrases that only ask about it: `who will run for mayor`.")
    search = serializers.UUIDField(
        required=False,
        help_text="In place of words: the id of a finished news search of this simulation, "
        "whose memories hold the news.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check that the news is given in one way."""
        if bool(attrs["topic"]) == ("search" in attrs):
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


def requested_news(
    simulation_id: UUID,
    requested: dict[str, Any],
    agents: Collection[str],
    *,
    until_tick: int,
    calendar: GameCalendar,
) -> News:
    """Return the news of `WordsOrSearch`, which is asked of the agents up to a tick.

    :raises WorkUnknown: if the simulation has no such search.
    :raises NewsSearchNotFinished: if its agents are not verified yet.
    :raises InvalidRequest: if it is as of an earlier moment, or has left out an agent.
    """
    if "search" not in requested:
        return news_of(requested["topic"], requested["about"], requested["asks"])
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
    return verified_news(row, rows)


def follow_news(
    simulation_id: UUID, news: News, agents: Sequence[str], *, as_of_tick: int
) -> Diffusion:
    """Return the agents that know the news at the tick, from the log up to it."""
    log = wiring.event_store().read(simulation_id, until_tick=as_of_tick)
    return diffusion(Grapevine(log), news, agents, as_of_tick=as_of_tick)
