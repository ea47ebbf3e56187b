"""The stand-in rates by words, from the description alone (L4)."""

import pytest

from apps.memory.chains.importance import NewMemories
from apps.rule_model.importance import importance_by_words
from apps.rule_model.model import Chance

CHANCE = Chance(seed=7, chain="memory.importance", call_id="3/isabella-rodriguez/x/0")


def rating(description: str) -> int:
    given = NewMemories(agent_name="Isabella Rodriguez", who="34", descriptions=(description,))
    return importance_by_words(given, CHANCE).importances[0]


class TestImportanceByWords:
    @pytest.mark.parametrize(
        ("description", "low", "high"),
        [
            ("the coffee machine is idle", 1, 1),
            ("Isabella Rodriguez is sleeping", 1, 1),
            ("Maria Lopez is brushing her teeth", 1, 1),
            ("Maria Lopez is eating breakfast", 1, 3),
            ("Klaus Mueller is walking to Oak Hill College", 1, 3),
            ("Klaus Mueller is reading a book", 1, 3),
            ("Isabella Rodriguez is serving coffee", 2, 4),
            ("Klaus Mueller is writing his thesis", 2, 4),
            ("Klaus Mueller met Maria Lopez at the library", 4, 6),
            ("Maria Lopez and Klaus Mueller are talking about physics", 4, 6),
            ("Isabella Rodriguez is planning a Valentine's Day party", 7, 10),
            ("Sam Moore is running in the local election", 7, 10),
            ("Maria Lopez has a crush on Klaus Mueller", 7, 10),
            ("the stove is burning", 7, 10),
            ("Tom Moreno and Jane Moreno quarrel", 7, 10),
            ("Carlos Gomez lost his mother", 7, 10),
        ],
    )
    def test_gives_what_people_would(self, description: str, low: int, high: int) -> None:
        assert low <= rating(description) <= high

    @pytest.mark.parametrize(
        "routine",
        [
            "Maria Lopez has breakfast in the kitchen of the dorm around 10:30 am",
            "Klaus Mueller takes a walk in Johnson Park from 6:00 pm to 6:45 pm",
            "Klaus Mueller agreed to come to Hobbs Cafe on February 14 at 5:00 PM",
        ],
    )
    def test_gives_weight_to_what_a_day_is_made_of(self, routine: str) -> None:
        plan = "Klaus Mueller plans to take a walk from 6:00 pm to 6:45 pm on Monday"
        assert rating(routine) >= 7 > rating(plan)

    def test_lets_the_strongest_word_decide(self) -> None:
        assert rating("Isabella Rodriguez is making the bed while the stove is burning") == 9

    def test_does_not_take_a_part_of_a_word_for_a_word(self) -> None:
        assert rating("the fireplace is warm") < 5

    def test_rates_every_memory(self) -> None:
        given = NewMemories(
            agent_name="Isabella Rodriguez", who="34", descriptions=("the stove is idle",) * 3
        )
        assert importance_by_words(given, CHANCE).importances == (1, 1, 1)
