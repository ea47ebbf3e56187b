"""The weights of retrievals by the settings (M4, ADR 61)."""

from dataclasses import replace

import pytest

from apps.memory.events import RetrievalPurpose, Weights
from apps.memory.selection import RelevanceEmphasis, RetrievalSettings


def relevance(emphasis: RelevanceEmphasis, purpose: str, *, is_question: bool = False) -> float:
    settings = RetrievalSettings(
        tick_seconds=10, weights=Weights(relevance=2.0), relevance_emphasis=emphasis
    )
    weights = settings.weights_for(purpose, is_question=is_question)
    assert (weights.recency, weights.importance) == (1.0, 1.0)
    return weights.relevance


class TestWeights:
    @pytest.mark.parametrize("purpose", RetrievalPurpose)
    @pytest.mark.parametrize("is_question", [True, False])
    def test_are_those_of_the_simulation_without_emphasis(
        self, purpose: RetrievalPurpose, is_question: bool
    ) -> None:
        assert relevance("none", purpose, is_question=is_question) == 2.0

    def test_emphasize_relevance_for_questions(self) -> None:
        assert relevance("questions", RetrievalPurpose.UTTERANCE, is_question=True) == 8.0
        assert relevance("questions", RetrievalPurpose.UTTERANCE) == 2.0
        assert relevance("questions", RetrievalPurpose.INSIGHTS) == 2.0

    def test_emphasize_relevance_by_purpose(self) -> None:
        assert relevance("purposes", RetrievalPurpose.INTERVIEW, is_question=True) == 32.0
        assert relevance("purposes", RetrievalPurpose.INSIGHTS) == 32.0
        assert relevance("purposes", RetrievalPurpose.RECENT_PROGRESS) == 32.0
        assert relevance("purposes", RetrievalPurpose.DAILY_OCCUPATION) == 2.0
        assert relevance("purposes", RetrievalPurpose.PLANNING, is_question=True) == 8.0

    def test_of_retrievals_about_an_agent_are_those_of_the_simulation(self) -> None:
        usual = RetrievalSettings(tick_seconds=10)
        about: dict[str, bool] = {"is_question": True, "has_subject": True}
        assert usual.weights_for(RetrievalPurpose.UTTERANCE, **about) == Weights()
        every = replace(usual, subject_share=0.0)
        assert every.weights_for(RetrievalPurpose.UTTERANCE, **about).relevance == 4.0

    def test_emphasize_relevance_by_purpose_by_default(self) -> None:
        assert RetrievalSettings(tick_seconds=10).weights_for("any") == Weights()
        assert RetrievalSettings(tick_seconds=10).weights_for(
            RetrievalPurpose.INSIGHTS
        ) == Weights(relevance=16.0)
