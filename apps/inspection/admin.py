"""The tables of the admin: a page that edits nothing for the rows of each model."""

from typing import Any

from django.apps import apps
from django.contrib.admin import site
from django.contrib.auth.models import User
from django.db import models
from pgvector.django import HalfVectorField

from apps.access import admin as access  # noqa: F401 (it registers pages of its own)
from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.eventlog import admin as eventlog  # noqa: F401 (as above)

COLUMNS_MAX = 12
# Fields of few values besides those with choices; their values are offered as filters.
_FILTERS = frozenset(
    {
        "agent", "choice", "code", "kind", "level", "model", "no_value", "origin",
        "outcome", "rating", "server", "source", "standing", "task", "tie", "type", "world",
    }
)  # fmt: skip
# Fields whose words are searched; other texts are compared as they are.
_WORDS = frozenset(["name", "title", "question", "node", "area", "object", "place"])
_EXACT = (models.CharField, models.UUIDField, models.ForeignKey)
_UNREADABLE = (models.BinaryField, HalfVectorField)


def _page_of(model: type[models.Model]) -> type[ReadOnlyAdmin]:
    """Return the page of a model, with columns of its first fields, filters and a search.

    A list whose rows have a time of the machine's clock has the latest row first.
    """
    fields = {
        field.name if field.related_model is User else field.attname: field
        for field in model._meta.concrete_fields
        if not isinstance(field, (*_UNREADABLE, models.JSONField, models.AutoField))
    }
    simulation = fields.pop("simulation_id", None)
    times = [name for name, field in fields.items() if getattr(field, "auto_now_add", False)]
    columns = list(dict.fromkeys([*times, *fields]))[:COLUMNS_MAX]
    if simulation is not None:
        fields["simulation_id"] = simulation
        columns.append("simulation_id")
    shown = {name: fields[name] for name in columns}
    attributes: dict[str, Any] = {
        "list_display": columns,
        "list_select_related": [name for name in columns if shown[name].related_model is User],
        "list_filter": [name for name, field in shown.items() if _has_few_values(name, field)],
        "search_fields": [found for each in shown.items() if (found := _search_of(*each))],
        "exclude": [
            field.name for field in model._meta.fields if isinstance(field, _UNREADABLE)
        ],
    }
    if times:
        attributes["ordering"] = (f"-{times[0]}",)
    return type(f"{model.__name__}Admin", (ReadOnlyAdmin,), attributes)


def _has_few_values(name: str, field: Any) -> bool:
    return isinstance(field, models.BooleanField) or bool(field.choices) or name in _FILTERS


def _search_of(name: str, field: Any) -> str | None:
    """Return the search of a field as a page has it; None for a field that is not searched."""
    if isinstance(field, models.TextField) or name in _WORDS:
        return name
    is_key = isinstance(field, _EXACT) or name == "number"
    return f"={name}" if is_key and not field.choices else None


for _model in apps.get_models():
    if _model.__module__.startswith("apps.") and not site.is_registered(_model):
        site.register(_model, _page_of(_model))
