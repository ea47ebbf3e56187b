"""Rules of reflections: when one is due, valid insights, bounds; pure (R1, R2)."""

import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from apps.memory.events import FactChange
from apps.memory.items import MemoryItem
from apps.memory.rules import FALLBACK_IMPORTANCE
from apps.reflection.dealings import Claim, ClaimKind, Dealings, Frequency, claim_of
from apps.reflection.events import DroppedInsight, DropReason, Insight
from apps.reflection.inputs import is_replaceable

QUESTIONS_PER_REFLECTION = 3
QUESTION_CHARACTERS_MAX = 300
# The latest memories in the prompt of the questions; the earliest of them give way.
RECENT_TOKENS_MAX = 2_000

# The paper's prompt asks for 5 insights on a question.
INSIGHTS_PER_QUESTION_MAX = 5
INSIGHT_CHARACTERS_MAX = 400

# The latest reflections that a new insight must not repeat: those of a week or more.
REFLECTIONS_COMPARED_MAX = 500

# The depth of the trees in the API and the admin.
TREE_DEPTH_MAX = 8

# The bound of other agents with counts in a prompt, and the tokens reserved for the counts in
# those of the memories of each question.
DEALINGS_MAX = 8
DEALINGS_TOKENS = 150

# The bounds of the memories that are kept of a day, the tokens of those of the day in the
# prompt, and the bound of those that were kept of earlier days.
DAY_MEMORIES_MIN = 3
DAY_MEMORIES_MAX = 6
DAY_TOKENS = 2000
KEPT_BEFORE_MAX = 15
# A sleep of fewer minutes ends no day.
NIGHT_MINUTES_MIN = 180

_END_OF_SENTENCE = " .!…"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedClaim:
    """A claim of the model about the agent of the full name `about`."""

    about: str
    kind: ClaimKind
    frequency: Frequency


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """An insight of the model; `cited` counts from 1 in the list of the prompt.

    `replaces` is the number in that list of an earlier insight that it revises, 0 for none.
    """

    question: int
    statement: str
    cited: tuple[int, ...]
    importance: int = FALLBACK_IMPORTANCE
    replaces: int = 0
    claim: ProposedClaim | None = None
    changes: FactChange | None = None


def is_due(importance: int, threshold: int) -> bool:
    """Return whether the importance since the last reflection exceeds the threshold (R1)."""
    return importance > threshold


def validate_insights(
    proposed: Iterable[Proposed],
    *,
    cited_from: Sequence[MemoryItem],
    known: Iterable[str],
    next_number: int,
    dealings: Mapping[str, Dealings],
) -> tuple[tuple[Insight, ...], tuple[DroppedInsight, ...]]:
    """Return the valid insights, with memory numbers from `next_number`, and the dropped ones.

    `cited_from` has the memories in the list of the prompt, `dealings` those with other agents
    by full name. An insight is dropped if it cites none of the list, repeats a text of `known`
    or an earlier insight, or claims more than was counted. It replaces an insight of the list
    that still holds, which can be replaced once.
    """
    kept: list[Insight] = []
    dropped: list[DroppedInsight] = []
    texts = {normalised(text) for text in known}
    replaced: set[int] = set()
    numbers = [memory.number for memory in cited_from]
    for insight in proposed:
        evidence, not_listed = resolve_citations(insight.cited, numbers)
        claim = _counted(insight.claim, dealings, evidence, cited_from)
        reason = _drop_reason(insight.statement, evidence, texts, claim)
        if reason is not None:
            dropped.append(
                DroppedInsight(
                    question=insight.question,
                    statement=insight.statement,
                    cited=insight.cited,
                    reason=reason,
                    claim=claim if reason is DropReason.UNEARNED else None,
                )
            )
            continue
        texts.add(normalised(insight.statement))
        replaces = _replaced(insight.replaces, cited_from, replaced)
        replaced.add(replaces)
        kept.append(
            Insight(
                question=insight.question,
                memory=next_number + len(kept),
                statement=insight.statement,
                evidence=evidence,
                importance=insight.importance,
                not_offered=not_listed,
                replaces=replaces,
                claim=claim,
                changes=insight.changes,
            )
        )
    return tuple(kept), tuple(dropped)


def _counted(
    claim: ProposedClaim | None,
    dealings: Mapping[str, Dealings],
    evidence: Collection[int],
    listed: Iterable[MemoryItem],
) -> Claim | None:
    """Return the claim with its count, None for one about an agent without records."""
    if claim is None or claim.about not in dealings:
        return None
    cited = (memory for memory in listed if memory.number in evidence)
    return claim_of(claim.kind, claim.frequency, dealings[claim.about], cited)


def _replaced(number: int, listed: Sequence[MemoryItem], replaced: Collection[int]) -> int:
    """Return the memory that an insight replaces by its number in the list, 0 for none."""
    if not 0 < number <= len(listed):
        return 0
    memory = listed[number - 1]
    return memory.number if is_replaceable(memory) and memory.number not in replaced else 0


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
    statement: str, evidence: Collection[int], texts: Collection[str], claim: Claim | None
) -> DropReason | None:
    if not evidence:
        return DropReason.WITHOUT_EVIDENCE
    if normalised(statement) in texts:
        return DropReason.REPEATS
    return DropReason.UNEARNED if claim is not None and not claim.is_earned else None
