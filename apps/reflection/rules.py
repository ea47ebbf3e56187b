"""Rules of reflections: when one is due, valid insights, bounds; pure (R1, R2)."""

import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from apps.memory.rules import FALLBACK_IMPORTANCE
from apps.reflection.events import DroppedInsight, DropReason, Insight

QUESTIONS_PER_REFLECTION = 3
QUESTION_CHARACTERS_MAX = 300

# The paper's prompt asks for 5 insights from the statements of one question.
INSIGHTS_PER_QUESTION_MAX = 5
INSIGHT_CHARACTERS_MAX = 400

# The latest reflections that a new insight must not repeat: those of a week or more.
REFLECTIONS_COMPARED_MAX = 500

# The depth of the trees in the API and the admin.
TREE_DEPTH_MAX = 8

_END_OF_SENTENCE = " .!…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """An insight of the model; `cited` counts from 1 in the list for its question."""

    question: int
    statement: str
    cited: tuple[int, ...]
    importance: int = FALLBACK_IMPORTANCE


def is_due(importance: int, threshold: int) -> bool:
    """Return whether the importance since the last reflection exceeds the threshold (R1)."""
    return importance > threshold


def validate_insights(
    proposed: Iterable[Proposed],
    *,
    cited_from: Sequence[Sequence[int]],
    known: Iterable[str],
    next_number: int,
) -> tuple[tuple[Insight, ...], tuple[DroppedInsight, ...]]:
    """Return the valid insights, with memory numbers from `next_number`, and the dropped ones.

    `cited_from` has the memory numbers in the list for each question. An insight is dropped
    if it cites none of them, or repeats a text of `known` or an earlier insight.
    """
    kept: list[Insight] = []
    dropped: list[DroppedInsight] = []
    texts = {normalised(text) for text in known}
    for insight in proposed:
        evidence, not_listed = resolve_citations(insight.cited, cited_from[insight.question])
        reason = _drop_reason(insight.statement, evidence, texts)
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
        texts.add(normalised(insight.statement))
        kept.append(
            Insight(
                question=insight.question,
                memory=next_number + len(kept),
                statement=insight.statement,
                evidence=evidence,
                importance=insight.importance,
                not_offered=not_listed,
            )
        )
    return tuple(kept), tuple(dropped)


def resolve_citations(
    cited: Sequence[int], cited_from: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the memories of the cited numbers, and the numbers that are not in the list.

    Each once, in the order of citation.
    """
    numbers, listed = tuple(dict.fromkeys(cited)), range(1, len(cited_from) + 1)
    evidence = dict.fromkeys(cited_from[number - 1] for number in numbers if number in listed)
    return tuple(evidence), tuple(number for number in numbers if number not in listed)


def normalised(text: str) -> str:
    """Return the text for comparisons: without case, white space and full stop."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(plain.split()).rstrip(_END_OF_SENTENCE)


def _drop_reason(
    statement: str, evidence: Collection[int], texts: Collection[str]
) -> DropReason | None:
    if not evidence:
        return DropReason.WITHOUT_EVIDENCE
    return DropReason.REPEATS if normalised(statement) in texts else None
