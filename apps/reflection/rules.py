"""When a reflection is due, which insights are kept, and the bounds (R1, R2)."""

import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from apps.reflection.events import DroppedInsight, DropReason, Insight

QUESTIONS_PER_REFLECTION = 3
QUESTION_CHARACTERS_MAX = 300

# The paper's prompt asks for 5 insights "from the above statements", and gives the
# statements of one question: so many for each of the three, not for all of them.
INSIGHTS_PER_QUESTION_MAX = 5
INSIGHT_CHARACTERS_MAX = 400

# The latest reflections that a new insight must not repeat: a week of them or more.
REFLECTIONS_COMPARED_MAX = 500

# How far the API and the admin unfold an insight into what it rests on.
TREE_DEPTH_MAX = 8

_END_OF_SENTENCE = " .!…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """An insight as the model gave it; `cited` counts from 1 in the list for its question."""

    question: int
    statement: str
    cited: tuple[int, ...]


def is_due(importance: int, threshold: int) -> bool:
    """Return whether what was perceived since the last reflection calls for one (R1)."""
    return importance > threshold


def validate_insights(
    proposed: Iterable[Proposed],
    *,
    offered: Sequence[Sequence[int]],
    known: Iterable[str],
    next_number: int,
) -> tuple[tuple[Insight, ...], tuple[DroppedInsight, ...]]:
    """Return the insights that become memories, numbered from `next_number`, and the others.

    `offered` holds for each question the memory numbers in the order they were listed;
    `known` are texts that an insight must not repeat word for word, as it must no other
    insight. One that cites nothing that was offered is dropped.
    """
    kept: list[Insight] = []
    dropped: list[DroppedInsight] = []
    said = {normalised(text) for text in known}
    for insight in proposed:
        evidence, not_offered = resolve_citations(insight.cited, offered[insight.question])
        reason = _why_not(insight.statement, evidence, said)
        if reason is not None:
            dropped.append(
                DroppedInsight(
                    question=insight.question,
                    statement=insight.statement,
                    cited=insight.cited,
                    reason=reason,
                )
            )
            continue
        said.add(normalised(insight.statement))
        kept.append(
            Insight(
                question=insight.question,
                memory=next_number + len(kept),
                statement=insight.statement,
                evidence=evidence,
                not_offered=not_offered,
            )
        )
    return tuple(kept), tuple(dropped)


def resolve_citations(
    cited: Sequence[int], offered: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the memories behind the numbers cited, and the numbers that were not offered.

    Each once, in the order they were cited.
    """
    numbers = tuple(dict.fromkeys(cited))
    evidence = tuple(
        dict.fromkeys(offered[number - 1] for number in numbers if 1 <= number <= len(offered))
    )
    return evidence, tuple(number for number in numbers if not 1 <= number <= len(offered))


def normalised(text: str) -> str:
    """Return the text as it is compared: without case, spacing and full stop."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(plain.split()).rstrip(_END_OF_SENTENCE)


def _why_not(
    statement: str, evidence: Collection[int], said: Collection[str]
) -> DropReason | None:
    if not evidence:
        return DropReason.WITHOUT_EVIDENCE
    return DropReason.REPEATS if normalised(statement) in said else None
