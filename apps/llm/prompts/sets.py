"""The sets of prompt templates: one for each language and form.

A set is chosen for each call: the language is that of the world, the form that of the
specification of the simulation's models.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from apps.llm.prompts.sections import InvalidPromptTemplate
from apps.llm.prompts.template import PromptTemplate

PROMPTS = Path(__file__).parent
TEMPLATES_KEPT_MAX = 512


class PromptForm(StrEnum):
    """The form of the prompts: full, or short for small models."""

    FULL = "full"
    SHORT = "short"


@dataclass(frozen=True, slots=True)
class PromptSet:
    """A set of prompt templates; `language` is the code of a language, such as "en"."""

    language: str = "en"
    form: PromptForm = PromptForm.FULL

    @property
    def name(self) -> str:
        """The name of the set: "en" for the full form, "en-short" for the short one."""
        return self.language if self.form is PromptForm.FULL else f"{self.language}-{self.form}"


ENGLISH = PromptSet()
# The folder of each set. A file that a short set does not have is that of the full set.
FOLDERS: Mapping[PromptSet, Path] = {
    ENGLISH: PROMPTS / "english",
    PromptSet(form=PromptForm.SHORT): PROMPTS / "english_short",
    PromptSet("de"): PROMPTS / "german",
}


# The templates of an LLM task, by set.
TaskTemplates = Callable[[PromptSet], PromptTemplate]


def task_templates(name: str, *, trusted: Collection[str]) -> TaskTemplates:
    """Return the templates "app/task" of all sets; `trusted` are the trusted placeholders.

    The returned function raises InvalidPromptTemplate where the set has no valid template.
    """
    names = frozenset(trusted)
    return lambda prompt_set: _template(name, names, prompt_set)


def folder_of(prompt_set: PromptSet, name: str) -> Path:
    """Return the folder from which the set has the template "app/task".

    :raises InvalidPromptTemplate: if neither the set nor the full set of its language has it.
    """
    sets = (prompt_set, PromptSet(prompt_set.language))
    for folder in (FOLDERS[one] for one in sets if one in FOLDERS):
        if (folder / f"{name}.md").exists():
            return folder
    known = ", ".join(one.name for one in FOLDERS)
    raise InvalidPromptTemplate(
        f"the prompts {prompt_set.name!r} have no template {name}.md; there are: {known}"
    )


@lru_cache(maxsize=TEMPLATES_KEPT_MAX)
def _template(name: str, trusted: frozenset[str], prompt_set: PromptSet) -> PromptTemplate:
    folder = folder_of(prompt_set, name)
    return PromptTemplate.load(name, trusted=trusted, folder=folder, set_name=prompt_set.name)
