"""The description of an operation: path parameters, Idempotency-Key, errors."""

from http import HTTPStatus
from typing import Any, cast

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent

from apps.access.idempotency import KEY_PATTERN
from apps.api.http.fields import ProblemDocument, Strict
from apps.api.http.idempotency_keys import HEADER, REPLAYED
from apps.api.http.views import SAFE, ApiView
from apps.api.openapi.errors import errors_of_operation, problem_responses
from apps.evaluation.questionnaires.typed_questions import NAME_PATTERN
from apps.kernel.game_time import TICK_MAX
from apps.kernel.request_models import schema_of
from apps.kernel.requested_values import SLUG_PATTERN, TASK_CHARACTERS_MAX


def _text(description: str, example: str, **schema: Any) -> dict[str, Any]:
    return {
        "description": description,
        "schema": {"type": "string", **schema},
        "example": example,
    }


def _slug(description: str) -> dict[str, Any]:
    return _text(description, "isabella-rodriguez", pattern=f"^{SLUG_PATTERN}$")


def _uuid(description: str) -> dict[str, Any]:
    return _text(description, "5f0c7a9e-3f0b-4d7a-9b53-0f3b1c1c9a11", format="uuid")


def _integer(description: str, example: int, **schema: int) -> dict[str, Any]:
    return {
        "description": description,
        "schema": {"type": "integer", **schema},
        "example": example,
    }


PATH_PARAMETERS: dict[str, dict[str, Any]] = {
    "agent": _slug("The agent's slug."),
    "search": _uuid("The news search's id."),
    "task": _uuid("The id of a task of the ranking."),
    "questionnaire": _text(
        "The questionnaire's name.", "paper", pattern=f"^{NAME_PATTERN}$", maxLength=60
    ),
    "other": _uuid("The id of the simulation to compare with."),
    "figure": _text(
        "The name of the figure: that of its measure, with hyphens for other signs than "
        "letters, digits, dots, hyphens and underscores.",
        "plans.begun_share",
        pattern=r"^[A-Za-z0-9_.-]{1,210}$",
    ),
    "plot": _text("The plot's name.", "activity", maxLength=60),
    "embodiment": _integer("The embodiment's id: its number in the simulation.", 1, minimum=1),
    "number": _integer("The memory's id: its number in the agent's stream.", 12, minimum=1),
    "tick": _integer("The first part of the id.", 2490, minimum=0, maximum=TICK_MAX),
    "stream": _slug('The second part of the id: a slug, "commands" or "simulation".'),
    "opener": _slug("The second part of the id: the slug of the first speaker."),
    "ordinal": _integer("The third part of the id.", 0, minimum=0),
    "llm_task": _text(
        "The third part of the id.",
        "planning.day_outline",
        pattern=rf"^[a-z0-9_.]{{1,{TASK_CHARACTERS_MAX}}}$",
    ),
    "call": _integer("The fourth part of the id.", 0, minimum=0),
    "username": _text("The user's name.", "klaus", maxLength=150),
    "model": _text("A server of the settings, or server:model.", "openai:gpt-4o-mini"),
    "file": _text("The name of an image, as the map has it.", "tileset.png"),
}


def parameter_of_path(name: str) -> dict[str, Any]:
    """Return the description of a parameter; without one it is the id of what it names."""
    return PATH_PARAMETERS.get(name) or _uuid(f"The {name}'s id.")


EXAMPLE_KEY = "8e03978e-40d5-43e8-bc93-6894a57f9324"
_KEY_PARAMETER: dict[str, Any] = {
    "in": "header",
    "name": HEADER,
    "description": "A new name for what is to be done once: a repeat under the same key is "
    "answered as the first was, for a day. Another request under it gets 422 "
    "(`idempotency-key-reused`).",
    "schema": {"type": "string", "pattern": f"^{KEY_PATTERN}$"},
    "example": EXAMPLE_KEY,
}
_REPLAYED_HEADER = {
    REPLAYED: {
        "description": "That this is the answer of an earlier request with this key.",
        "schema": {"type": "string", "enum": ["true"]},
    }
}


class RequestModelSchema(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Describes a pydantic model, and the models in it, as components."""

    target_class = "apps.kernel.request_models.RequestModel"
    match_subclasses = True
    priority = 1

    def get_name(self, *_arguments: Any) -> str:
        """Return the name of the component."""
        return str(self.target.__name__)

    def map_serializer(self, auto_schema: AutoSchema, _direction: str) -> dict[str, Any]:
        """Return the JSON schema of the model, with references to components."""
        schema: dict[str, Any] = _with_components(dict(schema_of(self.target)))
        for name, one in schema.pop("$defs", {}).items():
            component = ResolvedComponent(  # type: ignore[no-untyped-call]
                name=name, type=ResolvedComponent.SCHEMA, object=name, schema=one
            )
            auto_schema.registry.register_on_missing(component)
        return schema


def _with_components(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_with_components(one) for one in schema]
    if isinstance(schema, dict):
        return {name: _with_components(one) for name, one in schema.items()}
    if isinstance(schema, str) and schema.startswith("#/$defs/"):
        return schema.replace("#/$defs/", "#/components/schemas/")
    return schema


class OperationSchema(AutoSchema):
    """Adds to an operation what its view declares and what all operations share."""

    def get_override_parameters(self) -> list[Any]:
        """Return what a method takes as its view declares, and its own headers in answers."""
        query: type[Strict] = cast("type[ApiView]", type(self.view)).query_of(self.method)
        headers = getattr(self.view, "response_headers", ()) if self.method == "GET" else ()
        return [*headers] if query is Strict else [query, *headers]

    def get_operation(self, *arguments: Any) -> dict[str, Any] | None:
        """Return the operation, with its errors as responses."""
        operation: dict[str, Any] | None = super().get_operation(*arguments)
        if operation is None:
            return None
        parameters = operation.get("parameters", [])
        in_path = [parameter for parameter in parameters if parameter["in"] == "path"]
        for parameter in in_path:
            parameter.update(parameter_of_path(parameter["name"]))
        errors = errors_of_operation(
            cast("type[ApiView]", type(self.view)),
            self.method,
            has_path_parameters=bool(in_path),
            is_open={} in operation.get("security", ()),
        )
        responses = operation["responses"]
        problem = self.resolve_serializer(ProblemDocument, "response").ref
        for status, response in problem_responses(errors, problem).items():
            responses.setdefault(status, response)
        if self.method not in SAFE:
            operation["parameters"] = [*parameters, _KEY_PARAMETER]
        for status, response in responses.items():
            response["description"] = response["description"] or HTTPStatus(int(status)).phrase
            if self.method not in SAFE:
                response["headers"] = response.get("headers", {}) | _REPLAYED_HEADER
        operation["responses"] = dict(sorted(responses.items()))
        return operation
