"""OpenAPI links: values of a response that are path parameters of other operations."""

import re
from collections.abc import Mapping
from typing import Any

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
