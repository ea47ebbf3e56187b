r"""Makes text of users and models storable.

PostgreSQL stores neither NUL nor lone surrogates, so one "\u0000" of a model would stop a
simulation.
"""

import re

from apps.kernel.text import one_line

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")


def clean_text(text: str) -> str:
    """Return the text without control characters (line feeds and tabs stay)."""
    without_returns = text.replace("\r\n", "\n").replace("\r", "\n")
    return _LONE_SURROGATE.sub("\ufffd", _CONTROL.sub("", without_returns))


def in_one_line(text: str) -> str:
    """Return the cleaned text with one space wherever there were spaces or line feeds."""
    return one_line(clean_text(text))


def clean_json(value: object) -> object:
    """Return the JSON value with every text in it cleaned."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list):
        return [clean_json(item) for item in value]
    if isinstance(value, dict):
        return {clean_text(str(key)): clean_json(item) for key, item in value.items()}
    return value
