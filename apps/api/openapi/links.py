"""OpenAPI links: values of a response that are path parameters of other operations."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

_Operations = Mapping[str, tuple[str, dict[str, Any]]]
_PARAMETER = re.compile(r"{(\w+)}")
_SIMULATION = {"simulation": "$request.path.simulation"}
# By operation and status of its answer: the parameters that the answer gives.
_GIVES: tuple[tuple[str, str, Mapping[str, str]], ...] = (
    ("createSimulation", "201", {"simulation": "$response.body#/id"}),
    ("listAgents", "200", {**_SIMULATION, "agent": "$response.body#/results/0/slug"}),
    ("listMemories", "200", {**_SIMULATION, "number": "$response.body#/results/0/id"}),
    ("interviewAgent", "202", {**_SIMULATION, "interview": "$response.body#/id"}),
    ("embodyAgent", "202", {**_SIMULATION, "embodiment": "$response.body#/id"}),
    ("visit", "202", {**_SIMULATION, "embodiment": "$response.body#/id"}),
    ("addMember", "201", {**_SIMULATION, "username": "$response.body#/username"}),
    *(
        (requested, "202", {**_SIMULATION, "command": "$response.body#/command"})
        for requested in (
            "addAgent",
            "sendAgentAway",
            "setObjectState",
            "giveInnerVoice",
            "giveObservation",
            "actEmbodied",
        )
    ),
)


def link_operations(document: dict[str, Any]) -> None:
    """Add to each response the operations whose parameters it holds."""
    operations = {
        operation["operationId"]: (path, operation)
        for path, methods in document["paths"].items()
        for operation in methods.values()
    }
    for giver, status, gives in _GIVES:
        path, operation = operations[giver]
        more = {"agent": "$request.path.agent"} if "{agent}" in path else {}
        inputs = {**more, **gives}
        operation["responses"][status]["links"] = {
            taker: {"operationId": taker, "parameters": parameters}
            for taker, parameters in _takers(operations, inputs, set(gives))
        }


def _takers(
    operations: _Operations, inputs: Mapping[str, str], new: set[str]
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the operations whose path parameters are given, the new ones among them."""
    for name, (path, _operation) in operations.items():
        takes = set(_PARAMETER.findall(path))
        if new <= takes <= set(inputs):
            yield name, {parameter: inputs[parameter] for parameter in sorted(takes)}
