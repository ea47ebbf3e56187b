"""Remarks: single utterances that nobody answered and that ask and tell nothing; pure."""

import re
from collections.abc import Iterable

# A longer remark may tell its hearer something that no name, number or question shows.
HEARD_CHARACTERS_MAX = 60
_WORD = re.compile(r"\w+")
# The question marks of all scripts that have one of their own.
_QUESTION = re.compile("[?\u00bf\uff1f\u061f\u037e\u055e\u1367\u2047-\u2049\u203d]")


def is_mere_remark(
    text: str, *, names: Iterable[str], participants: Iterable[str], is_own: bool
) -> bool:
    """Return whether the words, in any language, neither ask nor tell anything.

    They have no question mark, no digit and no word of the `names` of agents and places, but
    those of the participants. Words of somebody else are short, too; an agent learns nothing
    from its own.
    """
    if not is_own and len(text) > HEARD_CHARACTERS_MAX:
        return False
    if _QUESTION.search(text) or any(sign.isdigit() for sign in text):
        return False
    return not (_words((text,)) - _words(participants)) & _words(names)


def _words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in _WORD.findall(text.casefold())}
