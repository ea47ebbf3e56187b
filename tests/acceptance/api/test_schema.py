"""The interface does what its description says, whatever it is sent."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS
from hypothesis import HealthCheck, Phase, given, seed
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from openapi_spec_validator import validate
from schemathesis.specs.openapi.checks import (
    negative_data_rejection,
    positive_data_acceptance,
    response_schema_conformance,
)

from apps.api.operations.documentation import schema_document
from tests.acceptance.api.calling import Caller, assert_described

EXAMPLES_EACH = 8
# What links reach only by way of others.
DEEPEST = {"getCommand", "getMemory", "deleteNewsSearch", "sendAgentAway"}
# Their examples name other users, moments or files than a new simulation has, it is running, or
# the work is over.
REFUSED = {
    "addMember",
    "createCounterfactual",
    "deleteSimulation",
    "embodyAgent",
    "estimateCounterfactual",
    "estimateReplay",
    "estimateSurvey",
    "forkSimulation",
    "getVerifiedDiffusion",
    "measureAttendance",
    "measureDiffusion",
    "pauseNewsSearch",
    "recordSimulation",
    "replaySimulation",
    "requestModelTrial",
    "requestSurvey",
    "resumeNewsSearch",
    "visit",
}
STREAM = "text/event-stream"
OPERATIONS = [
    (method, path)
    for path, operations in schema_document()["paths"].items()
    for method in operations
]
# What a generator of valid data cannot know: which ids there are, and that a number that
# its schema allows may still be too large for the town at hand.
NOT_CHECKED = [positive_data_acceptance]


def kept_connection() -> Iterator[None]:
    """Let requests in this process keep their connection to the database.

    At the end of a request Django gives it back; the test's transaction needs it. Django's
    own test client does the same.
    """
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


class TestSchema:
    def test_is_valid_openapi(self) -> None:
        document = schema_document()
        assert document["openapi"] == "3.1.0"
        validate(document)

    def test_is_made_without_a_warning(self) -> None:
        schema_document()
        assert not GENERATOR_STATS

    @pytest.mark.parametrize("query", ["", "?format=json"])
    def test_is_served_as_json(self, db: None, client: Client, query: str) -> None:
        response = client.get(f"/api/v1/schema{query}", headers={"Accept": "application/json"})
        assert response.json() == schema_document()
        assert response["Content-Type"] == "application/json"

    @pytest.mark.parametrize(("method", "path"), OPERATIONS)
    def test_tells_of_every_operation_what_it_is_for(self, method: str, path: str) -> None:
        operation = schema_document()["paths"][path][method]
        assert operation["summary"]
        for parameter in operation.get("parameters", ()):
            assert parameter["in"] != "path" or parameter["description"]
        for response in operation["responses"].values():
            assert response["description"]

    def test_closes_every_body(self) -> None:
        schemas = schema_document()["components"]["schemas"]
        bodies = [name for name in schemas if name.endswith("Request")]
        assert bodies
        assert all(schemas[name]["additionalProperties"] is False for name in bodies)


class TestDocs:
    def test_show_the_schema(self, nobody: Caller) -> None:
        page = nobody.get("/docs").content.decode()
        [address] = re.findall(r'data-schema="([^"]+)"', page)
        assert nobody.client.get(address).json() == schema_document()

    def test_load_files_of_this_service_only(self, nobody: Caller) -> None:
        page = nobody.get("/docs").content.decode()
        loaded = re.findall(r'<(?:script|link)[^>]* (?:src|href)="([^"]+)"', page)
        files = [address for address in loaded if not address.startswith("data:")]
        assert len(files) == 4
        for address in files:
            response = nobody.client.get(address)
            assert response.status_code == 200, address
            assert response["Content-Type"].startswith(("text/javascript", "text/css"))
            assert response.getvalue()

    def test_need_nothing_that_their_policy_forbids(self, nobody: Caller) -> None:
        response = nobody.get("/docs")
        policy = response["Content-Security-Policy"]
        assert "script-src 'self';" in policy
        assert "style-src 'self';" in policy
        page = response.content.decode()
        assert not re.search(r"<script[^>]*>\s*\S[^<]*</script>|<style|\son\w+=|\sstyle=", page)

    def test_do_not_send_the_key_of_the_example(self, nobody: Caller) -> None:
        operation = schema_document()["paths"]["/api/v1/simulations"]["post"]
        [key] = [each for each in operation["parameters"] if each["name"] == "Idempotency-Key"]
        assert f'data-example-key="{key["example"]}"' in nobody.get("/docs").content.decode()


@cache
def loaded_schema() -> Any:
    """Return the schema as this process serves it, read once for all tests."""
    return schemathesis.openapi.from_wsgi("/api/v1/schema", get_wsgi_application())


class TestEveryOperation:
    """schemathesis in this process: generated requests, valid and not, against the schema."""

    @pytest.fixture(autouse=True)
    def _keep_connection(self) -> Iterator[None]:
        yield from kept_connection()

    @pytest.mark.parametrize(("method", "path"), OPERATIONS)
    def test_answers_as_described(
        self, method: str, path: str, town: str, isabella: Caller, settings: Any
    ) -> None:
        settings.REQUEST_RATE_MAX = ""
        schema = loaded_schema()
        operation = schema[path][method.upper()]
        call_with_anything(operation, known_names(town), isabella)


class TestWhatLeadsToWhat:
    """schemathesis going from answer to request by the document's links."""

    @pytest.fixture(autouse=True)
    def _keep_connection(self) -> Iterator[None]:
        yield from kept_connection()

    def test_links_lead_to_what_there_is(self) -> None:
        document = schema_document()
        operations = {
            operation["operationId"]: operation
            for methods in document["paths"].values()
            for operation in methods.values()
        }
        links = [
            link
            for operation in operations.values()
            for answer in operation["responses"].values()
            for link in answer.get("links", {}).values()
        ]
        assert {"runSimulation", "getCommand", "getEmbodiment", "getInterview"} <= {
            link["operationId"] for link in links
        }
        for link in links:
            taken = operations[link["operationId"]]["parameters"]
            assert set(link["parameters"]) == {
                each["name"] for each in taken if each["in"] == "path"
            }

    def test_lead_to_requests_that_are_answered_as_described(
        self, isabella: Caller, settings: Any
    ) -> None:
        settings.REQUEST_RATE_MAX = ""
        settings.COSTLY_RATES_MAX = {"founding": "", "thinking": ""}
        statuses = statuses_along_links(isabella)
        assert set(statuses) >= DEEPEST
        assert {name for name, status in statuses.items() if status >= 300} <= REFUSED


def headers_of(caller: Caller) -> dict[str, str]:
    """Return what says who calls; before a WSGI application the generator unzips nothing."""
    return {**caller.headers, "Accept-Encoding": "identity"}


def statuses_along_links(caller: Caller) -> dict[str, int]:
    """Follow every link once from a new simulation on; return each operation's best status.

    Requests have the first example of their body. Deletions come last.
    """
    operations = {
        operation["operationId"]: (path, method, operation)
        for path, methods in schema_document()["paths"].items()
        for method, operation in methods.items()
    }
    statuses: dict[str, int] = {}
    followed: set[tuple[str, str]] = set()
    open_requests: list[tuple[str, dict[str, str]]] = [("createSimulation", {})]
    while open_requests:
        open_requests.sort(key=lambda request: operations[request[0]][1] == "delete")
        name, parameters = open_requests.pop(0)
        path, method, operation = operations[name]
        response = call_with_example(path, method, operation, parameters, caller)
        statuses[name] = min(response.status_code, statuses.get(name, 600))
        links = operation["responses"].get(str(response.status_code), {}).get("links", {})
        for link in links.values():
            taker = link["operationId"]
            if (name, taker) not in followed:
                followed.add((name, taker))
                values = link["parameters"].items()
                open_requests.append(
                    (
                        taker,
                        {taken: value_of(each, parameters, response) for taken, each in values},
                    )
                )
    return statuses


def call_with_example(
    path: str, method: str, operation: Any, parameters: dict[str, str], caller: Caller
) -> Any:
    """Call the operation with the first example of its body; check that it is as described."""
    case = loaded_schema()[path][method.upper()].Case(path_parameters=parameters)
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if content is not None:
        case.body, case.media_type = example_of(content), "application/json"
    if operation["operationId"] == "createSimulation":
        case.body = {"name": "led", "seed": 7, "agents": 3}
    if path.endswith("/stream"):
        # Without an end it is for other servers; tests/acceptance/api/test_stream.py.
        case.query = {"until": "committed"}
    response = case.call(headers=headers_of(caller))
    case.validate_response(
        response, excluded_checks=not_checked(response), headers=headers_of(caller)
    )
    return response


def example_of(content: dict[str, Any]) -> Any:
    """Return the first example of a body."""
    example = next(iter(content["examples"].values()))
    reference = example.get("$ref", "").rpartition("/")[2]
    shown = schema_document()["components"]["examples"][reference] if reference else example
    return shown["value"]


def value_of(expression: str, parameters: dict[str, str], response: Any) -> str:
    """Return what a link's expression names: a parameter of the request, or of the response."""
    source, _, pointer = expression.partition("#")
    if source != "$response.body":
        return parameters[expression.removeprefix("$request.path.")]
    value = response.json()
    for step in pointer.removeprefix("/").split("/"):
        value = value[int(step)] if isinstance(value, list) else value[step]
    return str(value)


def call_with_anything(operation: Any, names: dict[str, str], caller: Caller) -> None:
    """Call the operation with data that fit its schema and with data that do not."""
    modes = schemathesis.GenerationMode

    @seed(7)
    @hypothesis_settings(
        max_examples=EXAMPLES_EACH,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        case=st.one_of(
            operation.as_strategy(generation_mode=modes.POSITIVE),
            operation.as_strategy(generation_mode=modes.NEGATIVE),
        ),
        exists=st.booleans(),
    )
    def call(case: Any, exists: bool) -> None:
        if exists:
            case.path_parameters |= {
                name: value for name, value in names.items() if name in case.path_parameters
            }
        if operation.path.endswith("/stream"):
            # Without an end it is for other servers; tests/acceptance/api/test_stream.py.
            case.query = {"until": "committed", **(case.query or {})}
        if isinstance(case.body, dict) and operation.path == "/api/v1/simulations":
            case.body.setdefault("agents", 1)  # all 25 take seconds
        # Names put in the place of wrong ones may have made a request right.
        response = case.call(headers=headers_of(caller))
        excluded = [*not_checked(response), *([negative_data_rejection] if exists else [])]
        case.validate_response(
            response,
            headers=headers_of(caller),
            excluded_checks=excluded,
            transport_kwargs={"headers": headers_of(caller)},
        )
        if "problem+json" in response.headers.get("content-type", [""])[0]:
            told = response.json()
            assert_described(told["instance"], case.method, told["status"], told["code"])

    call()


def not_checked(response: Any) -> list[Any]:
    """Return the checks that an answer is spared."""
    if STREAM in response.headers.get("content-type", [""])[0]:
        # The schema is that of the whole text, not of each block; see test_stream.py.
        return [*NOT_CHECKED, response_schema_conformance]
    return [*NOT_CHECKED]


def known_names(town: str) -> dict[str, str]:
    """Return parameters of addresses for which there is something."""
    return {
        "simulation": town.rpartition("/")[2],
        "agent": "isabella-rodriguez",
        "number": "1",
        "tick": "0",
        "stream": "isabella-rodriguez",
        "ordinal": "0",
        "username": "isabella",
        "file": "tileset.png",
    }
