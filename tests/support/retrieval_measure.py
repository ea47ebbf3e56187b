"""The quality of variants of retrieval, on the questions about frozen streams."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import mean
from typing import Any
from uuid import UUID, uuid4

from django.db import connection

from apps.llm.agent_llm import AgentLLM
from apps.memory.events import Weights
from apps.memory.models import MemoryRow, RetrievalRow
from apps.memory.purposes import RetrievalPurpose
from apps.memory.retrieval_session import StoredRetrievalSession
from apps.memory.retrieval_settings import RetrievalSettings
from apps.memory.rules import RETRIEVAL_TOKENS_DEFAULT
from tests.support.retrieval_questions import (
    ANSWERS,
    FIELDS,
    HELPS,
    TICK_SECONDS,
    Question,
    frozen_streams,
    questions,
)

PRECISION_AT, RECALL_AT = 5, 15
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
    return BEFORE | {"weights": Weights(relevance=weight)}


NO_SHARE: dict[str, Any] = {"subject_share": 0.0}
BEFORE: dict[str, Any] = {"relevance_emphasis": "none"} | NO_SHARE
ALL: dict[str, Any] = {
    "relevance_emphasis": "purposes",
    "recency_renewals_max": 1,
    "near_duplicates": "once",
    "subject_share": 0.5,
}
SHARE = "questions, subject share 0.5"
PURPOSES = "purposes, subject share 0.5"
VARIANTS = (
    Variant(name="paper", settings=BEFORE),
    Variant(name="questions", settings=NO_SHARE),
    Variant(name="purposes", settings=NO_SHARE | {"relevance_emphasis": "purposes"}),
    Variant(name="relevance 2", settings=relevance(2.0)),
    Variant(name="relevance 8", settings=relevance(8.0)),
    Variant(name="renewals 0", settings=NO_SHARE | {"recency_renewals_max": 0}),
    Variant(name="renewals 1", settings=NO_SHARE | {"recency_renewals_max": 1}),
    Variant(name="renewals 3", settings=NO_SHARE | {"recency_renewals_max": 3}),
    Variant(name="duplicates once", settings=NO_SHARE | {"near_duplicates": "once"}),
    Variant(name=SHARE, settings={"subject_share": 0.5}),
    Variant(name="subject share 1", settings={"subject_share": 1.0}),
    Variant(name="own name left out", settings=NO_SHARE, asks=without_own_name),
    Variant(name=PURPOSES, settings={"relevance_emphasis": "purposes", "subject_share": 0.5}),
    Variant(name="all four", settings=ALL),
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
            RetrievalRow(
                simulation_id=simulation_id,
                agent=memory["agent"],
                number=memory["number"],
                from_tick=tick,
                to_tick=until,
            )
            for memory in memories
            for tick, until in zip(
                memory["retrieved"], [*memory["retrieved"][1:], None], strict=False
            )
        ),
        batch_size=ROWS_AT_ONCE,
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE memory_memoryrow, memory_retrievalrow")
    return simulation_id


def delete_streams(simulation_id: UUID) -> None:
    """Delete the rows of a simulation that `write_streams` wrote."""
    for model in (MemoryRow, RetrievalRow):
        model._default_manager.filter(simulation_id=simulation_id).delete()


def retrieved(
    simulation_id: UUID, variant: Variant, question: Question, llm: AgentLLM
) -> list[int]:
    """Return the numbers of the memories that a prompt would have, best first."""
    session = StoredRetrievalSession(
        simulation_id=simulation_id,
        agent=question.agent,
        as_of_tick=question.as_of_tick,
        llm=llm,
        settings=variant.retrieval(),
    )
    share = _SHARES.get(RetrievalPurpose(question.purpose), _OTHER_SHARE)
    ranked = session.retrieve(
        variant.asks(question),
        question.purpose,
        token_budget=int(RETRIEVAL_TOKENS_DEFAULT * share),
        is_question=question.kind == "relationship" or question.purpose == "interview.answer",
        subject=question.subject,
    )
    return [memory.number for memory in ranked]


def measure(
    simulation_id: UUID, variant: Variant, llm: AgentLLM
) -> dict[str, dict[str, float]]:
    """Return the means of the figures by kind of question, and "all" for all questions."""
    texts: dict[str, dict[int, str]] = defaultdict(dict)
    for memory in frozen_streams():
        texts[memory["agent"]][memory["number"]] = memory["description"]
    by_kind: dict[str, list[Found]] = defaultdict(list)
    for question in questions():
        numbers = retrieved(simulation_id, variant, question, llm)
        one = found(question.grades, texts[question.agent], numbers)
        by_kind[question.kind].append(one)
        by_kind["all"].append(one)
    return {
        kind: {
            name: round(mean(float(getattr(one, name)) for one in several), 3)
            for name in ("precision", "best", "recall", "answered")
        }
        for kind, several in by_kind.items()
    }
