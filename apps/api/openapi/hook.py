"""The last step of generating the document: texts, tags, headers, examples and links."""

import json
import re
from collections.abc import Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from django.conf import settings

from apps.api.http.middleware import REQUEST_ID
from apps.api.http.problems import PROBLEM_JSON
from apps.api.openapi.errors import problem_examples

SUMMARY = "Simulations of generative agents, driven over HTTP."
_DESCRIPTION = """
The agents of a simulation perceive, remember, plan, act, talk and reflect. A program creates
simulations, runs them, reads what happened and why, and takes part.

**Authentication.** `Authorization: Bearer <token>`, or the session cookie of the admin's login.
Only health, schema and docs need none.

**Time.** A simulation advances in ticks, of ten game seconds unless it was created otherwise.
Game times are ISO 8601 without a zone (`2023-02-13T06:55:00`): a simulation has one clock.
Reads answer from committed ticks, which never change.

**Lists** are pages, `{results, next}`; follow `next` as it stands until it is null.

**Long work** gets the response 202 before it is done: read the simulation, or the command's
`status_url`, for its outcome.

**Problems** are `application/problem+json` (RFC 9457). The examples of an operation's
responses are named for the codes that it can give; `code` is stable, the texts are for
people. Besides these any address may answer 404 `not-found`, 405 `method-not-allowed`, 400
`bad-request`, 408 `request-timeout`, 413 `body-too-large`, 414 `address-too-long`, 431
`headers-too-large`, 500 `internal-error`, 503 `too-many-connections` and 503
`service-stopping`.

**Growth.** Within this version members, operations, codes and values of enumerations are
added, never renamed: treat an unknown one as unknown, not as an error.

**X-Request-ID** names a request in the service's log; send your own, or take the one in the
response.
"""
DESCRIPTION = "\n\n".join(" ".join(part.split()) for part in _DESCRIPTION.split("\n\n"))
SERVERS = [
    {
        "url": f"{settings.URL_PREFIX}/",
        "description": "The service that gave you this document.",
    }
]
LICENSE = {"name": "MIT", "identifier": "MIT"}

TAGS: dict[str, str] = {
    "simulations": "Create, run and pause simulations; the outcomes of commands.",
    "town": "The world and what is visible in it: the state that a front end draws, the map, "
    "conversations.",
    "agents": "Agents: identity, actions, relationships; interviews and interventions; adding "
    "and removing agents.",
    "entering the town": "Control an agent, or enter as a visitor.",
    "minds": "Memories, retrieval with its scores, plans, reflections.",
    "evaluation": "Questionnaires and surveys, counts and measures: they change no history.",
    "log": "Committed events in canonical order, and their provenance.",
    "models": "Calls of language models, their answers and costs.",
    "access": "The members of a simulation and their roles.",
    "operation": "Health, metrics, and this document.",
}
"""Every tag with its description; the document lists them in this order."""


def info_members() -> dict[str, Any]:
    """Return the members of `info` besides title and version."""
    return {"summary": SUMMARY, "description": DESCRIPTION, "license": LICENSE}


FOLDER = Path(__file__).parent / "examples"
REQUEST_EXAMPLES = FOLDER.with_name("request_examples.json")
"""The examples of bodies by operation."""
JSON_TYPE = "application/json"
STREAM_TYPE = "text/event-stream"
_COMPONENT = "#/components/schemas/"


def add_examples(document: dict[str, Any], operation: dict[str, Any]) -> None:
    """Add the examples to the successful responses of an operation."""
    for status, response in operation["responses"].items():
        contents = response.get("content", {})
        if STREAM_TYPE in contents:
            text = (FOLDER / f"{operation['operationId']}.txt").read_text("utf-8")
            # A block ends with an empty line.
            contents[STREAM_TYPE].setdefault("example", f"{text}\n")
        content = contents.get(JSON_TYPE)
        if (
            content is None
            or not status.startswith("2")
            or {"example", "examples"} & {*content}
        ):
            continue
        name = component_of(content["schema"]) or operation["operationId"]
        shown = example_of(document, name)
        if shown is not None:
            document["components"].setdefault("examples", {})[name] = {"value": shown}
            content["examples"] = {name: {"$ref": f"#/components/examples/{name}"}}


def component_of(schema: dict[str, Any]) -> str | None:
    """Return the name of the component that a schema is a reference to."""
    reference: str = schema.get("$ref", "")
    return reference.removeprefix(_COMPONENT) or None


def example_of(document: dict[str, Any], name: str) -> Any:
    """Return the example of that name, a list's made of its item's; None if there is none."""
    file = file_of(document, name)
    example = _read_example(file)
    return example if example is None or file == name else {"results": [example], "next": None}


def file_of(document: dict[str, Any], name: str) -> str:
    """Return the name of the file with the example of that name: the item's, for a list."""
    members = document["components"]["schemas"].get(name, {}).get("properties", {})
    if set(members) != {"results", "next"}:
        return name
    return component_of(members["results"].get("items", {})) or name


@cache
def _read_example(name: str) -> Any:
    file = FOLDER / f"{name}.json"
    return json.loads(file.read_text("utf-8")) if file.exists() else None


_PARAMETER = re.compile(r"{(\w+)}")
_ABOVE = {"simulation": "$request.path.simulation", "agent": "$request.path.agent"}
# By operation: the status of its response, and the parameter that a value of it is.
_GIVEN: Mapping[str, tuple[str, str, str]] = {
    "createSimulation": ("201", "simulation", "/id"),
    "listAgents": ("200", "agent", "/results/0/slug"),
    "listMemories": ("200", "number", "/results/0/id"),
    "interviewAgent": ("202", "interview", "/id"),
    "requestSurvey": ("202", "survey", "/id"),
    "requestRanking": ("202", "ranking", "/id"),
    "requestNewsSearch": ("202", "search", "/id"),
    "embodyAgent": ("202", "embodiment", "/id"),
    "visit": ("202", "embodiment", "/id"),
    "addMember": ("201", "username", "/username"),
} | dict.fromkeys(
    (
        "addAgent",
        "sendAgentAway",
        "setObjectState",
        "giveInnerVoice",
        "giveObservation",
        "actEmbodied",
    ),
    ("202", "command", "/command"),
)


def link_operations(document: dict[str, Any]) -> None:
    """Add to each such response the operations whose path parameters it completes."""
    operations = {
        operation["operationId"]: (path, operation)
        for path, methods in document["paths"].items()
        for operation in methods.values()
    }
    for giver, (status, name, pointer) in _GIVEN.items():
        path, operation = operations[giver]
        values = {above: value for above, value in _ABOVE.items() if f"{{{above}}}" in path}
        values[name] = f"$response.body#{pointer}"
        links = operation["responses"][status]["links"] = {}
        for taker, (taking_path, _) in operations.items():
            taken = set(_PARAMETER.findall(taking_path))
            if name in taken <= values.keys():
                parameters = {parameter: values[parameter] for parameter in sorted(taken)}
                links[taker] = {"operationId": taker, "parameters": parameters}


def _header(description: str, example: object, kind: str = "string", **schema: Any) -> Any:
    return {"description": description, "schema": {"type": kind, **schema}, "example": example}


HEADERS: dict[str, dict[str, Any]] = {
    REQUEST_ID: _header(
        "The request's name in the service's log: yours, or a new one.",
        "0f8fad5bd9cb469fa16570867728950e",
    ),
    "Retry-After": _header("Seconds to wait before the next try.", 5, "integer", minimum=1),
    "WWW-Authenticate": _header("How to authenticate.", 'Bearer realm="smallville"'),
    "Location": _header(
        "The address of the status of what was accepted.",
        "https://smallville.example/api/v1/simulations/5f0c7a9e-3f0b-4d7a-9b53-0f3b1c1c9a11",
        format="uri",
    ),
}
_OF_STATUS = {
    "202": "Location",
    "401": "WWW-Authenticate",
    "429": "Retry-After",
    "503": "Retry-After",
}


def complete_document(
    result: dict[str, Any],
    generator: object,  # noqa: ARG001 (the framework's signature)
    request: object,  # noqa: ARG001
    public: bool,  # noqa: ARG001
) -> dict[str, Any]:
    """Add tags, headers, examples and links to the generated document."""
    result["info"] |= info_members()
    result["servers"] = SERVERS
    result["tags"] = [{"name": name, "description": words} for name, words in TAGS.items()]
    components = result["components"]
    components["headers"] = HEADERS
    codes: set[str] = set()
    bodies = json.loads(REQUEST_EXAMPLES.read_text("utf-8"))
    for operation in chain.from_iterable(path.values() for path in result["paths"].values()):
        # Programs look for the description of a parameter beside its schema.
        for parameter in operation.get("parameters", ()):
            if description := parameter["schema"].get("description"):
                parameter.setdefault("description", description)
        add_examples(result, operation)
        if shown := bodies.get(operation["operationId"]):
            operation["requestBody"]["content"][JSON_TYPE]["examples"] = shown
        for status, response in operation["responses"].items():
            response["description"] = str(response["description"])  # some are translated late
            _name_headers(status, response)
            codes |= set(response.get("content", {}).get(PROBLEM_JSON, {}).get("examples", ()))
    link_operations(result)
    components["examples"] = problem_examples(codes) | components.get("examples", {})
    return result


def _name_headers(status: str, response: dict[str, Any]) -> None:
    """Add to a response the headers that every such response has."""
    is_good = status.startswith("2")
    names = [REQUEST_ID]
    if status in _OF_STATUS and (is_good or PROBLEM_JSON in response.get("content", {})):
        names.append(_OF_STATUS[status])
    headers = response.setdefault("headers", {})
    for name in names:
        headers.setdefault(name, {"$ref": f"#/components/headers/{name}"})
