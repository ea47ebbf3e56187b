"""Names: as they go into addresses, slugs of people, and as several are offered."""

import re
import unicodedata
from collections.abc import Sequence

_NOT_IN_A_SLUG = re.compile(r"[^a-z0-9]+")


def slug_of(name: str) -> str:
    """Return the name as it stands in addresses: "Isabella Rodriguez" -> "isabella-rodriguez".

    Letters without an ASCII form keep their code point in hexadecimals, so that no name
    is left without a slug.
    """
    plain = unicodedata.normalize("NFKD", name)
    letters = "".join(
        letter if letter.isascii() else f"-{ord(letter):x}-"
        for letter in plain
        if not unicodedata.combining(letter)
    )
    return _NOT_IN_A_SLUG.sub("-", letters.lower()).strip("-")


def either(names: Sequence[str]) -> str:
    """Return the names, of which there is one at least, to choose from: "'a', 'b' or 'c'"."""
    quoted = [f"'{name}'" for name in names]
    if len(quoted) == 1:
        return quoted[0]
    return ", ".join(quoted[:-1]) + " or " + quoted[-1]
