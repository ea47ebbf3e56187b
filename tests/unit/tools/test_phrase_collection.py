"""The catalogues have a translation of every phrase that the code prints."""

import ast
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Message

from apps.kernel.language import CATALOGUES, ENGLISH, languages
from tools.phrase_collection import (
    KEYWORDS,
    SOURCES,
    collected_phrases,
    read_catalogue,
    untranslated,
    updated_catalogue,
)

TRANSLATED = [language for language in languages() if language != ENGLISH]


@cache
def printed_phrases() -> list[tuple[Path, ast.expr]]:
    """Return the arguments of the code that are phrases, with their files."""
    return [
        (file, argument)
        for file in SOURCES.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        for argument in _phrases_of(node.func.id, node)
    ]


def _phrases_of(function: str, call: ast.Call) -> list[ast.expr]:
    match function:
        case "phrase_in":
            return call.args[1:]
        case "counted":
            return call.args[:2]
        case _ if function in KEYWORDS:
            return call.args[:1]
    return []


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def forms(message: Message) -> list[tuple[str, str]]:
    """Return the pairs of English and translated text."""
    if isinstance(message.id, str):
        return [(message.id, str(message.string))]
    return [(message.id[1], text) for text in message.string or ()]


class TestCollection:
    def test_has_every_phrase_of_the_code(self) -> None:
        collected = {
            text
            for message in collected_phrases()
            for text in ([message.id] if isinstance(message.id, str) else message.id)
        }
        printed = [
            (file.name, argument.value)
            for file, argument in printed_phrases()
            if isinstance(argument, ast.Constant)
        ]
        assert len(printed) > 150
        assert [one for one in printed if one[1] not in collected] == []

    def test_finds_no_phrase_that_is_put_together(self) -> None:
        assert [
            (file.name, ast.unparse(argument))
            for file, argument in printed_phrases()
            if isinstance(argument, ast.JoinedStr | ast.BinOp)
        ] == []


@pytest.mark.parametrize("language", TRANSLATED)
class TestCatalogue:
    def test_is_current(self, language: str) -> None:
        assert (CATALOGUES / f"{language}.po").read_bytes() == updated_catalogue(language), (
            "the phrases have changed: run manage.py collect_phrases and translate new ones"
        )

    def test_is_complete(self, language: str) -> None:
        assert [message.id for message in untranslated(read_catalogue(language))] == []

    def test_keeps_the_placeholders(self, language: str) -> None:
        for message in read_catalogue(language):
            if not message.id or "pattern" in (message.context or ""):
                continue
            for english, translated in forms(message):
                assert placeholders(english) == placeholders(translated), english


class TestNewLanguage:
    def test_has_all_phrases_and_no_translation(self, tmp_path: Path) -> None:
        (tmp_path / "fr.po").write_bytes(updated_catalogue("fr", tmp_path))
        catalogue = read_catalogue("fr", tmp_path)
        assert len(untranslated(catalogue)) == len(catalogue) > 200
        assert catalogue.num_plurals == 2
