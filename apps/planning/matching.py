"""The candidate that an answer names."""

import re
from collections.abc import Sequence
from difflib import get_close_matches

from apps.kernel.text import one_line

# The least likeness (difflib) at which a misspelt answer matches a candidate.
LIKENESS_MIN = 0.6
_ENDS = " \t\n.;,\"'\u2019\u201d<>"


def chosen(answer: str, options: Sequence[str]) -> str | None:
    """Return the option that the answer names, None without one (W2).

    Options are paths in words. An answer may be the number of an option (from 1), its last
    part, its text in another case, or a similar text.
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
    """Return the number of parts of the path in an answer such as "at the kitchen table".

    0 without the last part.
    """
    named = [bool(re.search(rf"\b{re.escape(part)}\b", said)) for part in option.split(": ")]
    return sum(named) if named[-1] else 0
