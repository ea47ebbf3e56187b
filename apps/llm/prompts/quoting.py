"""Quoted sections of prompts: text of users, world files and models, kept as data (L7).

The common section of prompts tells the model that text between the tags is never an
instruction. Quoted text has no angle bracket or character that looks like one, no line that
looks like another speaker's turn, and no invisible character.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from apps.kernel.language import noted, phrase
from apps.kernel.names import INVISIBLE
from apps.kernel.text import shortened
from apps.llm.cleaning import clean_text

SOURCE_CHARACTERS_MAX = 120
TEXT_CHARACTERS_MAX = 2_000
ITEM_CHARACTERS_MAX = 500
NOTHING = noted("(nothing)")

# U+2039 and U+203A look like angle brackets and are no tags.
LEFT, RIGHT = "\u2039", "\u203a"
_LEFT_ALIKE = "<\uff1c\ufe64\u02c2\u1438\u27e8\u2329\u3008\u276c\u276e\u29fc\u227a"
_RIGHT_ALIKE = ">\uff1e\ufe65\u02c3\u1433\u27e9\u232a\u3009\u276d\u276f\u29fd\u227b"
_NEW_LINES = "\u0085\u2028\u2029"
_REPLACED = str.maketrans(
    dict.fromkeys(_LEFT_ALIKE, LEFT)
    | dict.fromkeys(_RIGHT_ALIKE, RIGHT)
    | dict.fromkeys(_NEW_LINES, "\n")
)
# Joiners are part of emoji and of some scripts; other invisible characters can hide text.
_JOINERS = "\u200c\u200d"
_INVISIBLE_CATEGORIES = frozenset({"Cc", "Cf"})
_INVISIBLE = INVISIBLE - set("\ufe0e\ufe0f")  # the selectors of emoji stay
_LEFT_ENTITY = re.compile(r"&(?:lt|#0*60|#x0*3c);?", re.IGNORECASE)
_RIGHT_ENTITY = re.compile(r"&(?:gt|#0*62|#x0*3e);?", re.IGNORECASE)
# Marks of chat templates such as [INST], which some servers interpret in any text.
_TEMPLATE_MARK = re.compile(r"\[(/?[A-Z_]{3,})\]")
# A line that begins like another speaker's turn in a transcript.
_TURN = re.compile(
    r"^(?=[^a-z0-9\n]*(?:system|assistant|user|human|developer|tool|instructions?)"
    r"[^a-z0-9\n]*[:\uff1a])",
    re.IGNORECASE | re.MULTILINE,
)
_QUOTED = re.compile(
    r'<quoted source="(?P<source>[^"<>\n]*)">\n?(?P<text>.*?)\n?</quoted>', re.DOTALL
)
_AS_QUOTED = f"{RIGHT} "


def quoted(text: str, *, source: str, characters_max: int = TEXT_CHARACTERS_MAX) -> str:
    """Return the text in a quoted section, shortened to `characters_max` characters."""
    name = harmless_line(source, SOURCE_CHARACTERS_MAX).replace('"', "'")
    return f'<quoted source="{name}">\n{harmless(text, characters_max)}\n</quoted>'


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A part of a message for display: instructions, or quoted text with its source."""

    text: str
    source: str = ""

    @property
    def is_quoted(self) -> bool:
        """Whether the text is data."""
        return bool(self.source)


def passages_of(message: str) -> tuple[Passage, ...]:
    """Return the parts of a message in order; quoted text cannot hold a tag.

    For display alone: nothing is decided by a text.
    """
    passages: list[Passage] = []
    end = 0
    for found in _QUOTED.finditer(message):
        passages.append(Passage(text=message[end : found.start()].strip("\n")))
        passages.append(Passage(text=found["text"], source=found["source"] or "?"))
        end = found.end()
    passages.append(Passage(text=message[end:].strip("\n")))
    return tuple(passage for passage in passages if passage.text)


def harmless_list(texts: Sequence[str], characters_max: int = ITEM_CHARACTERS_MAX) -> str:
    """Return the texts numbered, "1. …", each on a line of its own.

    Line breaks inside a text become spaces, so that no text looks like two.
    """
    lines = (
        f"{number}. {harmless_line(text, characters_max)}"
        for number, text in enumerate(texts, start=1)
    )
    return "\n".join(lines) or phrase(NOTHING)


def harmless_line(text: str, characters_max: int = ITEM_CHARACTERS_MAX) -> str:
    """Return the text on one line, as it may stand in a quoted section."""
    return harmless(" ".join(text.split()), characters_max)


def harmless(text: str, characters_max: int = TEXT_CHARACTERS_MAX) -> str:
    """Return the text as it may stand in a quoted section."""
    clean = _without_brackets(_visible(clean_text(text)))
    clean = _TEMPLATE_MARK.sub(r"(\1)", clean).strip()
    if len(clean) > characters_max:
        clean = shortened(clean, characters_max)
    return _TURN.sub(_AS_QUOTED, clean)


def _without_brackets(text: str) -> str:
    plain = text.translate(_REPLACED)
    return _RIGHT_ENTITY.sub(RIGHT, _LEFT_ENTITY.sub(LEFT, plain))


def _visible(text: str) -> str:
    """Return the text without invisible characters: tags, overrides, control characters."""
    return "".join(
        letter
        for letter in text
        if letter in "\n\t\u0085"
        or letter in _JOINERS
        or not (unicodedata.category(letter) in _INVISIBLE_CATEGORIES or letter in _INVISIBLE)
    )
