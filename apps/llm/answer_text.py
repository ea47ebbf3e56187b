"""Parses the raw text of a model into a typed answer.

Models wrap JSON in prose, in code fences and in their reasoning. The error of an invalid answer
tells the model how to correct it.
"""

import json
import re
from typing import NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from apps.llm.cleaning import clean_json

RAW_CHARACTERS_MAX = 100_000
OBJECTS_TRIED_MAX = 20
ERRORS_SHOWN_MAX = 5

_Answer = TypeVar("_Answer", bound=BaseModel)
_THINKING = re.compile(r"<think>.*?(</think>|\Z)", re.DOTALL)


class InvalidAnswer(ValueError):
    """The text has no valid answer; the message is meant for the model."""


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidAnswer(f"{name} is not a number")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def answer_in(text: str, answer_type: type[_Answer]) -> _Answer:
    """Return the first valid answer in the text, outer objects before inner ones.

    Inner objects count, because some models wrap their answer: {"answer": {...}}.

    :raises InvalidAnswer: if there is none.
    """
    text = _THINKING.sub("", text[:RAW_CHARACTERS_MAX]).rstrip()
    invalid: InvalidAnswer | None = None
    start = text.find("{")
    for _ in range(OBJECTS_TRIED_MAX):
        if start < 0:
            break
        try:
            return _validated(_DECODER.raw_decode(text, start)[0], answer_type)
        except InvalidAnswer as error:
            invalid = invalid or error
        except json.JSONDecodeError as error:
            if error.pos < len(text):
                invalid = invalid or InvalidAnswer(f"this is not valid JSON: {error}")
        except (ValueError, RecursionError) as error:
            invalid = invalid or InvalidAnswer(f"this is not valid JSON: {error}")
        start = text.find("{", start + 1)
    raise invalid or InvalidAnswer("there is no complete JSON object in the answer")


def _validated(value: object, answer_type: type[_Answer]) -> _Answer:
    """Return the value as an answer with storable texts and finite numbers."""
    clean = json.dumps(clean_json(value), ensure_ascii=False, allow_nan=False)
    try:
        return answer_type.model_validate_json(clean)
    except ValidationError as error:
        raise InvalidAnswer(_problems(error)) from error


def _problems(error: ValidationError) -> str:
    """Return the validation error as text, without the library's links."""
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    lines = [
        f"{'.'.join(str(part) for part in problem['loc']) or 'answer'}: {problem['msg']}"
        for problem in problems[:ERRORS_SHOWN_MAX]
    ]
    if len(problems) > ERRORS_SHOWN_MAX:
        lines.append(f"and {len(problems) - ERRORS_SHOWN_MAX} more")
    return "; ".join(lines)
