"""Every language has all prompt templates, with the placeholders of the English ones."""

from typing import Any

import pytest

from apps import wiring
from apps.kernel.language import languages, use_language
from apps.llm.prompts.sets import ENGLISH, FOLDERS, PromptSet
from apps.llm.task import LLMTask
from tests.unit.llm.test_hostile_prompts import inputs_of

TASKS = {task.name: task for task in wiring.LLM_TASKS}
OTHERS = [language for language in languages() if language != ENGLISH.language]


def test_languages_have_a_catalogue_and_templates() -> None:
    assert {one.language for one in FOLDERS} == set(languages())


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
class TestTemplates:
    def test_have_the_placeholders_and_sections_of_english(
        self, task: LLMTask[Any, Any], language: str
    ) -> None:
        template, english = task.template(PromptSet(language)), task.template(ENGLISH)
        assert template.placeholders == english.placeholders
        assert template.sections == english.sections
        assert template.lines == english.lines
        assert template.version.startswith(f"{language}/")

    def test_have_a_text_of_their_own(self, task: LLMTask[Any, Any], language: str) -> None:
        inputs = inputs_of(task.input_type, "text", "Ada Finch")
        with use_language(language):
            ours = task.prompt(inputs, PromptSet(language))
        for message, english in zip(ours, task.prompt(inputs), strict=True):
            shared = set(message.content.splitlines()) & set(english.content.splitlines())
            texts = [line.replace("text remembered", "") for line in shared]
            assert not any(len(text.split()) > 4 for text in texts), shared
