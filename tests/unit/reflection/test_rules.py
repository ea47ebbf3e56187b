"""When a reflection is due, and which insights are kept (R1, R2)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.memory.events import MemoryOrigin
from apps.memory.rules import FALLBACK_IMPORTANCE
from apps.reflection.dealings import Claim, ClaimKind, Dealings, Frequency
from apps.reflection.events import DroppedInsight, DropReason, Insight
from apps.reflection.rules import (
    Proposed,
    ProposedClaim,
    is_due,
    normalised,
    resolve_citations,
    validate_insights,
)
from tests.support.inputs import at, memory

NUMBERS = st.lists(st.integers(-3, 12), max_size=8)
OFFERED = st.lists(st.integers(1, 500), unique=True, max_size=9)
TEXTS = st.sampled_from(["He is kind", "he is  kind.", "She is tired", "They get along"])


KLAUS = Dealings(
    slug="klaus-mueller",
    name="Klaus Mueller",
    talked_at=(at("9:00"), at("12:00")),
    seen_at=tuple(at(f"{hour}:10") for hour in range(8, 13)),
)


def proposed(statement: str, *cited: int, question: int = 0) -> Proposed:
    return Proposed(question=question, statement=statement, cited=cited)


def claimed(kind: ClaimKind, frequency: Frequency = Frequency.ONCE) -> Proposed:
    claim = ProposedClaim(about=KLAUS.name, kind=kind, frequency=frequency)
    return replace(proposed("Maria knows Klaus", 1, 2), claim=claim)


def validated(
    insights: Iterable[Proposed],
    *,
    cited_from: Sequence[int],
    known: Sequence[str] = (),
    next_number: int = 90,
    origins: Mapping[int, MemoryOrigin] = MappingProxyType({}),
) -> tuple[tuple[Insight, ...], tuple[DroppedInsight, ...]]:
    """Validate insights from a list of memories about Klaus, with their numbers and origins."""
    default = MemoryOrigin.PERCEIVED_AGENT
    return validate_insights(
        insights,
        cited_from=[
            replace(
                memory("Klaus Mueller is here", number=number),
                origin=origins.get(number, default),
            )
            for number in cited_from
        ],
        known=known,
        next_number=next_number,
        dealings={KLAUS.name: KLAUS},
    )


class TestIsDue:
    @pytest.mark.parametrize(("importance", "due"), [(149, False), (150, False), (151, True)])
    def test_wants_more_than_the_threshold(self, importance: int, due: bool) -> None:
        assert is_due(importance, 150) is due


class TestResolveCitations:
    def test_tells_memories_from_numbers_that_were_not_offered(self) -> None:
        assert resolve_citations((3, 1, 9, 3, 0), (70, 50, 60)) == ((60, 70), (9, 0))

    @given(cited=NUMBERS, offered=OFFERED)
    def test_gives_only_what_was_offered_and_loses_nothing(
        self, cited: list[int], offered: list[int]
    ) -> None:
        evidence, not_offered = resolve_citations(cited, offered)
        assert set(evidence) <= set(offered)
        assert len(set(evidence)) == len(evidence)
        assert len(evidence) + len(not_offered) == len(set(cited))


class TestValidateInsights:
    def test_keeps_what_cites_its_evidence(self) -> None:
        kept, dropped = validated(
            [proposed("Klaus is dedicated", 2, 1, 8), proposed("Klaus is kind", 3, question=1)],
            cited_from=(40, 41, 50),
            known=(),
            next_number=90,
        )
        assert kept == (
            Insight(
                question=0,
                memory=90,
                statement="Klaus is dedicated",
                evidence=(41, 40),
                not_offered=(8,),
                importance=FALLBACK_IMPORTANCE,
            ),
            Insight(
                question=1,
                memory=91,
                statement="Klaus is kind",
                evidence=(50,),
                importance=FALLBACK_IMPORTANCE,
            ),
        )
        assert dropped == ()

    def test_drops_what_cites_nothing_that_was_offered_and_says_so(self) -> None:
        kept, dropped = validated(
            [proposed("Klaus can fly", 7)], cited_from=(40,), known=(), next_number=90
        )
        assert kept == ()
        assert dropped == (
            DroppedInsight(
                question=0,
                statement="Klaus can fly",
                cited=(7,),
                reason=DropReason.WITHOUT_EVIDENCE,
            ),
        )

    def test_drops_what_is_known_or_was_just_said(self) -> None:
        kept, dropped = validated(
            [
                proposed("KLAUS is  dedicated.", 1),
                proposed("Klaus is kind", 1),
                proposed("Klaus is kind.", 2, question=1),
            ],
            cited_from=(40, 50),
            known=["Klaus is dedicated"],
            next_number=90,
        )
        assert [insight.memory for insight in kept] == [90]
        assert [insight.reason for insight in dropped] == [DropReason.REPEATS] * 2

    @given(
        given_insights=st.lists(st.tuples(TEXTS, NUMBERS), max_size=6),
        offered=OFFERED,
        known=st.lists(TEXTS, max_size=2),
    )
    def test_loses_none_numbers_them_in_order_and_repeats_nothing(
        self,
        given_insights: list[tuple[str, list[int]]],
        offered: list[int],
        known: list[str],
    ) -> None:
        kept, dropped = validated(
            [proposed(text, *cited) for text, cited in given_insights],
            cited_from=offered,
            known=known,
            next_number=501,
        )
        assert len(kept) + len(dropped) == len(given_insights)
        assert [insight.memory for insight in kept] == list(range(501, 501 + len(kept)))
        assert all(insight.evidence for insight in kept)
        assert all(max(insight.evidence) < insight.memory for insight in kept)
        said = [normalised(insight.statement) for insight in kept]
        assert len(set(said)) == len(said)
        assert not set(said) & {normalised(text) for text in known}


class TestClaims:
    @pytest.mark.parametrize(
        ("kind", "frequency", "is_earned"),
        [
            (ClaimKind.TALKS, Frequency.SEVERAL, True),
            (ClaimKind.TALKS, Frequency.OFTEN, False),
            (ClaimKind.MEETINGS, Frequency.OFTEN, True),
            (ClaimKind.FEELINGS, Frequency.ONCE, False),
        ],
    )
    def test_need_what_was_counted(
        self, kind: ClaimKind, frequency: Frequency, is_earned: bool
    ) -> None:
        kept, dropped = validated([claimed(kind, frequency)], cited_from=(40, 41))
        assert bool(kept) is is_earned
        assert [one.reason for one in dropped] == ([] if is_earned else [DropReason.UNEARNED])

    def test_say_what_was_counted_where_they_are_dropped(self) -> None:
        _, [dropped] = validated(
            [claimed(ClaimKind.TALKS, Frequency.OFTEN)], cited_from=(40, 41)
        )
        assert dropped.claim == Claim(
            about="klaus-mueller", kind=ClaimKind.TALKS, frequency=Frequency.OFTEN, counted=2
        )

    def test_of_feelings_need_more_than_a_sight(self) -> None:
        [kept], _ = validated(
            [claimed(ClaimKind.FEELINGS)],
            cited_from=(40, 41),
            origins={41: MemoryOrigin.CONVERSATION},
        )
        assert kept.claim is not None
        assert kept.claim.counted == 1


class TestReplacing:
    def test_ends_an_insight_of_the_list_once(self) -> None:
        said = [
            replace(proposed(text, 1), replaces=2) for text in ("Klaus is gone", "Klaus left")
        ]
        kept, _ = validated(said, cited_from=(40, 41), origins={41: MemoryOrigin.INSIGHT})
        assert [one.replaces for one in kept] == [41, 0]

    @pytest.mark.parametrize("number", [1, 3, -1])
    def test_wants_an_insight_that_was_offered(self, number: int) -> None:
        revised = replace(proposed("Klaus is gone", 1), replaces=number)
        [kept], _ = validated(
            [revised], cited_from=(40, 41), origins={41: MemoryOrigin.INSIGHT}
        )
        assert kept.replaces == 0
