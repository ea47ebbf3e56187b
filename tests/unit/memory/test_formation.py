"""The memories of a turn are drafted one by one, formed together, and rated later (M1, M3)."""

import pytest

from apps.agents.summary import Hours, Identity
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
from tests.support.llm_doubles import ScriptedModel, agent_llm_in_memory

ISABELLA = Identity(
    slug="isabella-rodriguez",
    name="Isabella Rodriguez",
    age=34,
    traits=("friendly", "outgoing", "hospitable"),
    hours=Hours(wake=360, sleep=1_380),
    home="Isabella Rodriguez's apartment: main room",
    bed="Isabella Rodriguez's apartment: main room: bed",
    workplace="Hobbs Cafe",
)


def form(*drafts: DraftedMemory) -> list[MemoryFormed]:
    return form_memories(drafts, agent_llm_in_memory(ScriptedModel({})), ModelSpec())


def rate(model: ScriptedModel, *drafts: DraftedMemory) -> dict[int, int]:
    llm = agent_llm_in_memory(model)
    return rate_memories(llm, ISABELLA, drafts)


class TestForming:
    def test_leaves_the_importance_open_without_a_call(self) -> None:
        coffee, stove = form(
            DraftedMemory(
                number=1,
                kind=MemoryKind.OBSERVATION,
                description="Isabella Rodriguez is making coffee",
            ),
            DraftedMemory(
                number=2,
                kind=MemoryKind.OBSERVATION,
                description="the stove is idle",
                importance=ROUTINE_IMPORTANCE,
            ),
        )
        assert (coffee.rated, coffee.importance) == (False, UNRATED_IMPORTANCE)
        assert (stove.rated, stove.importance) == (True, ROUTINE_IMPORTANCE)

    def test_makes_complete_events_in_order_of_number(self) -> None:
        draft = DraftedMemory(
            number=5,
            kind=MemoryKind.REFLECTION,
            description="Klaus Mueller works too hard",
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
            DraftedMemory(
                number=4,
                kind=MemoryKind.OBSERVATION,
                description="Isabella Rodriguez is making coffee",
            ),
            DraftedMemory(
                number=9,
                kind=MemoryKind.DIALOGUE,
                description="Maria Lopez says that she is in love",
            ),
        )
        assert len(model.asked) == 1
        assert ratings == {4: 2, 9: 7}

    def test_asks_nothing_without_memories(self) -> None:
        assert rate(ScriptedModel({})) == {}

    def test_gives_the_facts_to_the_model(self) -> None:
        model = ScriptedModel({"memory.importance": Importances(importances=(4,))})
        lunch = ScheduledActivity(activity="have lunch", place="Hobbs Cafe")
        draft = DraftedMemory(
            number=1,
            kind=MemoryKind.PLAN,
            description="Isabella Rodriguez agreed to have lunch",
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
            DraftedMemory(number=number, kind=MemoryKind.OBSERVATION, description=description)
            for number, description in enumerate(descriptions, start=1)
        ]
        ratings = rate(model, *drafts)
        assert len(model.asked) == 2
        assert list(ratings.values()) == [
            len(description) % 10 + 1 for description in descriptions
        ]

    def test_keeps_to_the_fallback_when_the_answer_stays_invalid(self) -> None:
        model = ScriptedModel({"memory.importance": lambda _: '{"importances": [3, 4, 5]}'})
        assert rate(
            model, DraftedMemory(number=1, kind=MemoryKind.OBSERVATION, description="it rains")
        ) == {1: 3}


class TestDraft:
    def test_cleans_and_cuts_the_description(self) -> None:
        bell = DraftedMemory(
            number=1, kind=MemoryKind.OBSERVATION, description="  a bell\x00 rings\n"
        )
        long = DraftedMemory(number=2, kind=MemoryKind.OBSERVATION, description="x" * 10_000)
        assert bell.description == "a bell rings"
        assert len(long.description) == DESCRIPTION_CHARACTERS_MAX

    @pytest.mark.parametrize("nothing", ["", "  ", "\x00"])
    def test_refuses_an_empty_description(self, nothing: str) -> None:
        with pytest.raises(ValueError, match="needs a description"):
            DraftedMemory(number=1, kind=MemoryKind.OBSERVATION, description=nothing)

    @pytest.mark.parametrize("importance", [0, 11])
    def test_refuses_an_importance_out_of_bounds(self, importance: int) -> None:
        with pytest.raises(ValueError, match="between 1 and 10"):
            DraftedMemory(
                number=1,
                kind=MemoryKind.OBSERVATION,
                description="it rains",
                importance=importance,
            )

    @pytest.mark.parametrize("evidence", [3, 4, 0])
    def test_refuses_evidence_that_is_not_earlier(self, evidence: int) -> None:
        with pytest.raises(ValueError, match="evidence is earlier"):
            DraftedMemory(
                number=3,
                kind=MemoryKind.REFLECTION,
                description="so it is",
                evidence=(evidence,),
            )
