"""Names: the rule for names of agents, slugs of names, and names offered as alternatives."""

import re
import unicodedata
from collections.abc import Collection, Sequence
from difflib import get_close_matches

from apps.kernel.text import join_or

NAME_CHARACTERS_MAX = 40
SLUG_CHARACTERS_MAX = 120
NAME_RULE = (
    "a name has letters, single spaces, hyphens and apostrophes, "
    f"at most {NAME_CHARACTERS_MAX} characters"
)
NAMELESS = "somebody"
NAMES_LISTED_MAX, NEAR_MAX = 12, 5

_APOSTROPHES = "'\u2019"
_PUNCTUATION = f"-{_APOSTROPHES}"
# Invisible letters and marks of Unicode (Default_Ignorable_Code_Point).
INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0").union(
    map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
# One character for each class: a letter, a mark, a space, punctuation, anything else.
_LETTER, _MARK, _SPACE, _JOINT, _OTHER = "LMS-?"
_WORD = "-?(?:LM*)+(?:-(?:LM*)+)*-?"
_FORM = re.compile(f"{_WORD}(?:S{_WORD})*")
_NOT_IN_A_SLUG = re.compile(r"[^a-z0-9]+")


def name_fault(name: str) -> str | None:
    """Return the fault of an agent's or a visitor's name, None if it is valid.

    Names are in prompts unquoted, also in the system message, so they have letters and
    combining marks of any script, single spaces, hyphens and apostrophes only: no digits, no
    other punctuation, no invisible characters and no change of direction.
    """
    if not name.strip():
        return "is an empty name"
    if len(name) > NAME_CHARACTERS_MAX:
        return f"has {len(name)} characters, and a name has at most {NAME_CHARACTERS_MAX}"
    for character in name:
        if _class_of(character) == _OTHER:
            return f"has {_described(character)} in it"
    if not _FORM.fullmatch("".join(map(_class_of, name))):
        return "has spaces at its ends, or signs that do not stand at a letter"
    if len(slug_of(name)) > SLUG_CHARACTERS_MAX:
        return "is too long for an address; write it shorter, or with plain letters"
    return None


def plain_name(name: str) -> str:
    """Return the name if it keeps the rule of names, else without the invalid characters.

    Simulations that were created before the rule may have agents with other names.
    """
    if name_fault(name) is None:
        return name
    kept = "".join(sign if _class_of(sign) != _OTHER else " " for sign in name)
    words = (word.strip(_PUNCTUATION) for word in kept.split())
    shortened = " ".join(word for word in words if word)[:NAME_CHARACTERS_MAX].rstrip()
    return shortened if name_fault(shortened) is None else NAMELESS


def slug_of(name: str) -> str:
    """Return the name for addresses: "Isabella Rodriguez" -> "isabella-rodriguez".

    Letters without an ASCII form become their code point in hexadecimals, so that every name
    has a slug.
    """
    plain = unicodedata.normalize("NFKD", name)
    letters = "".join(
        letter if letter.isascii() else f"-{ord(letter):x}-"
        for letter in plain
        if not unicodedata.combining(letter)
    )
    return _NOT_IN_A_SLUG.sub("-", letters.lower()).strip("-")


def either(names: Sequence[str]) -> str:
    """Return the names, at least one, as alternatives: "'a', 'b' or 'c'"."""
    return join_or([f"'{name}'" for name in names])


def names_there_are(known: Collection[str], unknown: str) -> str:
    """Return the hint on an unknown name: all names, or of many those that are like it."""
    of_part = [name for name in known if unknown in name.split(".")]
    near = of_part[:NEAR_MAX] or get_close_matches(unknown, known, n=NEAR_MAX)
    meant = f"did you mean {either(near)}?" if near else ""
    if near and len(known) > NAMES_LISTED_MAX:
        return meant
    listed = f"there are {', '.join(known)}" if known else "there are none"
    return f"{listed}; {meant}" if near else listed


def _class_of(character: str) -> str:
    if character == " ":
        return _SPACE
    if character in _PUNCTUATION:
        return _JOINT
    if character in INVISIBLE:
        return _OTHER
    return {"L": _LETTER, "M": _MARK}.get(unicodedata.category(character)[0], _OTHER)


def _described(character: str) -> str:
    """Return the character for an error message."""
    named = unicodedata.name(character, "a control character")
    if character in INVISIBLE or unicodedata.category(character)[0] in "CZM":
        return f"U+{ord(character):04X} ({named.lower()})"
    return repr(character)
