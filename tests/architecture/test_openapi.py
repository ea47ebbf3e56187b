"""The OpenAPI document is complete: for each operation all that an integrator must know."""

import copy
import importlib
import json
import pkgutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import apps
from apps.api.openapi.errors import documented_problem, error_types
from apps.api.openapi.hook import FOLDER, REQUEST_EXAMPLES
from apps.api.operations.documentation import schema_document
from apps.api.urls import views
from tests.acceptance.api.calling import ANYWHERE
from tests.support.openapi_faults import faults_of, operations_of

NO_ANSWERS_FROM = ("apps.embedded_postgres", "apps.django_support", "apps.console")
NO_ANSWERS = {
    "command-body-invalid": "it rejects a command that another version has recorded",
    "command-kind-unknown": "it rejects a command that another version has recorded",
    "conflict": "it is the base of errors that a later request may not meet",
    "invalid-content": "it ends a command that reads a file of the rule-based model",
    "model-error": "it is the base of the errors of model servers",
    "turn-abandoned": "it pauses a simulation",
    "token-unknown": "tokens are revoked by command and in the admin",
    "user-unfit": "users are created by command",
    "not-recorded": "recordings are replayed in tests only",
    "nobody-addressed": "it is the code of an embodied action's outcome",
    "work-stopped": "it stops the process of a survey that was paused meanwhile",
    "not-in-view": "it is the code of an embodied action's outcome",
    "unreachable": "a path is looked for when an agent walks",
    "unusable-models": "the settings of the models are read at the start of a process",
    "unusable-values": "it is invalid-request in answers",
    "unusable-written-answer": "it is the code of a field in `errors` of invalid-request",
    "unusable-time": "it is the code of a field in `errors` of invalid-request",
}
PINNED = Path(__file__).parent / "operation_ids.txt"
SIM = "/api/v1/simulations/{simulation}"


class TestDocument:
    def test_is_complete(self) -> None:
        faults = faults_of(schema_document())
        assert not faults, "\n" + "\n".join(faults)

    def test_keeps_the_ids_of_its_operations(self) -> None:
        # Generated clients call their functions by these names: they stay, with their address.
        pinned = set(PINNED.read_text().split("\n")) - {""}
        now = {
            f"{operation['operationId']} {method.upper()} {path}"
            for path, method, operation in operations_of(schema_document())
        }
        gone, new = sorted(pinned - now), sorted(now - pinned)
        assert not gone, "clients call these, they must not go or move:\n" + "\n".join(gone)
        assert not new, f"add these lines to {PINNED.name}:\n" + "\n".join(new)

    def test_uses_every_example_of_a_body(self) -> None:
        named = {operation["operationId"] for *_, operation in operations_of(schema_document())}
        assert set(json.loads(REQUEST_EXAMPLES.read_text("utf-8"))) <= named

    def test_uses_every_example_that_is_kept(self) -> None:
        used = set(schema_document()["components"]["examples"])
        shown = {name.removesuffix("List") for name in used} | used
        unused = sorted(file.stem for file in FOLDER.glob("*.json") if file.stem not in shown)
        assert not unused, f"no operation answers with these: delete them from {FOLDER.name}/"


class TestErrors:
    def test_are_all_documented(self) -> None:
        for module in pkgutil.walk_packages(apps.__path__, "apps."):
            if ".management." not in module.name:
                importlib.import_module(module.name)
        # An error that no view declares is either no answer, or its declaration is missing.
        documented = set(schema_document()["components"]["examples"]) | ANYWHERE
        missing = sorted(
            f"{error.__module__}.{error.__name__} ({error.code})"
            for error in error_types()
            if error.__module__.startswith("apps.")
            and not error.__module__.startswith(NO_ANSWERS_FROM)
            and error.code not in documented | NO_ANSWERS.keys()
        )
        assert not missing, "declare these in `errors` of the views that answer with them"

    def test_are_declared_by_class(self) -> None:
        declared = {
            error
            for view in views()
            for method in ("GET", "POST", "PATCH", "DELETE")
            for error in view.declared_errors(method)
        }
        assert len(declared) > 50
        assert all(documented_problem(error).code for error in declared)


def _no_summary(document: dict[str, Any]) -> None:
    del document["paths"][SIM]["get"]["summary"]


def _no_example_of_body(document: dict[str, Any]) -> None:
    del document["paths"][f"{SIM}/run"]["post"]["requestBody"]["content"]["application/json"][
        "examples"
    ]


def _wrong_example_of_body(document: dict[str, Any]) -> None:
    examples = document["paths"][f"{SIM}/run"]["post"]["requestBody"]["content"][
        "application/json"
    ]["examples"]
    examples["Six ticks"] = {"value": {"tick": 6}}


def _other_answer(document: dict[str, Any]) -> None:
    document["components"]["schemas"]["Simulation"]["required"].append("mood")


def _less_answer(document: dict[str, Any]) -> None:
    simulation = document["components"]["schemas"]["Simulation"]
    del simulation["properties"]["pace"]
    simulation["required"].remove("pace")


def _no_example_of_answer(document: dict[str, Any]) -> None:
    answer = document["paths"][f"{SIM}/state"]["get"]["responses"]["200"]
    del answer["content"]["application/json"]["examples"]


def _no_unauthorized(document: dict[str, Any]) -> None:
    del document["paths"][f"{SIM}/state"]["get"]["responses"]["401"]


def _no_code(document: dict[str, Any]) -> None:
    problem = document["paths"][f"{SIM}/run"]["post"]["responses"]["409"]
    del problem["content"]["application/problem+json"]["examples"]


def _no_tag(document: dict[str, Any]) -> None:
    document["paths"][f"{SIM}/state"]["get"]["tags"] = ["weather"]


def _no_words_of_parameter(document: dict[str, Any]) -> None:
    del document["paths"]["/api/v1/worlds"]["get"]["parameters"][0]["description"]


def _no_words_of_member(document: dict[str, Any]) -> None:
    del document["components"]["schemas"]["RunRequest"]["properties"]["ticks"]["description"]


def _text_with_members(document: dict[str, Any]) -> None:
    answer = document["paths"]["/metrics"]["get"]["responses"]["200"]
    answer["content"]["text/plain"]["schema"] = {"$ref": "#/components/schemas/State"}


def _named_by_generator(document: dict[str, Any]) -> None:
    document["components"]["schemas"]["Kind3f0Enum"] = {"type": "string", "enum": ["a"]}


def _shadowed(document: dict[str, Any]) -> None:
    document["components"]["schemas"]["Command"] = {
        "type": "object",
        "properties": {"command": {"type": "string"}},
    }


class TestFaults:
    """What is taken out is missed, in words that say where it is to be added."""

    @pytest.mark.parametrize(
        ("spoil", "told"),
        [
            (_no_summary, "getSimulation: it has no summary"),
            (_no_example_of_body, "runSimulation: its body has no example"),
            (_wrong_example_of_body, "'Six ticks' of its body does not fit"),
            (_other_answer, "'mood' is a required property; let"),
            (_less_answer, "'pace' was unexpected"),
            (_no_example_of_answer, "apps/api/openapi/examples/State.json"),
            (_no_unauthorized, "getState: it does not say that it can answer 401"),
            (_no_code, "runSimulation: its answer 409 names no code of that status"),
            (_no_tag, "add it to TAGS in apps/api/openapi/hook.py"),
            (_no_words_of_parameter, "listWorlds: the query parameter 'cursor'"),
            (_no_words_of_member, "'ticks' of its body (RunRequest) is not described"),
            (_text_with_members, "getMetrics: its answer 200 as text/plain is read as text"),
            (_named_by_generator, "Kind3f0Enum was named by the generator"),
            (_shadowed, "the component Command has a member of its own name"),
        ],
    )
    def test_are_told(self, spoil: Callable[[dict[str, Any]], None], told: str) -> None:
        document = copy.deepcopy(schema_document())
        spoil(document)
        faults = faults_of(document)
        assert any(told in fault for fault in faults), "\n".join(faults)
