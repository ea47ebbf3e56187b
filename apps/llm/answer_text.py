"""From a model's raw words to a typed answer.

Models wrap JSON in prose, in code fences and in loud thinking; whatever cannot be
believed is refused with a message that the model can mend its answer by.
"""

import json
import re
from collections.abc import Iterator
from typing import NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from apps.llm.cleaning import clean_json

RAW_CHARACTERS_MAX = 100_000
OBJECTS_TRIED_MAX = 20
ERRORS_TOLD_MAX = 5

_Answer = TypeVar("_Answer", bound=BaseModel)
_THINKING = re.compile(r"<think>.*?(</think>|\Z)", re.DOTALL)


class AnswerRefused(ValueError):
    """The text holds no valid answer; the message says what is wrong with it."""


def answer_in(text: str, answer_type: type[_Answer]) -> _Answer:
    """Return the first valid answer that the text holds.

    :raises AnswerRefused: if there is none; the message is meant for the model.
    """
    refusal: AnswerRefused | None = None
    for candidate in _objects_in(_THINKING.sub("", text[:RAW_CHARACTERS_MAX])):
        try:
            return answer_type.model_validate_json(_cleaned(candidate))
        except ValidationError as error:
            refusal = refusal or AnswerRefused(_told(error))
        except (ValueError, RecursionError) as error:
            refusal = refusal or AnswerRefused(f"this is not valid JSON: {error}")
    raise refusal or AnswerRefused("there is no complete JSON object in the answer")


def _objects_in(text: str) -> Iterator[str]:
    """Yield what may be JSON objects, outer before inner, at most OBJECTS_TRIED_MAX.

    Inner ones too: a model that wraps its answer in {"answer": ...} meant what is inside.
    """
    whole = text.strip()
    if whole.startswith("{") and whole.endswith("}"):
        yield whole
    start = text.find("{")
    for _ in range(OBJECTS_TRIED_MAX):
        if start < 0:
            return
        end = _end_of_object(text, start)
        if end is not None and text[start:end] != whole:
            yield text[start:end]
        start = text.find("{", start + 1)


def _end_of_object(text: str, start: int) -> int | None:
    """Return the place after the brace that closes the one at `start`; None without one."""
    depth, in_string, escaped = 0, False, False
    for place in range(start, len(text)):
        letter = text[place]
        if in_string:
            in_string = escaped or letter != '"'
            escaped = letter == "\\" and not escaped
        elif letter == '"':
            in_string = True
        elif letter in "{}":
            depth += 1 if letter == "{" else -1
            if depth == 0:
                return place + 1
    return None


def _cleaned(candidate: str) -> str:
    """Return the JSON with storable texts only; NaN and infinities are no JSON."""
    value = json.loads(candidate, parse_constant=_refuse_constant)
    return json.dumps(clean_json(value), ensure_ascii=False, allow_nan=False)


def _refuse_constant(name: str) -> NoReturn:
    raise AnswerRefused(f"{name} is not a number")


def _told(error: ValidationError) -> str:
    """Return the validation error in words, without the library's addresses."""
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    told = [
        f"{'.'.join(str(part) for part in problem['loc']) or 'answer'}: {problem['msg']}"
        for problem in problems[:ERRORS_TOLD_MAX]
    ]
    if len(problems) > ERRORS_TOLD_MAX:
        told.append(f"and {len(problems) - ERRORS_TOLD_MAX} more")
    return "; ".join(told)
