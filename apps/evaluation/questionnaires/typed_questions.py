"""Questionnaires as values: typed questions, read from YAML or JSON (E1)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import yaml

from apps.interaction.answer_forms import (
    OPEN,
    AnswerForm,
    UnusableAnswerForm,
    answer_form,
    form_json,
)
from apps.interaction.commands import QUESTION_CHARACTERS_MAX
from apps.kernel.errors import DomainError
from apps.kernel.strict_yaml import load_yaml_file

QUESTIONS_MAX = 500
TITLE_CHARACTERS_MAX = 200
NAME_PATTERN = r"[a-z0-9]+(?:-[a-z0-9]+)*"
NAME_CHARACTERS_MAX = 60
# Placeholders of question texts, see `acquaintances`.
PLACEHOLDERS = ("other", "other2", "frequent", "frequent2")
SHIPPED = Path(__file__).parent
_PLACEHOLDER = re.compile(r"\{(\w*)\}")
_NAME = re.compile(NAME_PATTERN)


class UnusableQuestionnaire(DomainError):
    """The questionnaire has a fault; the message names the question."""

    code: ClassVar[str] = "unusable-questionnaire"


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedQuestion:
    """A question with the form of its answer; `name` is unique in its questionnaire.

    `text` may have placeholders such as "{frequent}", the names of agents that each agent has
    talked with.
    """

    name: str
    text: str
    category: str = ""
    form: AnswerForm = OPEN

    @property
    def placeholders(self) -> frozenset[str]:
        """The placeholders in the text."""
        return frozenset(_PLACEHOLDER.findall(self.text))

    def filled(self, names: Mapping[str, str]) -> str:
        """Return the text with the names in place of the placeholders."""
        return _PLACEHOLDER.sub(lambda found: names[found[1]], self.text)

    def to_json(self) -> dict[str, Any]:
        """Return the question as `read_questionnaire` takes it."""
        return {
            "name": self.name,
            "category": self.category,
            "text": self.text,
            "answer": form_json(self.form),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Questionnaire:
    """Questions in their order; `source` says who published them, "" for nobody."""

    name: str
    title: str
    questions: tuple[TypedQuestion, ...]
    source: str = ""


def read_questionnaire(values: Any) -> Questionnaire:
    """Return the questionnaire of plain values, as YAML or JSON has them.

    :raises UnusableQuestionnaire: if a value is missing, unknown or of another type.
    """
    given = _members(values, {"name", "title", "source", "questions"}, "the questionnaire")
    listed = given.get("questions")
    if not isinstance(listed, list) or not 1 <= len(listed) <= QUESTIONS_MAX:
        raise UnusableQuestionnaire(f"give a list of 1 to {QUESTIONS_MAX} questions")
    questions = tuple(_question(one, place) for place, one in enumerate(listed, start=1))
    names = [one.name for one in questions]
    if repeated := sorted({name for name in names if names.count(name) > 1}):
        raise UnusableQuestionnaire(f"two questions have the name {', '.join(repeated)}")
    name = _name(given.get("name"), "the questionnaire")
    return Questionnaire(
        name=name,
        title=_text(given.get("title", name), TITLE_CHARACTERS_MAX, "the title"),
        source=_text(given.get("source", ""), TITLE_CHARACTERS_MAX, "the source", least=0),
        questions=questions,
    )


def is_name(text: str) -> bool:
    """Return whether a questionnaire or a question can have the name."""
    return len(text) <= NAME_CHARACTERS_MAX and _NAME.fullmatch(text) is not None


def load_questionnaire(path: Path) -> Questionnaire:
    """Return the questionnaire of a YAML file.

    :raises UnusableQuestionnaire: if the file is no YAML, or has a fault.
    """
    try:
        values = load_yaml_file(path)
    except yaml.YAMLError as error:
        raise UnusableQuestionnaire(f"{path} is no YAML: {error}") from error
    return read_questionnaire(values)


@cache
def shipped_questionnaires() -> Mapping[str, Questionnaire]:
    """Return the questionnaires that the service ships, by name."""
    found = (load_questionnaire(path) for path in sorted(SHIPPED.glob("*.yaml")))
    return {one.name: one for one in found}


def _question(values: Any, place: int) -> TypedQuestion:
    where = f"question {place}"
    given = _members(values, {"name", "category", "text", "answer"}, where)
    text = _text(given.get("text"), QUESTION_CHARACTERS_MAX, f"the text of {where}")
    category = _text(given.get("category", ""), TITLE_CHARACTERS_MAX, "the category", least=0)
    form = given.get("answer", {})
    if not isinstance(form, Mapping):
        raise UnusableQuestionnaire(f"the answer of {where} must be an object with a kind")
    try:
        read = answer_form(form)
    except UnusableAnswerForm as error:
        raise UnusableQuestionnaire(f"{where}: {error.message}") from error
    question = TypedQuestion(
        name=_name(given.get("name"), where), text=text, category=category, form=read
    )
    if unknown := sorted(question.placeholders - {*PLACEHOLDERS}):
        raise UnusableQuestionnaire(
            f"{where} has an unknown placeholder {{{unknown[0]}}}; there are: "
            f"{', '.join(PLACEHOLDERS)}"
        )
    return question


def _members(values: Any, known: set[str], where: str) -> Mapping[str, Any]:
    if not isinstance(values, Mapping):
        raise UnusableQuestionnaire(f"{where} must be an object")
    if unknown := sorted(map(str, values.keys() - known)):
        raise UnusableQuestionnaire(
            f"{where} has an unknown member {unknown[0]!r}; there are: "
            f"{', '.join(sorted(known))}"
        )
    return values


def _name(value: Any, where: str) -> str:
    if not isinstance(value, str) or not is_name(value):
        raise UnusableQuestionnaire(
            f'give {where} a name of lower-case words with hyphens, such as "trust-in-others"'
        )
    return value


def _text(value: Any, characters_max: int, what: str, *, least: int = 1) -> str:
    if not isinstance(value, str) or not least <= len(value.strip()) <= characters_max:
        raise UnusableQuestionnaire(f"give {what} in {least} to {characters_max:,} characters")
    return value
