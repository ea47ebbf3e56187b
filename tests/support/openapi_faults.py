"""Looks for what an integrator would miss in an OpenAPI document.

Each fault says where it is and what to add, and where.
"""

import copy
import re
from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator

from apps.api.http.problems import PROBLEM_JSON
from apps.api.openapi.hook import component_of, file_of

Document = dict[str, Any]
JSON_TYPE = "application/json"
UNSAFE = {"post", "put", "patch", "delete"}
WITH_BODY = {"post", "put", "patch"}
NOT_FOUND_ABOVE = {"not-found", "simulation-unknown", "agent-unknown"}
NULL = {"type": "null"}


def faults_of(document: Document) -> list[str]:
    """Return the faults of a document, each with a hint."""
    document = closed_document(document)
    return [
        *_faults_of_whole(document),
        *_faults_of_names(document),
        *(
            f"{operation.get('operationId') or f'{method.upper()} {path}'}: {fault}"
            for path, method, operation in operations_of(document)
            for fault in (
                *_faults_of_words(document, operation),
                *_faults_of_parameters(operation),
                *_faults_of_body(document, operation),
                *_faults_of_answers(document, operation),
                *_faults_of_problems(document, path, method, operation),
            )
        ),
    ]


def closed_document(document: Document) -> Document:
    """Return the document with its components closed, for many calls of `misfits`."""
    return document | {"closed": _closed({"schemas": document["components"]["schemas"]})}


def operations_of(document: Document) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield path, method and operation of each."""
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            yield path, method, operation


def _faults_of_whole(document: Document) -> Iterator[str]:
    for member in ("summary", "description", "license"):
        if not document["info"].get(member):
            yield f"info has no {member}: add it to apps/api/openapi/hook.py"
    if not document.get("servers"):
        yield "no servers: name them in apps/api/openapi/hook.py"
    if not document["components"].get("securitySchemes"):
        yield "no security schemes: see BearerTokenScheme in operations/documentation.py"
    used = {
        tag for _, _, operation in operations_of(document) for tag in operation.get("tags", ())
    }
    described = {tag["name"] for tag in document["tags"] if tag.get("description")}
    for tag in sorted(used - described):
        yield f"the tag {tag!r} is not described: add it to TAGS in apps/api/openapi/hook.py"
    for tag in sorted(described - used):
        yield f"no operation has the tag {tag!r}: take it out of apps/api/openapi/hook.py"


def _faults_of_names(document: Document) -> Iterator[str]:
    seen: set[str] = set()
    for path, method, operation in operations_of(document):
        name = operation.get("operationId", "")
        if not re.fullmatch(r"[a-z][a-zA-Z0-9]+", name) or name in seen:
            yield (
                f"{method.upper()} {path}: give it a camelCase id of its own in @operation, "
                f"not {name!r}"
            )
        seen.add(name)
    for name, schema in document["components"]["schemas"].items():
        if name.endswith("Enum"):
            yield (
                f"the enumeration {name} was named by the generator and will change its name "
                "when another is added: name it in ENUM_NAME_OVERRIDES of SPECTACULAR_SETTINGS"
            )
        if _snake(name) in schema.get("properties", {}):
            yield (
                f"the component {name} has a member of its own name, which shadows the class "
                "in generated clients: give the serializer another component_name with "
                "extend_schema_serializer"
            )


def _faults_of_words(document: Document, operation: dict[str, Any]) -> Iterator[str]:
    summary, words = operation.get("summary", ""), operation.get("description", "")
    if not summary:
        yield "it has no summary: write the docstring of the view's method"
    if not words or words == summary:
        yield "it has no description: write the docstring of the view"
    if len(operation.get("tags", ())) != 1:
        yield "it needs exactly one tag: see @operation"
    if not operation.get("security"):
        yield "it does not say who may ask: see its authentication_classes"


def _faults_of_parameters(operation: dict[str, Any]) -> Iterator[str]:
    for parameter in operation.get("parameters", ()):
        where = f"the {parameter['in']} parameter {parameter['name']!r}"
        if parameter["in"] == "path":
            if not parameter.get("description") or "example" not in parameter:
                yield f"{where} is not described: add it to PATH_PARAMETERS in apps/api/openapi"
        elif not parameter.get("description"):
            yield f"{where} is not described: give its field a help_text"
        if not {"type", "oneOf", "$ref", "enum"} & set(parameter["schema"]):
            yield f"{where} has no type: give its field an extend_schema_field"


def _faults_of_body(document: Document, operation: dict[str, Any]) -> Iterator[str]:
    content = operation.get("requestBody", {}).get("content", {}).get(JSON_TYPE)
    if content is None:
        return
    shown = list(_examples(document, content))
    if not shown:
        yield (
            "its body has no example: send one in a test of tests/acceptance/api, which "
            "`make examples` records"
        )
    for name, value in shown:
        for fault in misfits(document, content["schema"], value):
            yield f"the example {name!r} of its body does not fit its schema: {fault}"
    yield from _undescribed(document, content["schema"])


def _undescribed(document: Document, schema: dict[str, Any]) -> Iterator[str]:
    component = component_of(schema)
    for member, found in _resolved(document, schema).get("properties", {}).items():
        if not found.get("description") and not (_is_described(document, found)):
            yield f"{member!r} of its body ({component}) is not described: give it a help_text"


def _is_described(document: Document, schema: dict[str, Any]) -> bool:
    choices = [choice for choice in schema.get("oneOf", [schema]) if choice != NULL]
    return all(_resolved(document, choice).get("description") for choice in choices)


def _faults_of_answers(document: Document, operation: dict[str, Any]) -> Iterator[str]:
    good = {code: answer for code, answer in _answers(operation) if code.startswith("2")}
    if not good:
        yield "it has no successful response: see `responses` of @operation"
    for status, answer in good.items():
        if status == "201" and "Location" not in answer.get("headers", {}):
            yield "its answer 201 has no header Location: see resources/simulations/views.py"
        yield from _faults_of_texts(document, status, answer)
        content = answer.get("content", {}).get(JSON_TYPE)
        if content is not None and not content.get("schema"):
            yield f"its answer {status} has no schema: name the serializer in @operation"
        elif content is not None:
            name = component_of(content["schema"]) or operation.get("operationId", "")
            yield from _faults_of_shown(document, status, content, name)


def _faults_of_texts(document: Document, status: str, answer: dict[str, Any]) -> Iterator[str]:
    for media_type, content in answer.get("content", {}).items():
        is_text = media_type.startswith("text/") or media_type == "application/x-ndjson"
        if is_text and _resolved(document, content.get("schema", {})).get("type") != "string":
            yield (
                f"its answer {status} as {media_type} is read as text by clients: its schema "
                "is str in @operation; describe it, or give an example"
            )


def _faults_of_shown(
    document: Document, status: str, content: dict[str, Any], kept_as: str
) -> Iterator[str]:
    shown = list(_examples(document, content))
    if not shown:
        file = f"apps/api/openapi/examples/{file_of(document, kept_as)}.json"
        yield f"its answer {status} has no example: let `make examples` record {file}"
    for name, value in shown:
        for fault in misfits(document, content["schema"], value):
            yield (
                f"the example {name!r} of its answer {status} is not what is answered now: "
                f"{fault}; let `make examples` record {file_of(document, name)}.json again"
            )


def _faults_of_problems(
    document: Document, path: str, method: str, operation: dict[str, Any]
) -> Iterator[str]:
    answers = dict(_answers(operation))
    for status in _statuses_needed(path, method, operation):
        if status not in answers:
            yield (
                f"it does not say that it can answer {status}: see errors_of_operation in "
                "apps/api/openapi/errors.py"
            )
    for status, answer in answers.items():
        if "X-Request-ID" not in answer.get("headers", {}):
            yield f"its answer {status} does not name the header X-Request-ID"
        if int(status) >= 400 and JSON_TYPE not in answer.get("content", {}):
            yield from _faults_of_problem(document, path, status, answer)


def _faults_of_problem(
    document: Document, path: str, status: str, answer: dict[str, Any]
) -> Iterator[str]:
    content = answer.get("content", {}).get(PROBLEM_JSON, {})
    if component_of(content.get("schema", {})) != "ProblemDocument":
        yield f"its answer {status} is no problem: declare it in `errors` of the view"
        return
    named = set(content.get("examples", ()))
    statuses = {
        code: document["components"]["examples"][code]["value"]["status"] for code in named
    }
    if not named or set(statuses.values()) != {int(status)}:
        yield (
            f"its answer {status} names no code of that status: declare the class of the error "
            f"in `errors` of the view; now it has {statuses}"
        )
    if status == "404" and path.endswith("}") and not _names_last(path, named):
        yield (
            "its answer 404 does not say what is not found at the end of the address: declare "
            "the class of the error in `errors` of the view"
        )
    if status in {"429", "503"} and "Retry-After" not in answer.get("headers", {}):
        yield f"its answer {status} does not name the header Retry-After"


def _statuses_needed(path: str, method: str, operation: dict[str, Any]) -> Iterator[str]:
    yield "422"
    if {} not in operation.get("security", ()):
        yield from ("401", "429", "503")
        if method in UNSAFE:
            yield "403"
    if "{" in path:
        yield "404"
    if method in WITH_BODY:
        yield from ("400", "411", "413", "415")


def _names_last(path: str, named: set[str]) -> bool:
    last = path.rpartition("{")[2].rstrip("}")
    return not named <= NOT_FOUND_ABOVE - {f"{last}-unknown"}


def _answers(operation: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    yield from operation.get("responses", {}).items()


def _examples(document: Document, content: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, example in content.get("examples", {}).items():
        reference = example.get("$ref", "").rpartition("/")[2]
        found = document["components"]["examples"][reference] if reference else example
        yield reference or name, found["value"]


def misfits(document: Document, schema: dict[str, Any], value: Any) -> Iterator[str]:
    components = document.get("closed") or _closed(document["components"])
    closed = {**_closed(schema), "components": components}
    for error in Draft202012Validator(closed).iter_errors(value):
        where = "/".join(str(step) for step in error.absolute_path)
        yield f"{where or 'as a whole'}: {error.message[:200]}"


def _closed(schema: Any) -> Any:
    """Return the schema with every object closed, so that what is no more there is seen."""
    if isinstance(schema, list):
        return [_closed(item) for item in schema]
    if not isinstance(schema, dict):
        return copy.copy(schema)
    closed = {name: _closed(value) for name, value in schema.items()}
    if isinstance(closed.get("properties"), dict) and "type" in closed:
        closed.setdefault("additionalProperties", False)
    return closed


def _resolved(document: Document, schema: dict[str, Any]) -> dict[str, Any]:
    name = component_of(schema)
    if name is None:
        return schema
    found: dict[str, Any] = document["components"]["schemas"][name]
    return found


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
