"""Collects the phrases of the code for the catalogues of `apps.kernel.language`.

Phrases are the arguments of the functions that print them, and the descriptions in the JSON
schemas of answers.
"""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from apps import wiring
from apps.kernel.language import CATALOGUES
from apps.llm.answers.json_schema import descriptions_of, schema_of

SOURCES = Path(__file__).parents[1] / "apps"
LINE_CHARACTERS_MAX = 96
# The functions, and the positions of their arguments that are phrases; "c" is a context.
KEYWORDS = {
    "phrase": None,
    "noted": None,
    "sentence": None,
    "counted": (1, 2),
    "phrase_in": ((1, "c"), 2),
}
_METHODS = [("**.py", "python")]


def collected_phrases() -> Catalog:
    """Return all phrases of the code, without translations."""
    catalogue = Catalog()
    for file, _, phrase, _, context in extract_from_dir(SOURCES, _METHODS, keywords=KEYWORDS):
        catalogue.add(phrase, locations=[(f"apps/{file}", 0)], context=context)
    for task, description in _descriptions():
        catalogue.add(description, locations=[(task, 0)])
    return catalogue


def read_catalogue(language: str, folder: Path = CATALOGUES) -> Catalog:
    """Return the catalogue of the language, an empty one for a new language."""
    file = folder / f"{language}.po"
    if not file.exists():
        return Catalog(locale=language, project="Smallville", version="1", fuzzy=False)
    with file.open("rb") as opened:
        return read_po(opened, locale=language)


def updated_catalogue(language: str, folder: Path = CATALOGUES) -> bytes:
    """Return the content of the language's file with the phrases of the code.

    New phrases have no translation; phrases that the code no longer has are left out.
    """
    catalogue = read_catalogue(language, folder)
    catalogue.update(collected_phrases(), no_fuzzy_matching=True, update_creation_date=False)
    content = BytesIO()
    write_po(
        content,
        catalogue,
        width=LINE_CHARACTERS_MAX,
        sort_output=True,
        include_lineno=False,
        ignore_obsolete=True,
    )
    return content.getvalue()


def untranslated(catalogue: Catalog) -> list[Message]:
    """Return the phrases that are printed in English: without a translation, or fuzzy."""
    return [
        message
        for message in catalogue
        if message.id and (message.fuzzy or not all(_strings(message)))
    ]


def _strings(message: Message) -> tuple[str, ...]:
    string = message.string or ""
    return (string,) if isinstance(string, str) else tuple(string)


def _descriptions() -> Iterator[tuple[str, str]]:
    for task in wiring.LLM_TASKS:
        for description in descriptions_of(schema_of(task.answer_type)):
            yield task.name, description
