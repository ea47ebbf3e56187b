"""Texts that become memories are asked for with dates, and stored word for word (M1)."""

import pytest
from pydantic import BaseModel

from apps.dialogue.decisions import digest
from apps.dialogue.llm_tasks.takeaways import TAKEAWAYS, Learnt, Takeaways
from apps.llm.prompts.sets import ENGLISH
from apps.memory.llm_tasks.importance import DATED
from apps.planning.llm_tasks.own_thought import OWN_THOUGHT, OwnThought
from apps.reflection.llm_tasks.insights import INSIGHTS, CitedInsight


@pytest.mark.parametrize(
    ("answer", "field"),
    [
        (Takeaways, "gist"),
        (Learnt, "sentence"),
        (OwnThought, "thought"),
        (OwnThought, "deed"),
        (CitedInsight, "statement"),
    ],
)
def test_the_field_asks_for_dates(answer: type[BaseModel], field: str) -> None:
    description = answer.model_fields[field].description
    assert description is not None
    assert DATED in description


@pytest.mark.parametrize("task", [TAKEAWAYS, OWN_THOUGHT, INSIGHTS], ids=lambda one: one.name)
def test_the_prompt_says_why(task) -> None:  # type: ignore[no-untyped-def]
    system = task.template(ENGLISH).system.template
    assert '"tonight"' in system
    assert '"tomorrow"' in system


def test_the_answer_is_not_rewritten() -> None:
    gist = "Mei Lin and Eddy Lin spoke of the concert at 8:00 pm on Monday, February 13"
    answer = Takeaways(
        gist=gist, learnt=(), agreed=(), declined=(), about_other="Eddy is ready", for_plans=""
    )
    kept = digest(answer, agent="mei-lin", other="eddy-lin", conversation="c", spoken=())
    assert kept.gist.sentence == gist
    [opinion] = kept.opinions
    assert opinion.thought is not None
    assert opinion.thought.sentence == "Eddy is ready"
