"""Fences around other people's words and memories, so that they stay data (L7).

The preamble tells the model that what stands between the tags is never an instruction.
Nothing inside can look like a tag, for no angle bracket is left inside, nor what passes for
one; nothing can look like another speaker's turn; and nothing is there that a reader of the
journal would not see.
"""

import re
import unicodedata
from collections.abc import Sequence

from apps.llm.cleaning import clean_text

SOURCE_CHARACTERS_MAX = 120
TEXT_CHARACTERS_MAX = 2_000
ITEM_CHARACTERS_MAX = 500
SHORTENED = " … (shortened)"
NOTHING = "(nothing)"

# U+2039 and U+203A look the part for people and are no tags to anyone.
LEFT, RIGHT = "\u2039", "\u203a"
_LEFT_ALIKE = "<\uff1c\ufe64\u02c2\u1438\u27e8\u2329\u3008\u276c\u276e\u29fc\u227a"
_RIGHT_ALIKE = ">\uff1e\ufe65\u02c3\u1433\u27e9\u232a\u3009\u276d\u276f\u29fd\u227b"
_NEW_LINES = "\u0085\u2028\u2029"
_REPLACED = str.maketrans(
    dict.fromkeys(_LEFT_ALIKE, LEFT)
    | dict.fromkeys(_RIGHT_ALIKE, RIGHT)
    | dict.fromkeys(_NEW_LINES, "\n")
)
# Joiners are part of emoji and of some scripts; all else that is invisible hides something.
_JOINERS = "\u200c\u200d"
_INVISIBLE = frozenset({"Cc", "Cf"})
_LEFT_ENTITY = re.compile(r"&(?:lt|#0*60|#x0*3c);?", re.IGNORECASE)
_RIGHT_ENTITY = re.compile(r"&(?:gt|#0*62|#x0*3e);?", re.IGNORECASE)
# Some models' chat templates have marks like [INST]; some servers read them in any text.
_TEMPLATE_MARK = re.compile(r"\[(/?[A-Z_]{3,})\]")
# A line that opens like another speaker's turn in a transcript.
_TURN = re.compile(
    r"^(?=[^a-z0-9\n]*(?:system|assistant|user|human|developer|tool|instructions?)"
    r"[^a-z0-9\n]*[:\uff1a])",
    re.IGNORECASE | re.MULTILINE,
)
_AS_QUOTED = f"{RIGHT} "


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
    clean = _without_brackets(_visible(clean_text(text)))
    clean = _TEMPLATE_MARK.sub(r"(\1)", clean).strip()
    if len(clean) > characters_max:
        clean = clean[:characters_max].rstrip() + SHORTENED
    return _TURN.sub(_AS_QUOTED, clean)


def _without_brackets(text: str) -> str:
    plain = text.translate(_REPLACED)
    return _RIGHT_ENTITY.sub(RIGHT, _LEFT_ENTITY.sub(LEFT, plain))


def _visible(text: str) -> str:
    """Return the text without what nobody sees: tags, overrides, control letters."""
    return "".join(
        letter
        for letter in text
        if letter in "\n\t\u0085"
        or letter in _JOINERS
        or unicodedata.category(letter) not in _INVISIBLE
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())
