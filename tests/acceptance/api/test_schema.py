"""The interface does what its description says, whatever it is sent."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from openapi_spec_validator import validate
from schemathesis.specs.openapi.checks import (
    negative_data_rejection,
    positive_data_acceptance,
)

from apps.api.views.schema import schema_document
from tests.acceptance.api.calling import Caller

EXAMPLES_EACH = 20
OPERATIONS = [
    (method, path)
    for path, operations in schema_document()["paths"].items()
    for method in operations
]
# What a generator of valid data cannot know: which ids there are, and that a number that
# its schema allows may still be too large for the town at hand.
NOT_CHECKED = [positive_data_acceptance]


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
    def test_lists_every_operation_without_any_other_file(
        self, db: None, client: Client
    ) -> None:
        page = client.get("/api/v1/docs").content.decode()
        for _, path in OPERATIONS:
            assert f"<code>{path}</code>" in page
        assert not re.search(r"<(script|link|img)|https?://|@import|url\(", page)


class TestEveryOperation:
    """schemathesis in this process: generated requests, valid and not, against the schema."""

    @pytest.fixture(autouse=True)
    def _keep_connection(self) -> Iterator[None]:
        # At the end of a request Django gives its connection back; the test's transaction
        # needs it. Django's own test client does the same.
        for signal in (request_started, request_finished):
            signal.disconnect(close_old_connections)
        yield
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)

    @pytest.mark.parametrize(("method", "path"), OPERATIONS)
    def test_answers_as_described(
        self, method: str, path: str, town: str, isabella: Caller, settings: Any
    ) -> None:
        settings.REQUEST_RATE_MAX = ""
        schema = schemathesis.openapi.from_wsgi("/api/v1/schema", get_wsgi_application())
        operation = schema[path][method.upper()]
        call_with_anything(operation, known_names(town), isabella)


def call_with_anything(operation: Any, names: dict[str, str], caller: Caller) -> None:
    """Call the operation with data that fit its schema and with data that do not."""
    modes = schemathesis.GenerationMode

    @seed(7)
    @settings(
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
        # Names put in the place of wrong ones may have made a request right.
        excluded = [*NOT_CHECKED, *([negative_data_rejection] if exists else [])]
        case.call_and_validate(headers=caller.headers, excluded_checks=excluded)

    call()


def known_names(town: str) -> dict[str, str]:
    """Return parameters of addresses for which there is something."""
    return {
        "simulation": town.rpartition("/")[2],
        "agent": "isabella-rodriguez",
        "number": "1",
        "file": "tileset.png",
    }
