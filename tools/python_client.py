"""The generated half of the Python client: types and operations, from the OpenAPI document."""

import keyword
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

FOLDER = Path(__file__).parents[1] / "clients" / "python" / "smallville"
PREFIX = "/api/v1"
MADE = "Made from the OpenAPI document by `make client`; do not edit."
MOMENT_PATTERN = r"^(\d{1,10}|\d{4}"
SCALARS = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
}
OF_PAGES = frozenset({"cursor", "limit", "format"})
"""The parameters of a list that `Rows` sends by itself."""
LITERALS_MAX = 40
"""Of a longer enumeration, such as the types of events, the values are texts."""
HEADERS = {"Prefer": "prefer"}
"""The headers that are arguments."""

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Types:
    """The types of the components: records of responses, and dictionaries of requests.

    A component that is read and sent is both; the dictionary's name then ends in "In".
    """

    schemas: dict[str, Schema]
    read: frozenset[str]
    sent: frozenset[str]
    inline: dict[str, Schema] = field(default_factory=dict)

    @classmethod
    def of(cls, document: Schema) -> Self:
        """Return the types that the operations read and send."""
        schemas = document["components"]["schemas"]
        read, sent = set[str](), set[str]()
        for _, _, operation in operations_of(document):
            sent |= _reached(schemas, operation.get("requestBody", {}))
            answers = [one for code, one in operation["responses"].items() if code < "300"]
            read |= _reached(schemas, answers)
        return cls(schemas, frozenset(read), frozenset(sent))

    def name(self, component: str, *, is_sent: bool) -> str:
        """Return the name of the type of a component."""
        plain = "enum" in self.schemas[component]
        return (
            f"{component}In" if is_sent and component in self.read and not plain else component
        )

    def hint(self, schema: Schema, *, is_sent: bool, member: str = "") -> str:
        """Return the annotation of a value."""
        if "$ref" in schema:
            return self.name(schema["$ref"].rpartition("/")[2], is_sent=is_sent)
        kind = schema.get("type")
        variants = [one for key in ("allOf", "oneOf", "anyOf") for one in schema.get(key, [])]
        if isinstance(kind, list):
            variants = [{**schema, "type": one} for one in kind]
        if variants:
            return _union(self.hint(one, is_sent=is_sent, member=member) for one in variants)
        return self._single(schema, is_sent=is_sent, member=member)

    def _single(self, schema: Schema, *, is_sent: bool, member: str) -> str:
        kind = str(schema.get("type"))
        if 0 < len(schema.get("enum", [])) <= LITERALS_MAX:
            return f"Literal[{', '.join(map(repr, schema['enum']))}]"
        if is_sent and str(schema.get("pattern", "")).startswith(MOMENT_PATTERN):
            return "Moment"
        if kind == "array":
            item = self.hint(schema.get("items", {}), is_sent=is_sent, member=member)
            return f"Sequence[{item}]" if is_sent else f"list[{item}]"
        if kind == "object":
            return self._object(schema, is_sent=is_sent, member=member)
        return SCALARS.get(kind, "Any")

    def _object(self, schema: Schema, *, is_sent: bool, member: str) -> str:
        if "properties" in schema and member:
            name = "".join(part.capitalize() for part in member.split("_")) + "In" * is_sent
            if name not in self.schemas and self.inline.setdefault(name, schema) == schema:
                return name
        values = schema.get("additionalProperties", {})
        value = self.hint(values, is_sent=is_sent) if isinstance(values, dict) else "Any"
        return f"Mapping[str, {value}]" if is_sent else f"dict[str, {value}]"

    def render(self) -> Iterator[str]:
        """Yield the definitions."""
        for name in sorted(self.read | self.sent):
            schema = self.schemas[name]
            if schema.get("type") != "object":
                yield f"{name}: TypeAlias = {self.hint(schema, is_sent=False)}"
                continue
            if name in self.read:
                yield self._record(name, schema, is_sent=False)
            if name in self.sent:
                yield self._record(self.name(name, is_sent=True), schema, is_sent=True)
        done: set[str] = set()
        while left := sorted(self.inline.keys() - done):
            for name in left:
                yield self._record(name, self.inline[name], is_sent=name.endswith("In"))
            done.update(left)

    def _record(self, name: str, schema: Schema, *, is_sent: bool) -> str:
        lines = [f"class {name}({'TypedDict, total=False' if is_sent else 'Record'}):"]
        lines.append(f'    """{_sentence(schema.get("description", name))}"""\n')
        required = schema.get("required", [])
        for member, value in schema.get("properties", {}).items():
            hint = self.hint(value, is_sent=is_sent, member=member)
            if is_sent and member in required:
                hint = f"Required[{hint}]"
            elif not is_sent and member not in required:
                hint = _union((hint, "None"))
            lines.append(f"    {_escaped(member)}: {hint}")
        return "\n".join(lines)


def operations_of(document: Schema) -> Iterator[tuple[str, str, Schema]]:
    """Yield path, method and description of each operation."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def name_of(operation: Schema) -> str:
    """Return the name of the method for an operation."""
    return re.sub(r"([A-Z])", lambda found: f"_{found[1].lower()}", operation["operationId"])


def parameters_of(operation: Schema) -> list[Schema]:
    """Return the parameters of the query that the method of an operation takes."""
    found = [one for one in operation.get("parameters", []) if one["in"] == "query"]
    return [one for one in found if not (is_list(operation) and one["name"] in OF_PAGES)]


def is_list(operation: Schema) -> bool:
    """Return whether an operation answers with the pages of a list."""
    return any(one["name"] == "cursor" for one in operation.get("parameters", []))


class Operation:
    """The methods of one operation."""

    def __init__(self, types: Types, path: str, method: str, operation: Schema) -> None:
        self._types, self._path, self._method = types, path, method.upper()
        self._operation = operation
        answers = [one for code, one in operation["responses"].items() if code < "300"]
        self._content = {
            kind: one.get("schema", {})
            for answer in answers
            for kind, one in answer.get("content", {}).items()
        }
        documents = [
            answer["content"]["application/json"]["schema"]
            for answer in answers
            if "application/json" in answer.get("content", {})
        ]
        hints = (
            f"types.{self._typed(one)}" if "$ref" in one else self._typed(one)
            for one in documents
        )
        self._hint = _union(hints) if documents else "None"

    def render(self) -> Iterator[str]:
        """Yield the methods."""
        if "text/event-stream" in self._content:
            yield self._method_text(
                "",
                "Stream[M, Message]",
                "return Stream(self, PATH, QUERY, lambda message: message)",
            )
        elif is_list(self._operation):
            page = self._types.schemas[self._hint.removeprefix("types.")]
            kind = f"types.{self._typed(page['properties']['results']['items'])}"
            yield self._method_text(
                "",
                f"Rows[M, {kind}]",
                f"return Rows(self, {kind}, PATH, QUERY, limit)",
                "limit: int | None = None",
            )
        else:
            if "application/json" in self._content:
                yield self._document()
            if set(self._content) - {"application/json"}:
                suffix = "_file" if "application/json" in self._content else ""
                yield "@flow\n" + self._method_text(
                    suffix,
                    "Flow[bytes]",
                    "return self.content(PATH, QUERY, save_as)",
                    "save_as: str | PathLike[str] | None = None",
                )
            elif not self._content:
                yield self._document()

    def _typed(self, schema: Schema) -> str:
        return self._types.hint(schema, is_sent=False)

    def _document(self) -> str:
        headers = self._headers()
        shown = "".join(f", headers={{{name!r}: {given}}}" for name, given in headers.items())
        body = ", body=BODY" if "requestBody" in self._operation else ""
        return "@flow\n" + self._method_text(
            "",
            f"Flow[{self._hint}]",
            f"return self.document({self._hint}, {self._method!r}, PATH, QUERY{body}{shown})",
            *(f"{given}: str | None = None" for given in headers.values()),
        )

    def _headers(self) -> dict[str, str]:
        found = (one["name"] for one in self._operation.get("parameters", []))
        return {name: HEADERS[name] for name in found if name in HEADERS}

    def _method_text(self, suffix: str, result: str, code: str, *more: str) -> str:
        names = re.findall(r"\{(\w+)\}", self._path)
        arguments = ["self", *(f"{name}: object" for name in names), "/"]
        query = parameters_of(self._operation)
        if "application/json" in self._content and not suffix:
            query = [one for one in query if one["name"] != "format"]
        named = [self._named(one) for one in query] + list(more)
        content = self._operation.get("requestBody", {}).get("content", {})
        body = "body"
        if "application/json" in content:
            schema = content["application/json"]["schema"]
            kind = self._types.hint(schema, is_sent=True)
            named.append(f"**body: Unpack[types.{kind}]")
        elif content:
            body = "archive"
            arguments.append("archive: bytes | PathLike[str]")
        if [one for one in named if not one.startswith("**")]:
            arguments.append("*")
        path = re.sub(r"\{\w+\}", "{}", self._path)
        shown = f"path_of({path!r}, {', '.join(names)})" if names else repr(path)
        sent = ", ".join(f"{one['name']!r}: {_escaped(one['name'])}" for one in query)
        name = name_of(self._operation) + suffix
        lines = [
            f"def {name}({', '.join([*arguments, *named])}) -> {result}:",
            f'    """{_sentence(self._operation["summary"])}"""',
            "    "
            + code.replace("PATH", shown).replace("QUERY", f"{{{sent}}}").replace("BODY", body),
        ]
        return "\n".join(lines)

    def _named(self, parameter: Schema) -> str:
        hint = self._types.hint(parameter["schema"], is_sent=True)
        hint = re.sub(r"\bMoment\b", "types.Moment", hint)
        hint = re.sub(r"\b(\w+)In\b", r"types.\1In", hint)
        if parameter.get("required"):
            return f"{_escaped(parameter['name'])}: {hint}"
        return f"{_escaped(parameter['name'])}: {_union((hint, 'None'))} = None"


def render(document: Schema) -> dict[str, str]:
    """Return the generated modules by their names, formatted."""
    types = Types.of(document)
    methods = [
        text
        for path, method, operation in operations_of(document)
        for text in Operation(types, path, method, operation).render()
    ]
    definitions = list(types.render())
    head = f'"""{{}}\n\n{MADE}\n"""\n\n'
    modules = {
        "types.py": head.format(
            "The documents that the service answers with, and those that it takes."
        )
        + "from __future__ import annotations\n\n"
        "from collections.abc import Mapping, Sequence\nfrom datetime import datetime\n"
        "from typing import Any, Literal, Required, TypeAlias, TypedDict\n\n"
        "from smallville.records import Record\n\nMoment: TypeAlias = str | int | datetime\n"
        '"""A game time such as 2023-02-13T06:55:00, or a tick."""\n\n'
        + "\n\n\n".join(definitions)
        + "\n",
        "operations.py": head.format("All operations of the service, each a method.")
        + "from collections.abc import Sequence\nfrom os import PathLike\n"
        "from typing import Any, Literal, Unpack\n\n"
        "from smallville import types\n"
        "from smallville.exchange import Exchange, Message, Rows, Stream, path_of\n"
        "from smallville.flows import Flow, M, flow\n\n\n"
        "class Operations(Exchange[M]):\n"
        '    """The operations of the OpenAPI document, by their names there."""\n\n'
        + "\n\n".join(re.sub("^(?=.)", "    ", one, flags=re.MULTILINE) for one in methods)
        + "\n",
    }
    return {name: _formatted(text) for name, text in modules.items()}


def write(document: Schema) -> None:
    """Write the generated modules of the client."""
    for name, text in render(document).items():
        (FOLDER / name).write_text(text, "utf-8")


def _reached(schemas: dict[str, Schema], start: Any) -> set[str]:
    """Return the components that a part of the document refers to, directly or not."""
    found: set[str] = set()
    parts: list[Any] = [start]
    while parts:
        part = parts.pop()
        if isinstance(part, list):
            parts += part
        elif isinstance(part, dict):
            reference = str(part.get("$ref", ""))
            name = reference.rpartition("/")[2]
            if "/schemas/" in reference and name not in found:
                found.add(name)
                parts.append(schemas[name])
            parts += part.values()
    return found


def _union(hints: Any) -> str:
    parts = {part: None for hint in hints for part in _split(hint)}
    if "Any" in parts:
        return "Any"
    if "Moment" in parts:
        parts = {part: None for part in parts if part not in {"str", "int"}}
    return " | ".join(
        [*(one for one in parts if one != "None"), *(["None"] if "None" in parts else [])]
    )


def _split(hint: str) -> list[str]:
    """Return the members of a union, leaving those within brackets together."""
    return re.findall(r"(?:[^\[\]|]|\[(?:[^\[\]]|\[[^\]]*\])*\])+", hint.replace(" | ", "|"))


def _sentence(text: str) -> str:
    first = " ".join(text.strip().split("\n\n")[0].split())
    return first if first.endswith((".", "!", "?")) else f"{first}."


def _escaped(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) else name


def _formatted(text: str) -> str:
    done = subprocess.run(  # noqa: S603
        [
            Path(sys.executable).parent / "ruff",
            "format",
            "--stdin-filename",
            FOLDER / "types.py",
            "-",
        ],
        input=text,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout
