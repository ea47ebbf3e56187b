"""The language of a world: the phrases that the service prints into prompts and memories.

A phrase is written in English where it is printed, and is its own key in the catalogues of the
other languages (`catalogues/<language>.po`). The language holds for a context, such as a turn.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import NullTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

CATALOGUES = Path(__file__).parent / "catalogues"
ENGLISH = "en"

_active: ContextVar[str] = ContextVar("language", default=ENGLISH)


@cache
def languages() -> tuple[str, ...]:
    """Return the codes of all languages that a world can have, English first."""
    return (ENGLISH, *sorted(file.stem for file in CATALOGUES.glob("*.po")))


def active_language() -> str:
    """Return the language of the context, English outside of `use_language`."""
    return _active.get()


@contextmanager
def use_language(language: str) -> Iterator[None]:
    """Print phrases, times and lists in the language within the block."""
    token = _active.set(language)
    try:
        yield
    finally:
        _active.reset(token)


def phrase(english: str, /, **values: object) -> str:
    """Return the phrase in the language of the context, with its placeholders filled."""
    # The key "" is the header of a catalogue.
    text = _catalogue(_active.get()).gettext(english) if english else ""
    return text.format(**values) if values else text


def phrase_in(context: str, english: str, /, **values: object) -> str:
    """Return a phrase whose translation depends on the context of use, which is named."""
    text = _catalogue(_active.get()).pgettext(context, english)
    return text.format(**values) if values else text


def counted(one: str, many: str, /, count: int) -> str:
    """Return the phrase for the number, which replaces {count}: "{count} hours ago"."""
    return _catalogue(_active.get()).ngettext(one, many, count).format(count=count)


def noted(english: str) -> str:
    """Return the English phrase as it is; it is printed elsewhere, by `phrase`."""
    return english


@cache
def _catalogue(language: str) -> NullTranslations:
    """Return the catalogue; phrases that are marked as fuzzy remain English."""
    if language == ENGLISH:
        return NullTranslations()
    with (CATALOGUES / f"{language}.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translations(compiled)
