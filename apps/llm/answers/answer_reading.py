"""Reads the JSON of an answer along the schema of its type (L2).

Small models give "7:30 pm" for "19:30", a name without its path, or a list without the object
around it. What can only mean one thing is read as that, and the difference is recorded.
Everything else is left as it is, for the validation to refuse: the reader guesses nothing.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from apps.kernel.game_time import parse_clock
from apps.kernel.language import phrase
from apps.llm.answers.answer_options import (
    CLOCK,
    FORM,
    INSTEAD,
    NO_OPTIONS,
    OPTION_SET,
    Options,
    applying,
    key_meant,
)
from apps.llm.answers.answer_text import values_in
from apps.llm.answers.differences import Adjusted, Difference
from apps.llm.answers.json_schema import ANSWER, schema_of
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
OTHER_NAME = "the name of the field in another form"
TRUTH_FORM = "a truth value in another form"
WRAPPED_TEXT = "a text inside of a list or an object"
INCIDENTAL = "a value that cannot be used, and decides nothing"

# A field that was not asked for is ignored without a difference if it has one of these values.
EMPTY: tuple[object, ...] = (None, "", [], {})

# A whole number, also with zeros behind the point, also with the unit of minutes.
_NUMBER = re.compile(r"\s*(-?\d{1,9})(?:[.,]0+)?\s*(?:min\w*\.?)?\s*", re.IGNORECASE)
# A rating with its maximum: "7/10", "7 out of 10".
_OUT_OF = re.compile(r"\s*(\d{1,4})\s*(?:/|out of)\s*(\d{1,4})\s*", re.IGNORECASE)
_TRUTHS = {"true": True, "yes": True, "false": False, "no": False}
# Words behind a time of day.
_CLOCK_END = re.compile(r"\s*(?:\buhr|\bo['\u2019]clock|(?<=\d)h)?\.?\s*$", re.IGNORECASE)
_CLOCK_MINUTES_MAX = 36 * 60


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one value; `root` is the schema of the fields that apply, with its marks."""

    root: JsonSchema
    options: Options
    differences: list[Difference] = field(default_factory=list)

    def read_whole(self, value: object) -> object:
        """Return the value in the form of the schema as far as it can be read.

        An object alone in the field ANSWER is the answer. A list stands for the only field of
        an object of one list.

        :raises InvalidAnswer: if a marked field names no option; the message lists them.
        """
        properties = self.root.get("properties", {})
        assert isinstance(properties, dict), "properties are an object"
        if isinstance(value, dict) and value.keys() == {ANSWER} and ANSWER not in properties:
            [value] = value.values()
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
            "boolean": self._truth,
            "integer": self._integer,
            "string": self._text,
        }
        reader = readers.get(_kind_of(schema))
        if INSTEAD in schema:
            return self._incidental(schema, value, path)
        return value if reader is None else reader(schema, value, path)

    def _object(self, schema: Mapping[str, Any], value: Any, path: str) -> Any:
        properties: Mapping[str, Any] = schema.get("properties", {})
        if not isinstance(value, dict):
            return value
        named = {name: self._field_meant(name, value, properties) for name in value}
        if not any(named.values()):
            return value
        read = {}
        for name, part in value.items():
            field = named[name]
            if field is None:
                self._left_out(_joined(path, name), part)
                continue
            if field != name:
                self._used(_joined(path, field), name, field, OTHER_NAME)
            read[field] = self._read(properties[field], part, _joined(path, field))
        for name in schema.get("required", ()):
            if name not in read and INSTEAD in properties[name]:
                read[name] = self._used(
                    _joined(path, name), "", properties[name][INSTEAD], INCIDENTAL
                )
        return read

    def _left_out(self, path: str, value: Any) -> None:
        """Record a field that was not asked for, if it says anything."""
        if value not in EMPTY:
            self._used(path, value, "", UNKNOWN_FIELD)

    @staticmethod
    def _field_meant(
        name: str, value: Mapping[str, Any], properties: Mapping[str, Any]
    ) -> str | None:
        """Return the field of that name, also in another spelling; None without one."""
        if name in properties:
            return name
        same = [field for field in properties if _plain(field) == _plain(name)]
        return same[0] if len(same) == 1 and same[0] not in value else None

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
        if value is None:
            return self._used(path, value, "", LEFT_EMPTY)
        inner = list(value.values()) if isinstance(value, dict) else value
        if isinstance(inner, list) and len(inner) == 1 and isinstance(inner[0], str):
            return self._used(path, value, inner[0], WRAPPED_TEXT)
        return value

    def _truth(self, _: Mapping[str, Any], value: Any, path: str) -> Any:
        meant = _TRUTHS.get(value.strip(" .").casefold()) if isinstance(value, str) else None
        return value if meant is None else self._used(path, value, meant, TRUTH_FORM)

    def _incidental(self, schema: Mapping[str, Any], value: Any, path: str) -> Any:
        """Read a value that decides nothing; one that cannot be used is replaced."""
        instead = schema[INSTEAD]
        if isinstance(instead, str):
            read = self._text(schema, value, path)
            return (
                read if isinstance(read, str) else self._used(path, value, instead, INCIDENTAL)
            )
        read = self._integer(schema, value, path)
        if isinstance(read, bool) or not isinstance(read, int | float) or not isfinite(read):
            return self._used(path, value, instead, INCIDENTAL)
        nearest = round(min(max(read, schema["minimum"]), schema["maximum"]))
        return read if nearest == read else self._used(path, value, nearest, INCIDENTAL)

    def _integer(self, schema: Mapping[str, Any], value: Any, path: str) -> Any:
        if isinstance(value, float) and value.is_integer():
            return self._used(path, value, int(value), NUMBER_FORM)
        if isinstance(value, str) and (match := _NUMBER.fullmatch(value)):
            return self._used(path, value, int(match[1]), NUMBER_FORM)
        rating = _OUT_OF.fullmatch(value) if isinstance(value, str) else None
        if rating is not None and int(rating[2]) == schema.get("maximum"):
            return self._used(path, value, int(rating[1]), NUMBER_FORM)
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


def _plain(name: str) -> str:
    """Return the name of a field without its case and the signs between its words."""
    return re.sub(r"[\W_]+", "", name).casefold()


def _shown(value: object) -> str:
    """Return a value as it is recorded: a text as it is, another value as JSON."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text[:ANSWERED_CHARACTERS_MAX]


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


ERRORS_SHOWN_MAX = 5

_Answer = TypeVar("_Answer", bound=BaseModel)


def answer_in(
    text: str,
    answer_type: type[_Answer],
    options: Options = NO_OPTIONS,
    *,
    cut_off: bool = False,
) -> Adjusted[_Answer]:
    """Return the last valid answer in the text, behind the thoughts; see `values_in`.

    The differences are those of its form, and the slips of its JSON.

    :raises InvalidAnswer: if there is none.
    """
    schema = applying(schema_of(answer_type), options)
    invalid: InvalidAnswer | None = None
    for found in values_in(text, cut_off=cut_off):
        try:
            answer = _validated(found.value, answer_type, _Reader(schema, options))
        except InvalidAnswer as error:
            invalid = invalid or error
            continue
        slips = tuple(
            Difference(field="", answered="", used="", reason=slip) for slip in found.slips
        )
        return replace(answer, differences=slips + answer.differences)
    assert invalid is not None, "a text has a value or an error"
    raise invalid


def _validated(value: object, answer_type: type[_Answer], reader: _Reader) -> Adjusted[_Answer]:
    """Return the value as an answer with storable texts and finite numbers."""
    read = reader.read_whole(clean_json(value))
    try:
        clean = json.dumps(read, ensure_ascii=False, allow_nan=False)
        return Adjusted(answer_type.model_validate_json(clean), tuple(reader.differences))
    except ValidationError as error:
        raise InvalidAnswer(_problems(error)) from error
    except ValueError as error:
        raise InvalidAnswer(phrase("{name} is not a number", name="Infinity")) from error


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
