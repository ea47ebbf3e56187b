"""Reads JSON with slips that can mean one thing only, and says which slips it has.

A comma too many, a comment, other quotation marks, the words of Python: models repeat them when
they are asked again. What could mean two things is an error, as it is in JSON.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn

from apps.kernel.language import phrase
from apps.llm.answers.task_answer import InvalidAnswer

COMMA = "a comma before the end"
COMMENT = "a comment in the JSON"
LINE_FEED = "a line feed or a tab inside a text"
QUOTES = "other quotation marks than those of JSON"
WORDS = "a word of Python in place of that of JSON"
ESCAPE = "a backslash before a sign that needs none"
BARE_NAME = "a field name without quotation marks"
WIDE_SIGN = "a wide colon or comma"
NO_END = "a missing bracket at the end"
DEPTH_MAX = 60

_CLOSING = {
    '"': '"',
    "'": "'",
    "\u201c": '\u201d"',
    "\u201e": "\u201c\u201d",
    "\u2018": "\u2019",
}
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_CONSTANTS = {"true": True, "false": False, "null": None}
_PYTHON = {"True": True, "False": False, "None": None}
_SPACE = re.compile(r"\s+")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|#[^\n]*", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])")
_FENCE = re.compile(r"\s*`*\s*")


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidAnswer(phrase("{name} is not a number", name=name))


STRICT_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def read_json(
    text: str, start: int, *, may_end_early: bool = False
) -> tuple[Any, int, tuple[str, ...]]:
    """Return the object or list that begins there, the position behind it, and its slips.

    :param may_end_early: whether brackets of objects may be missing at the end of the text.
    :raises InvalidAnswer: for NaN and infinity.
    :raises ValueError: if it is no JSON, or incomplete.
    :raises RecursionError: if it is nested too deeply.
    """
    try:
        return (*STRICT_DECODER.raw_decode(text, start), ())
    except json.JSONDecodeError as error:
        reader = _Reader(text, start, may_end_early=may_end_early)
        try:
            value = reader.read_value(0)
        except ValueError:
            raise error from None
        return value, reader.position, tuple(dict.fromkeys(reader.slips))


@dataclass(slots=True)
class _Reader:
    text: str
    position: int
    may_end_early: bool
    slips: list[str] = field(default_factory=list)
    lists_open: int = 0

    def read_value(self, depth: int) -> Any:
        if depth > DEPTH_MAX:
            raise RecursionError
        self._skip()
        sign = self._sign()
        if sign == "{":
            return self._object(depth)
        if sign == "[":
            return self._list(depth)
        if sign in _CLOSING:
            return self._text()
        if number := _NUMBER.match(self.text, self.position):
            self.position = number.end()
            return json.loads(number[0])
        word = self._word()
        if word in _PYTHON:
            self.slips.append(WORDS)
            return _PYTHON[word]
        if word in {"NaN", "Infinity"}:
            _refuse_constant(word)
        return _CONSTANTS[word] if word in _CONSTANTS else self._fail()

    def _object(self, depth: int) -> dict[str, Any]:
        read: dict[str, Any] = {}
        for _ in self._parts("}"):
            name = self._text() if self._sign() in _CLOSING else self._bare_name()
            self._skip()
            self._take(":\uff1a")
            read[name] = self.read_value(depth + 1)
        return read

    def _list(self, depth: int) -> list[Any]:
        self.lists_open += 1
        read = [self.read_value(depth + 1) for _ in self._parts("]")]
        self.lists_open -= 1
        return read

    def _parts(self, closing: str) -> Iterator[None]:
        """Yield before each part of an object or a list; take the signs between them."""
        self.position += 1
        self._skip()
        while self._sign() != closing:
            yield
            self._skip()
            if self._ends_early():
                return
            if self._sign() == closing:
                break
            self._take(",\uff0c")
            self._skip()
            if self._sign() == closing:
                self.slips.append(COMMA)
        self.position += 1

    def _ends_early(self) -> bool:
        """Return whether the text ends here and may: a list may lack items."""
        is_end = _FENCE.fullmatch(self.text, self.position) is not None
        if is_end and self.may_end_early and not self.lists_open:
            self.slips.append(NO_END)
            return True
        return False

    def _text(self) -> str:
        opening = self._sign()
        if opening != '"':
            self.slips.append(QUOTES)
        read: list[str] = []
        self.position += 1
        while (sign := self._sign()) not in _CLOSING[opening]:
            self.position += 1
            if sign == "\\":
                read.append(self._escaped())
                continue
            if sign in "\n\t\r":
                self.slips.append(LINE_FEED)
            read.append(sign)
        self.position += 1
        # Two escapes can be the halves of one sign.
        halves = "".join(read).encode("utf-16-le", "surrogatepass")
        return halves.decode("utf-16-le", "surrogatepass")

    def _escaped(self) -> str:
        sign = self._sign()
        self.position += 1
        if sign == "u":
            digits = self.text[self.position : self.position + 4]
            self.position += 4
            return str(json.loads(f'"\\u{digits}"'))
        if sign in _ESCAPED:
            return _ESCAPED[sign]
        if sign.isalnum() or sign.isspace():
            self._fail()
        if sign not in '"\\/':
            self.slips.append(ESCAPE)
        return sign

    def _bare_name(self) -> str:
        self.slips.append(BARE_NAME)
        return self._word()

    def _word(self) -> str:
        word = _WORD.match(self.text, self.position)
        if word is None:
            self._fail()
        self.position = word.end()
        return word[0]

    def _take(self, signs: str) -> None:
        """Take the sign, or its wide form."""
        if self._sign() not in signs:
            self._fail()
        if self._sign() != signs[0]:
            self.slips.append(WIDE_SIGN)
        self.position += 1

    def _skip(self) -> None:
        while found := _SPACE.match(self.text, self.position) or _COMMENT.match(
            self.text, self.position
        ):
            if not found[0].isspace():
                self.slips.append(COMMENT)
            self.position = found.end()

    def _sign(self) -> str:
        """Return the sign at the position.

        :raises ValueError: at the end of the text.
        """
        if self.position >= len(self.text):
            self._fail()
        return self.text[self.position]

    def _fail(self) -> NoReturn:
        raise ValueError(self.position)
