"""The questions judged by hand have the figures on record."""

from uuid import UUID

import pytest

from apps.llm.calls.agent_llm import AgentLLM
from apps.llm.hashing_embedding import HashingEmbedding
from apps.llm.model_spec import HASHING
from benchmarks.retrieval_table import DEFAULT, FOCUS_FIRST, NOT_DISTANT, read_results
from tests.support.llm_doubles import ScriptedModel, agent_llm_in_memory
from tests.support.retrieval_measure import VARIANTS, measure, write_streams

pytestmark = pytest.mark.django_db

RECORDED = ("paper", "questions", DEFAULT, NOT_DISTANT, FOCUS_FIRST)


@pytest.fixture
def streams() -> UUID:
    return write_streams(HashingEmbedding().embed)


def test_the_variants_have_the_figures_on_record(streams: UUID) -> None:
    [stored] = [one for one in read_results() if one["embedding"] == HASHING]
    llm: AgentLLM = agent_llm_in_memory(ScriptedModel({}), embedding=HashingEmbedding())
    for variant in VARIANTS:
        if variant.name in RECORDED:
            assert measure(streams, variant, llm) == stored["variants"][variant.name]["kinds"]
