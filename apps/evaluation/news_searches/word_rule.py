"""The registered verifiers, and the rule that verifies news by words, without a language model.

It rests on general properties of the typed input. The words of the news are of three kinds:
names of agents, circumstances (places and times), and the rest, which says what the news is. A
memory holds the news if it names one of the agents and has enough of the words of what it is.
The rule knows no synonyms: it does not find news in other words, as a language model does.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import ceil

from apps.django_support.function_registry import Registry
from apps.evaluation.news_searches.llm_tasks import (
    HoldingMemory,
    NewsExtent,
    NewsInput,
    NewsVerification,
)
from apps.kernel.errors import DomainError
from apps.kernel.game_time import format_date
from apps.kernel.language import noted, phrase
from apps.llm.hashing_embedding import content_stems
from apps.memory.items import MemoryItem


def agents_named(news: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return those of the full names of agents whose first word the news has."""
    words = content_stems(news)
    return tuple(name for name in names if key_words(name) <= words)


def key_words(name: str) -> frozenset[str]:
    """Return the words by which an agent is named: those of its first name."""
    return content_stems(name.partition(" ")[0]) or content_stems(name)


def places_named(news: str, places: Iterable[str]) -> tuple[str, ...]:
    """Return those of the names of places of which the news has all words."""
    words = content_stems(news)
    return tuple(place for place in places if frozenset() != content_stems(place) <= words)


class VerifierUnknown(DomainError):
    """There is no verifier of that name; `GET /verifiers` lists them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verifier:
    """Returns which memories hold the news."""

    name: str
    description: str
    function: Callable[[NewsInput], NewsVerification]


VERIFIERS = Registry("verifier", Verifier, unknown=VerifierUnknown)
WORDS_MIN = 2
"""A single word in common, such as that of another party, does not make it the same news."""
WORDS_SHARE_MIN = 1 / 3
WHOLE_SHARE_MIN = 0.8
REASON = noted("the memory has {found} of {count} words of the news")
_QUESTION_MARK = "?"
_TIME_WORDS = content_stems(
    "second minute hour day week month year today tonight tomorrow yesterday morning noon "
    "midday afternoon evening night midnight weekend am pm next last this o'clock "
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April "
    "May June July August September October November December"
)


@VERIFIERS.register("rule", description="Compares words; it does not find news in other words.")
def verified_by_words(inputs: NewsInput) -> NewsVerification:
    """Return the memories that hold the news by their words."""
    rule = _NewsWords(inputs)
    held = [
        HoldingMemory(memory=place, extent=extent, reason=reason)
        for place, memory in enumerate(inputs.memories, start=1)
        for extent, reason in rule.judgements(memory)
    ]
    return NewsVerification(knows=bool(held), held=tuple(held))


class _NewsWords:
    """The words of a piece of news by their kind."""

    def __init__(self, inputs: NewsInput) -> None:
        self._all = content_stems(inputs.news)
        self._names = [key_words(name) for name in inputs.names]
        named = frozenset().union(*map(content_stems, inputs.names))
        places = content_stems(" ".join(inputs.places))
        is_time = {word for word in self._all if word in _TIME_WORDS or word[0].isdigit()}
        told = self._all - named
        self._what = told - places - is_time or told
        self._needed = min(
            len(self._what), max(WORDS_MIN, ceil(len(self._what) * WORDS_SHARE_MIN))
        )

    def judgements(self, memory: MemoryItem) -> list[tuple[NewsExtent, str]]:
        """Return the extent to which a memory holds the news, with the reason; [] if not."""
        if memory.description.rstrip().endswith(_QUESTION_MARK):
            return []
        words = content_stems(memory.description) | _scheduled_words(memory)
        about = words | content_stems(memory.subject_name)
        is_named = not self._names or any(name <= about for name in self._names)
        if not self._needed or not is_named or len(self._what & words) < self._needed:
            return []
        found = len(self._all & about)
        is_whole = found >= WHOLE_SHARE_MIN * len(self._all)
        reason = phrase(REASON, found=found, count=len(self._all))
        return [(NewsExtent.WHOLE if is_whole else NewsExtent.PART, reason)]


def _scheduled_words(memory: MemoryItem) -> frozenset[str]:
    """Return the words of what a memory has scheduled: the activity, the place, the day."""
    scheduled = memory.scheduled
    if scheduled is None:
        return frozenset()
    day = "" if scheduled.starts is None else format_date(scheduled.starts)
    return content_stems(f"{scheduled.activity} {scheduled.place} {day}")
