"""From a model's raw words to a typed answer.

Models wrap JSON in prose, in code fences and in loud thinking; whatever cannot be
validated_answer is refused with a message that the model can mend its answer by.
"""

import json
import re
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


def _refuse_constant(name: str) -> NoReturn:
    raise AnswerRefused(f"{name} is not a number")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def answer_in(text: str, answer_type: type[_Answer]) -> _Answer:
    """Return the first valid answer that the text holds, outer objects before inner ones.

    Inner ones count: a model that wraps its answer in {"answer": ...} meant what is inside.

    :raises AnswerRefused: if there is none; the message is meant for the model.
    """
    text = _THINKING.sub("", text[:RAW_CHARACTERS_MAX]).rstrip()
    refusal: AnswerRefused | None = None
    start = text.find("{")
    for _ in range(OBJECTS_TRIED_MAX):
        if start < 0:
            break
        try:
            return _validated(_DECODER.raw_decode(text, start)[0], answer_type)
        except AnswerRefused as error:
            refusal = refusal or error
        except json.JSONDecodeError as error:
            if error.pos < len(text):
                refusal = refusal or AnswerRefused(f"this is not valid JSON: {error}")
        except (ValueError, RecursionError) as error:
            refusal = refusal or AnswerRefused(f"this is not valid JSON: {error}")
        start = text.find("{", start + 1)
    raise refusal or AnswerRefused("there is no complete JSON object in the answer")


def _validated(value: object, answer_type: type[_Answer]) -> _Answer:
    """Return the value as an answer, with storable texts and finite numbers only."""
    clean = json.dumps(clean_json(value), ensure_ascii=False, allow_nan=False)
    try:
        return answer_type.model_validate_json(clean)
    except ValidationError as error:
        raise AnswerRefused(_problems(error)) from error


def _problems(error: ValidationError) -> str:
    """Return the validation error in words, without the library's addresses."""
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    lines = [
        f"{'.'.join(str(part) for part in problem['loc']) or 'answer'}: {problem['msg']}"
        for problem in problems[:ERRORS_TOLD_MAX]
    ]
    if len(problems) > ERRORS_TOLD_MAX:
        lines.append(f"and {len(problems) - ERRORS_TOLD_MAX} more")
    return "; ".join(lines)
