"""The choice among ranked memories (ADR 44)."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from apps.kernel.game_time import GameCalendar
from apps.memory.retrieval import RankedMemory, Subject
from apps.memory.rules import CANDIDATES_MAX
from apps.memory.selection import Choice, RetrievalSettings, choose_memories, combined
from tests.support.turns import ranked

SETTINGS = RetrievalSettings(tick_seconds=10, subject_share=0.0)
CALENDAR = GameCalendar(start=datetime(2023, 2, 13), tick_seconds=10)
MARIA = Subject(slug="maria-lopez", name="Maria Lopez")


def memories(*descriptions: str) -> list[RankedMemory]:
    return [ranked(number, text) for number, text in enumerate(descriptions, 1)]


def numbers(several: Iterable[RankedMemory]) -> list[int]:
    return [memory.number for memory in several]


class TestCombined:
    def test_has_each_memory_once(self) -> None:
        first, second, third = memories("one", "two", "three")
        assert combined([third, first], [first, second, third]) == [third, first, second]


class TestChoice:
    def rank(self, *, limit: int, subject: Subject | None = None) -> list[RankedMemory]:
        every = memories("tea", "tea", "Maria", "bread", "Maria too")
        if subject is not None:
            every = [memory for memory in every if "Maria" in memory.description]
        return every[:limit]

    def choose(self, subject: Subject | None = None, **options: Any) -> Choice:
        settings = replace(SETTINGS, subject_share=options.pop("share", 0.0))
        return choose_memories(
            self.rank,
            settings,
            "test",
            token_budget=options.pop("token_budget", 1_000),
            calendar=CALENDAR,
            subject=subject,
            **options,
        )

    def test_has_the_best_without_repetitions(self) -> None:
        found = self.choose(MARIA)
        assert numbers(found.ranked) == [1, 2, 3, 4, 5]
        assert numbers(found.in_prompt) == [2, 3, 4, 5]

    def test_begins_with_the_subject(self) -> None:
        found = self.choose(MARIA, share=0.5)
        assert numbers(found.ranked) == [3, 5, 1, 2, 4]
        assert numbers(found.in_prompt) == [3, 5, 2, 4]
        assert numbers(self.choose(share=0.5).ranked) == [1, 2, 3, 4, 5]

    def test_ends_with_the_tokens(self) -> None:
        # What is beyond them, and beyond the number asked for, is ranked all the same.
        found = self.choose(token_budget=4, limit=4)
        assert numbers(found.ranked) == [1, 2, 3, 4]
        assert numbers(found.in_prompt) == [2, 3]

    def test_is_made_of_the_candidates_however_many_are_asked_for(self) -> None:
        def rank(*, limit: int) -> list[RankedMemory]:
            return memories(*["tea"] * CANDIDATES_MAX, "bread")[:limit]

        found = choose_memories(
            rank,
            SETTINGS,
            "test",
            token_budget=1_000,
            calendar=CALENDAR,
            limit=CANDIDATES_MAX + 1,
        )
        assert [one.description for one in found.in_prompt] == ["tea"]
        assert found.ranked[-1].description == "bread"
