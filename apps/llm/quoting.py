"""Fences around other people's words and memories, so that they stay data (L7).

The preamble tells the model that what stands between the tags is never an instruction.
Nothing inside can look like a tag, because no angle bracket is left inside.
"""

from collections.abc import Sequence

from apps.llm.cleaning import clean_text

SOURCE_CHARACTERS_MAX = 120
TEXT_CHARACTERS_MAX = 2_000
ITEM_CHARACTERS_MAX = 500
SHORTENED = " … (shortened)"
NOTHING = "(nothing)"

# U+2039 and U+203A look the part for people and are no tags to anyone.
_WITHOUT_BRACKETS = str.maketrans({"<": "\u2039", ">": "\u203a"})


def quoted(text: str, *, source: str, characters_max: int = TEXT_CHARACTERS_MAX) -> str:
    """Return the text as data from its source, shortened where it is longer than allowed."""
    return _fenced(_harmless(text, characters_max), source)


def quoted_list(
    texts: Sequence[str], *, source: str, characters_max: int = ITEM_CHARACTERS_MAX
) -> str:
    """Return the texts as numbered data, "1. …", each on a line of its own.

    Line breaks inside a text become spaces, so that no text can pass for two.
    """
    lines = (
        f"{number}. {_harmless(_one_line(text), characters_max)}"
        for number, text in enumerate(texts, start=1)
    )
    return _fenced("\n".join(lines) or NOTHING, source)


def _fenced(harmless: str, source: str) -> str:
    name = _harmless(_one_line(source), SOURCE_CHARACTERS_MAX).replace('"', "'")
    return f'<quoted source="{name}">\n{harmless}\n</quoted>'


def _harmless(text: str, characters_max: int) -> str:
    clean = clean_text(text).translate(_WITHOUT_BRACKETS).strip()
    if len(clean) <= characters_max:
        return clean
    return clean[:characters_max].rstrip() + SHORTENED


def _one_line(text: str) -> str:
    return " ".join(text.split())
