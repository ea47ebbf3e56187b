"""The memories of a turn are drafted one by one, formed together, and rated later (M1, M3)."""

from typing import Any

import pytest

from apps.llm.model_spec import ModelSpec
from apps.memory.events import MemoryFormed, MemoryKind, MemoryOrigin, ScheduledActivity
from apps.memory.formation import DraftedMemory, form_memories, rate_memories
from apps.memory.items import ImportanceInput
from apps.memory.llm_tasks.importance import Importances
from apps.memory.rules import (
    DESCRIPTION_CHARACTERS_MAX,
    MEMORIES_PER_REQUEST_MAX,
    ROUTINE_IMPORTANCE,
    UNRATED_IMPORTANCE,
)
from tests.support.builders import identity_of
from tests.support.llm_doubles import ScriptedModel, agent_llm_in_memory

ISABELLA = identity_of(
    "Isabella Rodriguez",
    34,
    ("friendly", "outgoing", "hospitable"),
    "Isabella Rodriguez's apartment: main room",
    wake=360,
    workplace="Hobbs Cafe",
)


def drafted(number: int, description: str, **facts: Any) -> DraftedMemory:
    kind = facts.pop("kind", MemoryKind.OBSERVATION)
    return DraftedMemory(number=number, kind=kind, description=description, **facts)


def form(*drafts: DraftedMemory) -> list[MemoryFormed]:
    return form_memories(drafts, agent_llm_in_memory(ScriptedModel({})), ModelSpec())


def rate(model: ScriptedModel, *drafts: DraftedMemory) -> dict[int, int]:
    llm = agent_llm_in_memory(model)
    return rate_memories(llm, ISABELLA, drafts)


class TestForming:
    def test_leaves_the_importance_open_without_a_call(self) -> None:
        coffee, stove = form(
            drafted(1, "Isabella Rodriguez is making coffee"),
            drafted(2, "the stove is idle", importance=ROUTINE_IMPORTANCE),
        )
        assert (coffee.rated, coffee.importance) == (False, UNRATED_IMPORTANCE)
        assert (stove.rated, stove.importance) == (True, ROUTINE_IMPORTANCE)

    def test_makes_complete_events_in_order_of_number(self) -> None:
        draft = drafted(
            5,
            "Klaus Mueller works too hard",
            kind=MemoryKind.REFLECTION,
            importance=6,
            evidence=(2, 4),
            subject="klaus-mueller",
        )
        assert form(draft) == [
            MemoryFormed(
                number=5,
                kind=MemoryKind.REFLECTION,
                description="Klaus Mueller works too hard",
                importance=6,
                evidence=(2, 4),
                subject="klaus-mueller",
                perceived=False,
                embedded_by="hashing-v1",
                dimensions=384,
            )
        ]

    def test_makes_no_event_without_memories(self) -> None:
        assert form() == []


class TestRating:
    def test_is_one_request_for_all(self) -> None:
        model = ScriptedModel({"memory.importance": Importances(importances=(2, 7))})
        ratings = rate(
            model,
            drafted(4, "Isabella Rodriguez is making coffee"),
            drafted(9, "Maria Lopez says that she is in love", kind=MemoryKind.DIALOGUE),
        )
        assert len(model.asked) == 1
        assert ratings == {4: 2, 9: 7}

    def test_asks_nothing_without_memories(self) -> None:
        assert rate(ScriptedModel({})) == {}

    def test_gives_the_facts_to_the_model(self) -> None:
        model = ScriptedModel({"memory.importance": Importances(importances=(4,))})
        lunch = ScheduledActivity(activity="have lunch", place="Hobbs Cafe")
        draft = drafted(
            1,
            "Isabella Rodriguez agreed to have lunch",
            kind=MemoryKind.PLAN,
            subject="klaus-mueller",
            origin=MemoryOrigin.AGREED,
            scheduled=lunch,
        )
        rate(model, draft)
        inputs = model.asked[0].inputs
        assert isinstance(inputs, ImportanceInput)
        [memory] = inputs.memories
        assert (memory.kind, memory.origin) == (MemoryKind.PLAN, MemoryOrigin.AGREED)
        assert (memory.subject, memory.scheduled) == ("klaus-mueller", lunch)

    def test_splits_a_great_many_into_requests_of_bounded_size(self) -> None:
        def by_length(inputs: ImportanceInput) -> Importances:
            ratings = (len(memory.description) % 10 + 1 for memory in inputs.memories)
            return Importances(importances=tuple(ratings))

        model = ScriptedModel({"memory.importance": by_length})
        descriptions = [
            f"{'so ' * place}it goes" for place in range(MEMORIES_PER_REQUEST_MAX + 3)
        ]
        drafts = [
            drafted(number, description)
            for number, description in enumerate(descriptions, start=1)
        ]
        ratings = rate(model, *drafts)
        assert len(model.asked) == 2
        assert list(ratings.values()) == [
            len(description) % 10 + 1 for description in descriptions
        ]

    def test_keeps_to_the_fallback_when_the_answer_stays_invalid(self) -> None:
        model = ScriptedModel({"memory.importance": lambda _: '{"importances": [3, 4, 5]}'})
        assert rate(model, drafted(1, "it rains")) == {1: 3}


class TestDraft:
    def test_cleans_and_cuts_the_description(self) -> None:
        bell = drafted(1, "  a bell\x00 rings\n")
        long = drafted(2, "x" * 10_000)
        assert bell.description == "a bell rings"
        assert len(long.description) == DESCRIPTION_CHARACTERS_MAX

    @pytest.mark.parametrize("nothing", ["", "  ", "\x00"])
    def test_refuses_an_empty_description(self, nothing: str) -> None:
        with pytest.raises(ValueError, match="needs a description"):
            drafted(1, nothing)

    @pytest.mark.parametrize("importance", [0, 11])
    def test_refuses_an_importance_out_of_bounds(self, importance: int) -> None:
        with pytest.raises(ValueError, match="between 1 and 10"):
            drafted(1, "it rains", importance=importance)

    @pytest.mark.parametrize("evidence", [3, 4, 0])
    def test_refuses_evidence_that_is_not_earlier(self, evidence: int) -> None:
        with pytest.raises(ValueError, match="evidence is earlier"):
            drafted(3, "so it is", kind=MemoryKind.REFLECTION, evidence=(evidence,))
