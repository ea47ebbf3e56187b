"""The functions that requests choose by name: those of the service, then those of plug-ins."""

from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.request import Request

from apps.api.http.fields import Serializer
from apps.api.http.lists import ListView, list_parameters, page_of_items
from apps.api.http.operation import operation
from apps.archives.exports import EXPORTERS
from apps.django_support.function_registry import Registry
from apps.evaluation.news_searches.verification import VERIFIERS
from apps.evaluation.rankings.judging import JUDGES
from apps.experiments.measure_registry import MEASURES


class RegisteredFunction(Serializer):
    """A function that can be chosen by name."""

    name = serializers.CharField()
    description = serializers.CharField()


class _RegisteredFunctions(ListView):
    """The functions of a registry."""

    query = list_parameters("name, description", "name")
    registry: ClassVar[Registry[Any]]

    def listed(self) -> Any:
        """Return a page of the functions."""
        found = [
            one
            for one in self.registry.values()
            if self.contains_search(one.name, one.description)
        ]
        return self.page(found, RegisteredFunction, name=("name",))


class Measures(_RegisteredFunctions):
    """The measures of experiments."""

    registry = MEASURES

    @operation("listMeasures", "/measures", "evaluation", page_of_items(RegisteredFunction))
    def get(self, request: Request) -> Any:
        """List the measures that an experiment can choose by name.

        `diffusion`, `attendance` and `survey` have arguments and are not listed.
        """
        return self.listed()


class Exporters(_RegisteredFunctions):
    """The exporters of histories."""

    registry = EXPORTERS

    @operation("listExporters", "/exporters", "simulations", page_of_items(RegisteredFunction))
    def get(self, request: Request) -> Any:
        """List the forms in which a history can be exported for other programs."""
        return self.listed()


class Judges(_RegisteredFunctions):
    """The judges of rankings."""

    registry = JUDGES

    @operation("listJudges", "/judges", "evaluation", page_of_items(RegisteredFunction))
    def get(self, request: Request) -> Any:
        """List the functions that can rank answers in place of a model or people."""
        return self.listed()


class Verifiers(_RegisteredFunctions):
    """The verifiers of news."""

    registry = VERIFIERS

    @operation("listVerifiers", "/verifiers", "evaluation", page_of_items(RegisteredFunction))
    def get(self, request: Request) -> Any:
        """List the functions that can verify news in place of a model."""
        return self.listed()
