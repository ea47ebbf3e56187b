"""The choice among ranked memories (ADR 44)."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from apps.memory.retrieval import RankedMemory, Subject
from apps.memory.retrieval_settings import RetrievalSettings
from apps.memory.rules import CANDIDATES_MAX
from apps.memory.selection import chosen, combined, without_near_duplicates
from tests.support.turns import ranked

SETTINGS = RetrievalSettings(tick_seconds=10, subject_share=0.0)
MARIA = Subject(slug="maria-lopez", name="Maria Lopez")
DESCRIPTIONS = st.lists(
    st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), min_size=1).map(" ".join), max_size=12
)


def memories(*descriptions: str) -> list[RankedMemory]:
    return [ranked(number, text) for number, text in enumerate(descriptions, 1)]


def numbers(several: list[RankedMemory]) -> list[int]:
    return [memory.number for memory in several]


class TestNearDuplicates:
    def test_count_once_at_the_first_place(self) -> None:
        stream = memories(
            "Isabella is hanging up the first decorations for the party today",
            "Klaus has a crush on Maria",
            "Isabella is hanging up the decorations for the party today",
        )
        assert numbers(without_near_duplicates(stream)) == [1, 2]

    def test_are_not_sentences_about_other_agents(self) -> None:
        stream = memories(
            "Isabella is sorry that Sam Moore will not come to the party",
            "Isabella is sorry that Tom Moreno will not come to the party",
        )
        assert without_near_duplicates(stream) == stream

    @given(DESCRIPTIONS)
    def test_are_left_out_in_order_and_at_once(self, descriptions: list[str]) -> None:
        kept = without_near_duplicates(memories(*descriptions))
        assert numbers(kept) == sorted(numbers(kept))
        assert kept[:1] == memories(*descriptions)[:1]
        assert without_near_duplicates(kept) == kept
        assert len({frozenset(memory.description.split()) for memory in kept}) == len(kept)


class TestCombined:
    def test_has_each_memory_once(self) -> None:
        first, second, third = memories("one", "two", "three")
        assert combined([third, first], [first, second, third]) == [third, first, second]


class TestChosen:
    def rank(self, *, limit: int, subject: Subject | None = None) -> list[RankedMemory]:
        self.limits.append(limit)
        every = memories("tea", "tea", "Maria", "bread", "Maria too")
        if subject is not None:
            every = [memory for memory in every if "Maria" in memory.description]
        return every[:limit]

    def setup_method(self) -> None:
        self.limits: list[int] = []

    def test_is_the_ranking_without_a_share(self) -> None:
        assert chosen(self.rank, settings=SETTINGS, limit=3, subject=MARIA) == self.rank(
            limit=3
        )
        assert self.limits[0] == 3

    def test_begins_with_the_share_of_the_subject(self) -> None:
        settings = replace(SETTINGS, subject_share=0.5)
        found = chosen(self.rank, settings=settings, limit=3, subject=MARIA)
        assert numbers(found) == [3, 5, 1]
        assert [memory.rank for memory in found] == [1, 2, 3]
        assert numbers(chosen(self.rank, settings=settings, limit=3)) == [1, 2, 3]

    def test_fills_the_places_of_near_duplicates(self) -> None:
        settings = replace(SETTINGS, near_duplicates="once")
        assert numbers(chosen(self.rank, settings=settings, limit=3)) == [1, 3, 4]
        assert self.limits == [CANDIDATES_MAX]
