"""The functions that requests choose by name: those of the service, then those of plug-ins."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from apps.api.http.fields import Serializer
from apps.api.http.lists import ListView, list_parameters, page_of_items
from apps.api.http.views import operation
from apps.archives.exports import EXPORTERS
from apps.django_support.function_registry import Registry
from apps.evaluation.news_searches.verification import VERIFIERS
from apps.evaluation.rankings.judging import JUDGES
from apps.experiments.measure_registry import MEASURES


class RegisteredFunction(Serializer):
    """A function that can be chosen by name."""

    name = serializers.CharField()
    description = serializers.CharField()


def _view_of(registry: Registry[Any], noun: str, tag: str, words: str) -> type[ListView]:
    """Return the view of the functions of a registry.

    :param noun: what they are, in the plural.
    :param words: the docstring of the operation.
    """

    def get(self: ListView, _request: Request) -> Any:
        searched = ("name", "description")
        return self.page_of(registry.values(), RegisteredFunction, *searched, name=("name",))

    get.__doc__ = words
    page = page_of_items(RegisteredFunction)
    members = {
        "__doc__": f"The {noun} that there are.",
        "__module__": __name__,
        "query": list_parameters("name, description", "name"),
        "get": operation(f"list{noun.capitalize()}", f"/{noun}", tag, page)(get),
    }
    return type(noun.capitalize(), (ListView,), members)


VIEWS = (
    _view_of(
        MEASURES,
        "measures",
        "evaluation",
        "List the measures that an experiment can choose by name.\n\n"
        "`diffusion`, `attendance` and `survey` have arguments and are not listed.",
    ),
    _view_of(
        EXPORTERS,
        "exporters",
        "simulations",
        "List the forms in which a history can be exported for other programs.",
    ),
    _view_of(
        JUDGES,
        "judges",
        "evaluation",
        "List the functions that can rank answers in place of a model or people.",
    ),
    _view_of(
        VERIFIERS,
        "verifiers",
        "evaluation",
        "List the functions that can verify news in place of a model.",
    ),
)
