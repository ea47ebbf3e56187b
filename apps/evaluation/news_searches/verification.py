"""The verifiers of news: how a model or a function reads the memories of an agent."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from math import ceil
from typing import Any
from uuid import UUID

from django.utils import timezone

from apps import history
from apps.django_support.function_registry import Registry
from apps.evaluation.function_model import with_function, without_server
from apps.evaluation.models import NewsFindingRow, NewsSearchRow
from apps.evaluation.news_searches.llm_tasks import (
    NEWS_VERIFICATION,
    HoldingMemory,
    NewsExtent,
    NewsInput,
    NewsVerification,
)
from apps.history import Constants
from apps.kernel.errors import DomainError
from apps.kernel.game_time import format_date
from apps.kernel.language import noted, phrase, use_language
from apps.kernel.words import content_stems
from apps.llm.calls.agent_llm import AgentLLM, CallSeries
from apps.llm.calls.gateway import CallBatches
from apps.llm.cleaning import in_one_line
from apps.llm.model_spec import ModelSpec
from apps.llm.opening import Models, open_agent_llm
from apps.llm.port import CallPurpose
from apps.memory.events import Weights
from apps.memory.items import MemoryItem, memory_item
from apps.memory.mean_squares import mean_squares, query_vector
from apps.memory.retrieval import RankedMemory
from apps.memory.retrieval_query import retrieve
from apps.memory.rules import CANDIDATES_MAX as RANKED_MAX
from apps.simulation.ports import Ports


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
    """The words of a piece of news by their kind, which are general properties of the input.

    They are names of agents, circumstances (places and times), and the rest, which says what
    the news is. A memory holds the news if it names one of the agents and has enough of the
    words of what it is. The rule knows no synonyms: it does not find news in other words, as a
    language model does.
    """

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


CANDIDATES_MAX = 24
"""Memories in one prompt of a verifier; more of them find little and cost as much each."""
_BY_MEANING = Weights(recency=0, importance=0, relevance=1)


def nearest_memories(
    simulation_id: UUID,
    agent: str,
    vector: Sequence[float],
    *,
    as_of_tick: int,
    tick_seconds: int,
    time_at: Callable[[int], datetime],
    besides: Collection[int],
) -> list[RankedMemory]:
    """Return the memories by relevance alone, best first, without those of `besides`.

    Exact, as all retrievals are, and recorded nowhere: it renews no recency. Of memories that
    tell the same, the first is returned.
    """
    ranked = retrieve(
        simulation_id,
        agent,
        vector,
        as_of_tick=as_of_tick,
        tick_seconds=tick_seconds,
        weights=_BY_MEANING,
        limit=RANKED_MAX,
    )
    kept = [one for one in firsts_of_each(ranked, time_at) if one.number not in besides]
    return kept[:CANDIDATES_MAX]


def firsts_of_each(
    ranked: Iterable[RankedMemory], time_at: Callable[[int], datetime]
) -> list[RankedMemory]:
    """Return the first of the memories that tell the same, at the place of the best of them.

    They have the same words, subject and scheduled activity, and are of the same day: "the
    party is today" is other news on another day.
    """
    first: dict[object, RankedMemory] = {}
    for memory in ranked:
        day = time_at(memory.formed_tick).date()
        told = (memory.description.casefold(), memory.subject, memory.scheduled, day)
        if told not in first or memory.number < first[told].number:
            first[told] = memory  # a key keeps its first place
    return list(first.values())


CALLS_MAX = 3
"""Calls for one agent: the nearest memories, then twice those from before the first found."""


def ensure_known_verifier(verifier: str) -> None:
    """Check that there is a verifier: the model of the simulation, or a function.

    :raises VerifierUnknown: if there is none of that name.
    """
    if verifier != NewsSearchRow.MODEL:
        VERIFIERS.item(verifier)


def verifying_model(model: ModelSpec, verifier: str) -> ModelSpec:
    """Return the model that verifies: that of the simulation, or none for a function."""
    if verifier == NewsSearchRow.MODEL:
        return model
    return without_server(model)


def _open_verifier(ports: Ports, row: NewsSearchRow, seed: int) -> Models:
    model = verifying_model(history.model_of(row.simulation_id), row.verifier)
    models = ports.open_models(model, seed)
    if row.verifier == NewsSearchRow.MODEL:
        return models
    verify = VERIFIERS.item(row.verifier).function
    return with_function(models, row.verifier, NEWS_VERIFICATION.name, verify)


def verify_agent(
    ports: Ports, row: NewsSearchRow, finding: NewsFindingRow, batches: CallBatches
) -> None:
    """Ask the verifier about the memories of an agent that are nearest to the news.

    What it finds is set in the finding, which is not saved.

    The first memory that holds the news says when the agent came to know it. It may not be
    among the nearest, so that the memories from before the first found are searched again.

    :raises VerifierUnknown: if there is no such verifier any more.
    :raises BudgetSpent: if the budget of the simulation is spent (L5).
    :raises ModelUnavailable: if the model does not answer.
    """
    constants = history.constants_of(row.simulation_id, ports.worlds)
    llm = open_agent_llm(
        simulation_id=row.simulation_id,
        tick=row.as_of_tick,
        stream=finding.agent,
        models=_open_verifier(ports, row, constants.seed),
        series=CallSeries(
            purpose=CallPurpose.INTERVIEW,
            others=finding.number * CALLS_MAX,
            can_wait=True,
            batches=batches,
        ),
    )
    with use_language(constants.world.language):
        _Verification(constants, row, finding.agent, llm).find(finding)


class _Verification:
    """The search in the memories of one agent."""

    def __init__(
        self, constants: Constants, row: NewsSearchRow, agent: str, llm: AgentLLM
    ) -> None:
        self._constants, self._row, self._agent, self._llm = constants, row, agent, llm
        self._news = in_one_line(row.news)
        self._considered: dict[int, RankedMemory] = {}
        self._held: list[dict[str, Any]] = []

    def find(self, finding: NewsFindingRow) -> None:
        """Search until no earlier memory holds the news."""
        tick, knows, error = self._row.as_of_tick, False, ""
        for _ in range(CALLS_MAX):
            memories = self._nearest(tick)
            if not memories:
                break
            answer = self._llm.ask(NEWS_VERIFICATION, self._input(memories))
            error = self._llm.error_of_last()
            self._considered |= {memory.number: memory for memory in memories}
            if error:
                break
            knows = knows or answer.knows
            self._held += _held(answer, memories)
            tick = min((one["tick"] for one in self._held), default=0) - 1
            if not answer.held or tick < 0:
                break
        finding.knows, finding.parse_error = knows, error
        finding.considered = [_considered(memory) for memory in self._considered.values()]
        finding.held = sorted(self._held, key=lambda one: (one["tick"], one["number"]))
        finding.model_calls = list(self._llm.calls)
        finding.verified_at = timezone.now()

    def _nearest(self, tick: int) -> list[RankedMemory]:
        simulation_id = self._row.simulation_id
        settings = self._constants.retrieval
        vector = query_vector(
            self._llm.vector(self._news),
            settings.query_words,
            partial(mean_squares, simulation_id, self._agent, as_of_tick=tick),
        )
        return nearest_memories(
            simulation_id,
            self._agent,
            vector,
            as_of_tick=tick,
            tick_seconds=settings.tick_seconds,
            time_at=self._constants.calendar.time_at,
            besides=self._considered,
        )

    def _input(self, memories: Iterable[RankedMemory]) -> NewsInput:
        simulation_id, tick = self._row.simulation_id, self._row.as_of_tick
        calendar, tree = self._constants.calendar, self._constants.world.tree
        names = history.names_of_agents(simulation_id, as_of_tick=tick)
        now = calendar.time_at(tick)

        return NewsInput(
            agent_name=names[self._agent],
            now=now,
            news=self._news,
            names=agents_named(self._news, sorted(names.values())),
            places=places_named(
                self._news, dict.fromkeys(one.name for one in (*tree.places, *tree.areas))
            ),
            memories=tuple(
                memory_item(
                    memory,
                    time_at=calendar.time_at,
                    name_of=lambda subject: names.get(subject, ""),
                    now=now,
                )
                for memory in memories
            ),
        )


def _held(answer: NewsVerification, memories: list[RankedMemory]) -> list[dict[str, Any]]:
    """Return the memories that hold the news, with the reasons."""
    found = ((memories[one.memory - 1], one) for one in answer.held)
    return [
        {
            "number": memory.number,
            "tick": memory.formed_tick,
            "description": memory.description,
            "extent": one.extent.value,
            "reason": in_one_line(one.reason),
        }
        for memory, one in found
    ]


def _considered(memory: RankedMemory) -> dict[str, Any]:
    return {
        "number": memory.number,
        "tick": memory.formed_tick,
        "description": memory.description,
        "relevance": memory.parts.relevance.raw,
    }
