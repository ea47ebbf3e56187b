"""Names that go into addresses: slugs of people."""

import re
import unicodedata

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
