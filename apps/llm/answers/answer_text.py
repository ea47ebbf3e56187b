"""Parses the raw text of a model into a typed answer.

Models wrap JSON in prose, in code fences and in their reasoning. The error of an invalid answer
tells the model how to correct it.
"""

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from apps.kernel.language import phrase
from apps.llm.answers.answer_options import NO_OPTIONS, Options
from apps.llm.answers.answer_reading import read_answer
from apps.llm.answers.differences import Adjusted
from apps.llm.answers.json_schema import schema_of
from apps.llm.answers.task_answer import InvalidAnswer
from apps.llm.cleaning import clean_json

RAW_CHARACTERS_MAX = 100_000
OBJECTS_TRIED_MAX = 20
ERRORS_SHOWN_MAX = 5

_Answer = TypeVar("_Answer", bound=BaseModel)
_THINKING = re.compile(r"<think>.*?(</think>|\Z)", re.DOTALL)


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidAnswer(phrase("{name} is not a number", name=name))


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def answer_in(
    text: str, answer_type: type[_Answer], options: Options = NO_OPTIONS
) -> Adjusted[_Answer]:
    """Return the first valid answer in the text, outer values before inner ones.

    Inner values count, because some models wrap their answer: {"answer": {...}}. The
    differences are those of its form; see `answer_reading`.

    :raises InvalidAnswer: if there is none.
    """
    text = _THINKING.sub("", text[:RAW_CHARACTERS_MAX]).rstrip()
    invalid: InvalidAnswer | None = None
    for start in islice(_starts(text), OBJECTS_TRIED_MAX):
        try:
            return _validated(_DECODER.raw_decode(text, start)[0], answer_type, options)
        except InvalidAnswer as error:
            invalid = invalid or error
        except json.JSONDecodeError as error:
            if error.pos < len(text):
                invalid = invalid or InvalidAnswer(_not_json(error))
        except (ValueError, RecursionError) as error:
            invalid = invalid or InvalidAnswer(_not_json(error))
    raise invalid or InvalidAnswer(phrase("there is no complete JSON object in the answer"))


def _not_json(error: Exception) -> str:
    return phrase("this is not valid JSON: {error}", error=error)


def _starts(text: str) -> Iterator[int]:
    """Yield the positions at which an object or a list may begin."""
    return (position for position, character in enumerate(text) if character in "{[")


def _validated(
    value: object, answer_type: type[_Answer], options: Options
) -> Adjusted[_Answer]:
    """Return the value as an answer with storable texts and finite numbers."""
    read, differences = read_answer(schema_of(answer_type), options, clean_json(value))
    clean = json.dumps(read, ensure_ascii=False, allow_nan=False)
    try:
        return Adjusted(answer_type.model_validate_json(clean), differences)
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
        more = len(problems) - ERRORS_SHOWN_MAX
        lines.append(phrase("and {count} more", count=more))
    return "; ".join(lines)
