"""The offered place that an answer means."""

import re
from collections.abc import Sequence
from difflib import get_close_matches

from apps.kernel.text import one_line

# Half the letters must agree before a misspelt answer is taken for an offered place.
LIKENESS_MIN = 0.6
_ENDS = " \t\n.;,\"'\u2019\u201d<>"


def chosen(answer: str, options: Sequence[str]) -> str | None:
    """Return the offered option that the answer means, or None when it means none (W2).

    Options are paths in words. An answer may be an option's number (1, 2, …), its last
    part, its text in other letters, or nearly its text.
    """
    said = one_line(answer).strip(_ENDS)
    if said.isdecimal() and 1 <= int(said) <= len(options):
        return options[int(said) - 1]
    for likeness in (_same, _tail_of, _parts_named):
        agreeing = [likeness(said.casefold(), option.casefold()) for option in options]
        if any(agreeing):
            return options[agreeing.index(max(agreeing))]
    forms = {option.casefold(): option for option in options}
    forms |= {option.casefold().rpartition(": ")[2]: option for option in reversed(options)}
    near = get_close_matches(said.casefold(), forms, n=1, cutoff=LIKENESS_MIN)
    return forms[near[0]] if near else None


def _same(said: str, option: str) -> bool:
    return said == option


def _tail_of(said: str, option: str) -> bool:
    return bool(said) and (option.endswith(f": {said}") or said.endswith(f": {option}"))


def _parts_named(said: str, option: str) -> int:
    """Return how many parts of the path an answer such as "at the kitchen table" names.

    0 when its last part is not among them.
    """
    named = [bool(re.search(rf"\b{re.escape(part)}\b", said)) for part in option.split(": ")]
    return sum(named) if named[-1] else 0
