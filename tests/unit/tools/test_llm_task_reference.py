"""The reference page of tasks is what the code says."""

from apps import wiring
from apps.llm.prompts.sets import ENGLISH
from tests.model_server.example import IMPORTANCES
from tools.reference.llm_tasks import page_of


class TestPage:
    def test_tells_of_every_task(self) -> None:
        page = page_of(wiring.LLM_TASKS)
        for task in wiring.LLM_TASKS:
            assert f"\n## {task.name}\n" in page
            assert task.template(ENGLISH).version in page

    def test_tells_inputs_form_fallback_and_wording(self) -> None:
        page = page_of([IMPORTANCES])
        assert "- `descriptions`: `tuple[str, ...]`" in page
        assert "- `importances`: list, each whole number, from 1, to 10" in page
        assert "**Fallback** `middling`" in page
        assert "How much does each matter, from 1 to 10?" in page
