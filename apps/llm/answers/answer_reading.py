"""Reads the JSON of an answer along the schema of its type (L2).

Small models give "7:30 pm" for "19:30", a name without its path, or a list without the object
around it. What can only mean one thing is read as that, and the difference is recorded.
Everything else is left as it is, for the validation to refuse: the reader guesses nothing.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from apps.kernel.game_time import parse_clock
from apps.kernel.language import phrase
from apps.llm.answers.answer_options import (
    CLOCK,
    FORM,
    NO_OPTIONS,
    OPTION_SET,
    Options,
    key_meant,
)
from apps.llm.answers.differences import Adjusted, Difference
from apps.llm.answers.json_schema import schema_of
from apps.llm.answers.task_answer import InvalidAnswer
from apps.llm.cleaning import clean_json
from apps.llm.port import JsonSchema

OPTIONS_SHOWN_MAX = 60
ANSWERED_CHARACTERS_MAX = 400
OTHER_FORM = "the option in another form"
CLOCK_FORM = "the time of day in another form"
NUMBER_FORM = "a whole number in another form"
LIST_ALONE = "a list without the object around it"
NO_LIST = "one value in place of a list"
LEFT_EMPTY = "null in place of an empty value"
UNKNOWN_FIELD = "a field that was not asked for"

# A whole number, also with zeros behind the point, also with the unit of minutes.
_NUMBER = re.compile(r"\s*(-?\d{1,9})(?:[.,]0+)?\s*(?:min\w*\.?)?\s*", re.IGNORECASE)
# Words behind a time of day.
_CLOCK_END = re.compile(r"\s*(?:\buhr|\bo['\u2019]clock|(?<=\d)h)?\.?\s*$", re.IGNORECASE)
_CLOCK_MINUTES_MAX = 36 * 60


def read_answer(
    schema: JsonSchema, options: Options, value: object
) -> tuple[object, tuple[Difference, ...]]:
    """Return the value in the form of the schema as far as it can be read, and the differences.

    :param schema: of the answer type, with its marks.
    :raises InvalidAnswer: if a marked field names no option; the message lists them.
    """
    reader = _Reader(schema, options)
    read = reader.read_whole(value)
    return read, tuple(reader.differences)


@dataclass(frozen=True, slots=True)
class _Reader:
    root: JsonSchema
    options: Options
    differences: list[Difference] = field(default_factory=list)

    def read_whole(self, value: object) -> object:
        """Read the answer; a list stands for the only field of an object of one list."""
        properties = self.root.get("properties", {})
        assert isinstance(properties, dict), "properties are an object"
        required = {name: part for name, part in properties.items() if "default" not in part}
        if isinstance(value, list) and len(required) == 1:
            [(name, schema)] = required.items()
            if self._resolved(schema).get("type") == "array":
                value = {name: value}
                self.differences.append(
                    Difference(field=name, answered="[…]", used="{…}", reason=LIST_ALONE)
                )
        return self._read(self.root, value, "")

    def _read(self, schema: Any, value: Any, path: str) -> Any:
        schema = self._resolved(schema)
        if branches := schema.get("anyOf"):
            given = [branch for branch in branches if branch.get("type") != "null"]
            return value if value is None else self._read(given[0], value, path)
        readers = {
            OPTION_SET: self._key,
            CLOCK: self._clock,
            "enum": self._literal,
            "object": self._object,
            "array": self._array,
            "integer": self._integer,
            "string": self._text,
        }
        reader = readers.get(_kind_of(schema))
        return value if reader is None else reader(schema, value, path)

    def _object(self, schema: Mapping[str, Any], value: Any, path: str) -> Any:
        properties: Mapping[str, Any] = schema.get("properties", {})
        if not isinstance(value, dict) or not properties.keys() & value.keys():
            return value
        read = {}
        for name, part in value.items():
            if name in properties:
                read[name] = self._read(properties[name], part, _joined(path, name))
            else:
                self._used(_joined(path, name), part, "", UNKNOWN_FIELD)
        return read

    def _array(self, schema: Mapping[str, Any], value: Any, path: str) -> Any:
        if value is None:
            return self._used(path, value, [], LEFT_EMPTY)
        if not isinstance(value, list):
            value = self._used(path, value, [value], NO_LIST)
        return [
            self._read(schema.get("items", {}), part, _joined(path, str(number)))
            for number, part in enumerate(value, start=1)
        ]

    def _text(self, _: Mapping[str, Any], value: Any, path: str) -> Any:
        return self._used(path, value, "", LEFT_EMPTY) if value is None else value

    def _integer(self, _: Mapping[str, Any], value: Any, path: str) -> Any:
        if isinstance(value, float) and value.is_integer():
            return self._used(path, value, int(value), NUMBER_FORM)
        if isinstance(value, str) and (match := _NUMBER.fullmatch(value)):
            return self._used(path, value, int(match[1]), NUMBER_FORM)
        return value

    def _clock(self, _: Mapping[str, Any], value: Any, path: str) -> Any:
        text = f"{value}:00" if type(value) is int else value
        minute = parse_clock(_CLOCK_END.sub("", text)) if isinstance(text, str) else None
        if minute is None or minute >= _CLOCK_MINUTES_MAX:
            raise InvalidAnswer(
                phrase(
                    '"{field}" is {value}, which is not a time of day: give one such as '
                    '"17:05"',
                    field=path,
                    value=_shown(value),
                )
            )
        clock = f"{minute // 60:02d}:{minute % 60:02d}"
        return value if value == clock else self._used(path, value, clock, CLOCK_FORM)

    def _literal(self, schema: Mapping[str, Any], value: Any, path: str) -> Any:
        literals = schema["enum"]
        if value in literals or not isinstance(value, str):
            return value
        meant = key_meant(value, [one for one in literals if isinstance(one, str)])
        return value if meant is None else self._used(path, value, meant, OTHER_FORM)

    def _key(self, schema: Mapping[str, Any], value: Any, path: str) -> Any:
        keys = self.options[schema[OPTION_SET]]
        if value in keys:
            return value
        is_named = isinstance(value, str) or type(value) is int
        key = key_meant("" if value is None else str(value), keys) if is_named else None
        if value is None and "" in keys:
            return self._used(path, value, "", LEFT_EMPTY)
        if key is None:
            shown = ", ".join(f'"{key}"' for key in keys[:OPTIONS_SHOWN_MAX])
            raise InvalidAnswer(
                phrase(
                    '"{field}" is {value}, which is not one of the options: give one of {keys}',
                    field=path,
                    value=_shown(value),
                    keys=shown,
                )
            )
        return self._used(path, value, key, OTHER_FORM)

    def _used(self, path: str, answered: object, used: Any, reason: str) -> Any:
        """Record the difference; return the value that is used."""
        self.differences.append(
            Difference(field=path, answered=_shown(answered), used=_shown(used), reason=reason)
        )
        return used

    def _resolved(self, schema: Any) -> Mapping[str, Any]:
        reference = schema.get("$ref")
        if reference is None:
            return dict(schema)
        definitions = self.root["$defs"]
        assert isinstance(definitions, dict), "definitions are an object"
        return {**definitions[reference.rpartition("/")[2]], **_but_reference(schema)}


def _kind_of(schema: Mapping[str, Any]) -> str:
    """Return the mark of a schema, "enum" for literals, else its type."""
    if OPTION_SET in schema:
        return OPTION_SET
    if "enum" in schema:
        return "enum"
    return str(schema.get(FORM) or schema.get("type", ""))


def _but_reference(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {name: part for name, part in schema.items() if name != "$ref"}


def _shown(value: object) -> str:
    """Return a value as it is recorded: a text as it is, another value as JSON."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text[:ANSWERED_CHARACTERS_MAX]


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


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
