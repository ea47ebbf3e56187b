"""What was said about passing something on: in confidence, not before a time, only to some.

The terms are the texts of an answer, an event and a row: "" for what everybody may hear,
"in confidence", "not before 2023-02-14 17:00" and "only to Ada Park, John Lin".
"""

from collections.abc import Iterable
from datetime import datetime

from pydantic import Field
from pydantic.config import JsonDict

from apps.kernel.game_time import format_clock, format_short_day
from apps.kernel.language import phrase
from apps.kernel.text import join_and

IN_CONFIDENCE, NOT_BEFORE, ONLY_TO = "in confidence", "not before ", "only to "
TERMS_CHARACTERS_MAX = 200
_FORM: JsonDict = {"pattern": f"^({IN_CONFIDENCE}|{NOT_BEFORE}.+|{ONLY_TO}.+)?$"}


def passing_on_field() -> str:
    """Return the field of an answer with the terms, which `require_terms` checks."""
    field: str = Field(
        default="",
        max_length=TERMS_CHARACTERS_MAX,
        description='"" if anybody may be told; "in confidence" if it is to be kept; or '
        '"not before 2023-02-14 17:00", or "only to" and full names',
        json_schema_extra=_FORM,
    )
    return field


def require_terms(terms: str) -> str:
    """Return the terms of an answer as they are stored.

    :raises ValueError: if they are none of these forms; the message says what to give.
    """
    words = " ".join(terms.split())
    if words.startswith(NOT_BEFORE):
        try:
            moment = not_before(words)
        except ValueError:
            moment = None
        if moment is not None:
            return f"{NOT_BEFORE}{moment:%Y-%m-%d %H:%M}"
    elif words in ("", IN_CONFIDENCE) or words.startswith(ONLY_TO):
        return words
    raise ValueError(
        phrase(
            'give "", "in confidence", "not before 2023-02-14 17:00" or "only to" and full '
            "names, not {text}",
            text=repr(words[:40]),
        )
    )


def not_before(terms: str) -> datetime | None:
    """Return the game time before which it is to be kept, None without one."""
    if not terms.startswith(NOT_BEFORE):
        return None
    return datetime.fromisoformat(terms.removeprefix(NOT_BEFORE)).replace(tzinfo=None)


def terms_at(terms: str, now: datetime) -> str:
    """Return the terms that hold at the game time: "" once the time has come."""
    moment = not_before(terms)
    return "" if moment is not None and moment <= now else terms


def shared_terms(several: Iterable[str], now: datetime) -> str:
    """Return the terms of what rests on memories with these terms: it breaks none of them.

    Terms of different kinds have no common form but "in confidence".
    """
    held = sorted({terms_at(terms, now) for terms in several} - {""})
    if len(held) < 2:
        return "".join(held)
    if all(one.startswith(NOT_BEFORE) for one in held):
        return held[-1]  # the times are written in order
    if all(one.startswith(ONLY_TO) for one in held):
        to_all = [name for name in _names(held[0]) if all(name in _names(one) for one in held)]
        if to_all:
            return ONLY_TO + ", ".join(to_all)
    return IN_CONFIDENCE


def may_be_told(terms: str, name: str, now: datetime) -> bool:
    """Return whether it may be told to the agent of the full name at the game time."""
    held = terms_at(terms, now)
    return not held or (held.startswith(ONLY_TO) and name in _names(held))


def with_terms(text: str, terms: str) -> str:
    """Return the text with what was said about passing it on, in words."""
    moment = not_before(terms)
    if not terms:
        return text
    if moment is not None:
        time = f"{format_short_day(moment)} {format_clock(moment)}"
        return phrase("{memory} (to be kept until {time})", memory=text, time=time)
    if terms.startswith(ONLY_TO):
        names = join_and(_names(terms))
        return phrase("{memory} (to be told only to {names})", memory=text, names=names)
    return phrase("{memory} (to be kept secret)", memory=text)


def _names(terms: str) -> list[str]:
    return [one.strip() for one in terms.removeprefix(ONLY_TO).split(",") if one.strip()]
