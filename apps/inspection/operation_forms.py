"""Forms of operations of the HTTP API: their fields and rules are those of the request body."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from io import BytesIO
from typing import Any, ClassVar

from django import forms
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest

from apps.api.http.views import ApiView
from apps.kernel.request_models import Schema, inline_schema, without_null
from apps.kernel.requested_values import REASON_CHARACTERS_MAX

LONG_CHARACTERS = 1_000
"""Texts that may be so long have several lines."""


class OperationForm(forms.Form):
    """The form of an operation; the service checks the values when it is called.

    Every form has a reason, whether or not the body has one.
    """

    use_required_attribute = True
    view: ClassVar[type[ApiView]]
    members: ClassVar[frozenset[str]]
    """The names of the members of the body."""
    reason = forms.CharField(max_length=REASON_CHARACTERS_MAX)

    def __init__(self, *args: Any, names: dict[str, str], **named: Any) -> None:
        super().__init__(*args, **named)
        agent = self.fields.get("agent")
        if isinstance(agent, forms.ChoiceField):
            agent.choices = list(names.items())

    @property
    def body(self) -> dict[str, Any]:
        """The values that the body has; a field that was left empty is no member."""
        return {
            name: value
            for name, value in self.cleaned_data.items()
            if name in self.members and value not in (None, "")
        }

    def send(self, request: HttpRequest, **names: str) -> Any:  # with `data`, or a problem
        """Call the operation for the user of a request, whose token was checked.

        The faults of a problem in the response become those of the fields.

        :param names: those of the path, besides the agent.
        """
        if "agent" in self.fields:
            names["agent"] = self.cleaned_data["agent"]
        response: Any = self.view.as_view()(_json_request(request, self.body), **names)
        if response.status_code >= HTTPStatus.BAD_REQUEST:
            problem = json.loads(response.content)
            for error in problem["errors"] or [problem]:
                name = str(error.get("pointer", "")).removeprefix("/")
                self.add_error(name if name in self.fields else None, error["detail"])
        return response


def form_of(view: type[ApiView], *names: str) -> type[OperationForm]:
    """Return the form of the POST of a view with these members of its body.

    It asks for the agent first if the path has one.
    """
    members = _members_of(view)
    fields: dict[str, Any] = {name: _field(members[name]) for name in names}
    if "{agent}" in view.route():
        fields = {"agent": forms.ChoiceField(), **fields}
    about = {
        "__doc__": view.__doc__,
        "view": view,
        "members": frozenset(members),
        "field_order": [*fields, "reason"],
    }
    return type(f"{view.__name__}Form", (OperationForm,), about | fields)


def _members_of(view: type[ApiView]) -> Mapping[str, Schema]:
    schema = inline_schema(getattr(view, "post").request_model)  # noqa: B009 (mypy knows no post)
    required = schema.get("required", ())
    return {
        name: {**member, "required": name in required}
        for name, member in schema["properties"].items()
    }


def _field(member: Schema) -> forms.Field:
    """Return the field of a member with this schema."""
    schema = without_null(member)
    shared: dict[str, Any] = {
        "required": schema["required"],
        "help_text": schema.get("description", ""),
        "initial": schema.get("default"),
    }
    if schema.get("type") == "boolean":
        return forms.BooleanField(**shared | {"required": False})
    if schema.get("type") == "number":
        return forms.FloatField(
            **shared, min_value=schema.get("minimum"), max_value=schema.get("maximum")
        )
    if "oneOf" in schema:  # a moment
        widget: forms.Widget = forms.DateTimeInput(attrs={"type": "datetime-local", "step": 1})
        return forms.CharField(**shared, widget=widget)
    longest = schema.get("maxLength", 0)
    is_long = longest >= LONG_CHARACTERS
    widget = forms.Textarea(attrs={"rows": 2}) if is_long else forms.TextInput()
    return forms.CharField(**shared, max_length=longest or None, widget=widget)


def _json_request(request: HttpRequest, body: Mapping[str, Any]) -> WSGIRequest:
    """Return a request of the same user with a body of JSON."""
    content = json.dumps(body).encode()
    inner = WSGIRequest(
        {
            **request.META,
            "REQUEST_METHOD": "POST",
            "QUERY_STRING": "",
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(content)),
            "wsgi.url_scheme": request.scheme,
            "wsgi.input": BytesIO(content),
        }
    )
    inner.user = request.user
    setattr(inner, "_dont_enforce_csrf_checks", True)  # noqa: B010 (as Django's test client)
    return inner
