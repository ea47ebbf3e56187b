"""Finds the JSON of an answer in the text of a model, which may think aloud before it (L2)."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from apps.kernel.language import phrase
from apps.llm.answers.loose_json import STRICT_DECODER, read_json
from apps.llm.answers.task_answer import InvalidAnswer

RAW_CHARACTERS_MAX = 100_000
VALUES_TRIED_MAX = 20
STARTS_FAILED_MAX = 200

_NAMES = "think|thinking|thoughts?|reasoning|reason|analysis|reflection|scratchpad|antthinking"
# What begins and ends the thoughts of a model. Most are the tags of a chat template, some of
# which stay in the text when a server parses another template.
_OPENS = re.compile(
    rf"<(?:\w+:)?(?:{_NAMES})\b[^<>]*>|\[THINK\]|\u25c1think\u25b7"
    r"|<\|?(?:START_THINKING|begin_of_thought|thinking|think)\|?>"
    r"|<\|channel\|?>\s*(?:analysis|commentary|thought|thinking)|\Aanalysis(?=[A-Z])",
    re.IGNORECASE,
)
_CLOSES = re.compile(
    rf"</(?:\w+:)?(?:{_NAMES})\s*>|\[/THINK\]|\u25c1/think\u25b7"
    r"|<\|(?:END_THINKING|end_of_thought|/thinking|/think)\|>"
    r"|<\|channel\|>\s*final\b[^<{]*(?:<\|constrain\|>[^<{]*)?(?:<\|message\|>)?"
    r"|<channel\|>|assistantfinal",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FoundValue:
    """An object or a list in a text, and the slips of its JSON."""

    value: Any
    slips: tuple[str, ...] = ()


def without_thoughts(text: str) -> str:
    """Return the text behind the thoughts; "" if they did not end.

    A text that is JSON as a whole has none, whatever its texts say.
    """
    if isinstance(_whole(text), dict | list):
        return text
    *_, behind = _CLOSES.split(text)
    if len(behind) < len(text) and not behind.strip():
        # Some servers hold the thoughts themselves to the schema, and nothing follows.
        thoughts = _OPENS.sub("", _CLOSES.sub("", text))
        return thoughts if isinstance(_whole(thoughts), dict | list) else ""
    return _OPENS.split(behind, maxsplit=1)[0]


def values_in(text: str, *, cut_off: bool = False) -> Iterator[FoundValue]:
    """Yield the values that can be the answer of the text: the last one first.

    Objects come before lists, and outer values before those inside of them, because some models
    wrap their answer: {"answer": {...}}.

    :param cut_off: whether the answer reached its limit, so that its end is missing.
    :raises InvalidAnswer: if the text has none.
    """
    text = text[:RAW_CHARACTERS_MAX]
    whole = _whole(text)
    if isinstance(whole, str):
        # Some models write an answer as a JSON text.
        text, whole = whole, _whole(whole)
    if isinstance(whole, dict | list):
        found = [FoundValue(whole)]
    else:
        found = _outer_values(without_thoughts(text).rstrip(), cut_off=cut_off)
    candidates = (
        FoundValue(inner, one.slips)
        for kind in (dict, list)
        for one in reversed(found)
        if isinstance(one.value, kind)
        for inner in _with_inner(one.value)
    )
    return islice(candidates, VALUES_TRIED_MAX)


def _outer_values(text: str, *, cut_off: bool) -> list[FoundValue]:
    """Return the objects and lists of the text that are in no other one, in order."""
    found: list[FoundValue] = []
    invalid: InvalidAnswer | None = None
    position, failed = 0, 0
    while failed <= STARTS_FAILED_MAX:
        position = min(
            (at for at in map(text.find, "{[", (position,) * 2) if at >= 0), default=-1
        )
        if position < 0:
            break
        try:
            value, position, slips = read_json(text, position, may_end_early=not cut_off)
            found.append(FoundValue(value, slips))
            continue
        except InvalidAnswer as error:
            invalid = invalid or error
        except json.JSONDecodeError as error:
            if error.pos < len(text):
                invalid = invalid or InvalidAnswer(_not_json(error))
        except (ValueError, RecursionError) as error:
            invalid = invalid or InvalidAnswer(_not_json(error))
        position += 1
        failed += 1
    if not found:
        raise invalid or InvalidAnswer(phrase("there is no complete JSON object in the answer"))
    return found


def _with_inner(value: Any) -> Iterator[Any]:
    """Yield the value, then those inside of it, the last ones first."""
    level = [value]
    while level:
        yield from level
        parts = [
            part
            for one in level
            for part in (one.values() if isinstance(one, dict) else one)
            if isinstance(part, dict | list)
        ]
        level = parts[: -VALUES_TRIED_MAX - 1 : -1]


def _whole(text: str) -> Any:
    """Return the value of a text that is JSON as a whole; None for others."""
    try:
        return STRICT_DECODER.decode(text.strip())
    except (ValueError, RecursionError):
        return None


def _not_json(error: Exception) -> str:
    return phrase("this is not valid JSON: {error}", error=error)
