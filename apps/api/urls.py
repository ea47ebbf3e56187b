"""The routes of the API: those of the operations that the views declare."""

import re
from collections.abc import Iterator
from importlib import import_module
from itertools import chain
from pkgutil import walk_packages

from django.urls import URLPattern, path, re_path
from django.views.decorators.csrf import csrf_exempt

from apps.api import operations, resources, streaming
from apps.api.http import problems
from apps.api.http.views import ApiView
from apps.api.operations.documentation import front_end

_PARAMETER = re.compile(r"{(\w+)}")
_CONVERTERS = {"file": "path", "model": "path"}


def views() -> Iterator[type[ApiView]]:
    """Yield every view that has operations."""
    for package in (operations, resources, streaming):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            members = vars(import_module(module.name)).values()
            # A tuple has the views of a kind of background work.
            for value in chain.from_iterable(
                one if isinstance(one, tuple) else (one,) for one in members
            ):
                if (
                    isinstance(value, type)
                    and issubclass(value, ApiView)
                    and value.__module__ == module.name
                    and value.operation_ids()
                ):
                    yield value


def _pattern_of(view: type[ApiView]) -> URLPattern:
    """Return the route of a view, named for its first operation."""
    route = _PARAMETER.sub(
        lambda found: f"<{_CONVERTERS.get(found[1], 'str')}:{found[1]}>", view.route()
    )
    return path(route.removeprefix("/"), view.as_view(), name=view.operation_ids()[0])


def _precedence(view: type[ApiView]) -> list[tuple[bool, str]]:
    """Return the key by which a fixed part of a path comes before a parameter."""
    return [("{" in part, part) for part in view.route().split("/")]


urlpatterns: list[URLPattern] = [
    *(_pattern_of(view) for view in sorted(views(), key=_precedence)),
    path("", front_end, name="page"),
    path("rank.html", front_end, {"file": "rank.html"}, name="ranking-page"),
    re_path(
        r"^(?P<file>(?:css|js)/(?:[a-z_]+/)?[a-z_]+\.(?:css|js))$", front_end, name="page-file"
    ),
    # An unknown address is a problem document with DEBUG on, too.
    re_path("^api/", csrf_exempt(problems.not_found)),
]
