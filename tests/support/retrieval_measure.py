"""The quality of variants of retrieval, on the questions about frozen streams."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from statistics import mean
from typing import Any
from uuid import UUID, uuid4

from django.db import connection

from apps.kernel.game_time import GameCalendar
from apps.llm.calls.agent_llm import AgentLLM
from apps.memory.events import RetrievalPurpose, Weights
from apps.memory.focus import Focus, news
from apps.memory.models import MemoryRow, RepetitionRow, RetrievalRow
from apps.memory.retrieval import Subject
from apps.memory.retrieval_session import RetrievalSession
from apps.memory.rules import RETRIEVAL_TOKENS_DEFAULT
from apps.memory.selection import RetrievalSettings
from benchmarks.retrieval_table import DEFAULT, FOCUS_FIRST, NOT_DISTANT
from tests.support.retrieval_questions import (
    ANSWERS,
    FIELDS,
    FIRST_DAY,
    HELPS,
    TICK_SECONDS,
    Memory,
    Question,
    frozen_streams,
    names_of_all,
    questions,
)

PRECISION_AT, RECALL_AT = 5, 15
CALENDAR = GameCalendar(datetime(2023, 2, FIRST_DAY), TICK_SECONDS)
ROWS_AT_ONCE = 500

# The share of a prompt's memories that a retrieval of the purpose has (M5).
_SHARES = {
    RetrievalPurpose.REACTION: 1 / 6,
    RetrievalPurpose.UTTERANCE: 1 / 4,
    RetrievalPurpose.PLANNING: 1 / 2,
    RetrievalPurpose.INSIGHTS: 1.0,
    RetrievalPurpose.INTERVIEW: 3 / 8,
}
_OTHER_SHARE = 1 / 2

# The focus was designed on the questions of these agents, and measured on the others (ADR 77).
DESIGN_AGENTS = {"giorgio-rossi", "isabella-rodriguez", "klaus-mueller", "sam-moore"}

# The purposes whose retrievals ask about the agent itself, as plans and summaries do; what was
# agreed for a day is no such question.
_ABOUT_ITSELF = {
    RetrievalPurpose.PLANNING,
    RetrievalPurpose.CORE_CHARACTERISTICS,
    RetrievalPurpose.DAILY_OCCUPATION,
    RetrievalPurpose.RECENT_PROGRESS,
}

Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """Settings of retrieval with a name; `asks` returns the query that is embedded."""

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    asks: Callable[[Question], str] = lambda question: question.query

    def retrieval(self) -> RetrievalSettings:
        """Return the settings."""
        return RetrievalSettings(tick_seconds=TICK_SECONDS, **self.settings)


def without_own_name(question: Question) -> str:
    """Return the query without the name of the agent that makes it."""
    name = " ".join(word.capitalize() for word in question.agent.split("-"))
    return question.query.replace(f"{name}'s ", "").replace(name, "").strip()


def relevance(weight: float) -> dict[str, Any]:
    """Return the settings of a weight of relevance for all retrievals."""
    return PAPER | {"weights": Weights(relevance=weight)}


# The setting of each variant, and all of them as in the paper.
PAPER: dict[str, Any] = {
    "relevance_emphasis": "none",
    "subject_share": 0.0,
    "query_words": "alike",
    "distant_statements": "kept",
    "focus": "ignored",
}
QUESTIONS = PAPER | {"relevance_emphasis": "questions"}
EMPHASIS, ALL_ABOUT, RARE = (
    {"relevance_emphasis": "purposes"},
    {"subject_share": 1.0},
    {"query_words": "rare first"},
)
FOCUS = {"focus": "first"}
LEFT_OUT = {"distant_statements": "left out"}
THREE = PAPER | EMPHASIS | ALL_ABOUT | RARE
VARIANTS = (
    Variant(name="paper", settings=PAPER),
    Variant(name="questions", settings=QUESTIONS),
    Variant(name="purposes", settings=PAPER | EMPHASIS),
    Variant(name="relevance 8", settings=relevance(8.0)),
    Variant(name="subject share 0.5", settings=QUESTIONS | {"subject_share": 0.5}),
    Variant(name="subject share 1", settings=QUESTIONS | ALL_ABOUT),
    Variant(name="rare first", settings=QUESTIONS | RARE),
    Variant(name="own name left out", settings=QUESTIONS, asks=without_own_name),
    Variant(name="paper, share 1", settings=PAPER | ALL_ABOUT),
    Variant(name="purposes, share 1", settings=PAPER | EMPHASIS | ALL_ABOUT),
    Variant(name=DEFAULT, settings=THREE),
    Variant(name=NOT_DISTANT, settings=THREE | LEFT_OUT),
    Variant(name=FOCUS_FIRST, settings=THREE | LEFT_OUT | FOCUS),
)


@dataclass(frozen=True, slots=True)
class Found:
    """How well one question was answered.

    `precision` is the share of the first PRECISION_AT memories that answer or help, `best`
    the greatest possible one; `recall` is the share of all such memories among the first
    RECALL_AT, repetitions counted once; `answered` is whether the first PRECISION_AT have an
    answer.
    """

    precision: float
    best: float
    recall: float
    answered: bool


def found(grades: Mapping[int, int], texts: Mapping[int, str], numbers: Sequence[int]) -> Found:
    """Return how well the retrieved memories, best first, answer a question.

    `texts` are the descriptions by number: memories with the same one count once.
    """
    wanted = {texts[number] for number, grade in grades.items() if grade >= HELPS}
    first = numbers[:PRECISION_AT]
    hits = sum(grades.get(number, 0) >= HELPS for number in first)
    reached = {texts[number] for number in numbers[:RECALL_AT]} & wanted
    return Found(
        precision=hits / PRECISION_AT,
        best=min(PRECISION_AT, len(wanted)) / PRECISION_AT,
        recall=len(reached) / len(wanted),
        answered=any(grades.get(number, 0) == ANSWERS for number in first),
    )


def write_streams(embed: Embed) -> UUID:
    """Write the frozen streams as rows of a new simulation; return its id."""
    simulation_id, memories = uuid4(), frozen_streams()
    texts = sorted({memory["description"] for memory in memories})
    vectors = dict(zip(texts, embed(texts), strict=True))
    MemoryRow.objects.bulk_create(
        (
            MemoryRow(
                simulation_id=simulation_id,
                embedding=list(vectors[memory["description"]]),
                **{name: memory[name] for name in FIELDS},
            )
            for memory in memories
        ),
        batch_size=ROWS_AT_ONCE,
    )
    RetrievalRow.objects.bulk_create(
        (
            RetrievalRow(**key, from_tick=tick, to_tick=until)
            for key, memory in _with_keys(simulation_id, memories)
            for tick, until in pairwise([*memory["retrieved"], None])
        ),
        batch_size=ROWS_AT_ONCE,
    )
    RepetitionRow.objects.bulk_create(
        (
            RepetitionRow(**key, from_tick=tick, to_tick=until, times=times)
            for key, memory in _with_keys(simulation_id, memories)
            for (tick, times), (until, _) in pairwise([*memory["repeated"], (None, 0)])
        ),
        batch_size=ROWS_AT_ONCE,
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE memory_memoryrow, memory_retrievalrow, memory_repetitionrow")
    return simulation_id


def _with_keys(
    simulation_id: UUID, memories: Sequence[Memory]
) -> Iterator[tuple[dict[str, Any], Memory]]:
    """Yield the columns by which a row belongs to a memory, with each memory."""
    for memory in memories:
        yield (
            {"simulation_id": simulation_id}
            | {name: memory[name] for name in ("agent", "number")},
            memory,
        )


def delete_streams(simulation_id: UUID) -> None:
    """Delete the rows of a simulation that `write_streams` wrote."""
    for model in (MemoryRow, RepetitionRow, RetrievalRow):
        model._default_manager.filter(simulation_id=simulation_id).delete()


def retrieved(
    simulation_id: UUID, variant: Variant, question: Question, llm: AgentLLM
) -> list[int]:
    """Return the numbers of the memories that a prompt would have, best first."""
    session = RetrievalSession(
        simulation_id=simulation_id,
        agent=question.agent,
        as_of_tick=question.as_of_tick,
        llm=llm,
        settings=variant.retrieval(),
        calendar=CALENDAR,
    )
    share = _SHARES.get(RetrievalPurpose(question.purpose), _OTHER_SHARE)
    ranked = session.retrieve(
        variant.asks(question),
        question.purpose,
        token_budget=int(RETRIEVAL_TOKENS_DEFAULT * share),
        is_question=question.kind == "relationship" or question.purpose == "interview.answer",
        subject=subject_of(question),
    )
    return [memory.number for memory in ranked]


def subject_of(question: Question) -> Subject | Focus | None:
    """Return what the retrieval asks about, as a turn does.

    For some purposes that is the agent itself. A decision about agents asks for news; the
    streams have no pursuits as facts, so that no own news is named.
    """
    if question.kind == "news" and question.purpose == RetrievalPurpose.REACTION:
        return news()
    if question.purpose in _ABOUT_ITSELF and question.kind != "news":
        names = dict(names_of_all())
        own = names.pop(question.agent)
        return Subject(slug=question.agent, name=own, other_names=tuple(names.values()))
    return question.subject


def measure(
    simulation_id: UUID, variant: Variant, llm: AgentLLM
) -> dict[str, dict[str, float]]:
    """Return the means of the figures by kind of question, and "all" for all questions.

    "design" and "held out" are the halves by agent.
    """
    texts: dict[str, dict[int, str]] = defaultdict(dict)
    for memory in frozen_streams():
        texts[memory["agent"]][memory["number"]] = memory["description"]
    by_kind: dict[str, list[Found]] = defaultdict(list)
    for question in questions():
        numbers = retrieved(simulation_id, variant, question, llm)
        one = found(question.grades, texts[question.agent], numbers)
        by_kind[question.kind].append(one)
        by_kind["all"].append(one)
        by_kind["design" if question.agent in DESIGN_AGENTS else "held out"].append(one)
    return {
        kind: {
            name: round(mean(float(getattr(one, name)) for one in several), 3)
            for name in ("precision", "best", "recall", "answered")
        }
        for kind, several in by_kind.items()
    }
