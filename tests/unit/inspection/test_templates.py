"""Every link in a template names a page or an operation that there is."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.template import Context, Engine, Template
from django.template.base import Node
from django.template.defaulttags import URLNode
from django.template.library import SimpleNode
from django.urls import get_resolver

TEMPLATES = sorted(
    file.relative_to(folder).as_posix()
    for folder in Path(settings.BASE_DIR, "apps").glob("*/templates")
    for file in folder.rglob("*.html")
)


def links_of(template: Template) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the routes and parameters of the links, also in branches that nothing renders."""
    for node in template.nodelist.get_nodes_by_type(Node):
        if isinstance(node, URLNode):
            yield node.view_name.resolve(Context()), frozenset(node.kwargs)
        elif isinstance(node, SimpleNode) and node.func.__name__ == "address":
            page = node.args[0].resolve(Context())
            yield f"admin:inspect-{page}", frozenset({"simulation", *node.kwargs})


def parameters_of(route: str) -> set[frozenset[str]]:
    """Return the parameters of the paths of a route; nothing if there is none of the name."""
    namespace, _, name = route.rpartition(":")
    resolver = get_resolver()
    if namespace:
        _, resolver = resolver.namespace_dict[namespace]
    return {
        frozenset(parameters)
        for possibilities, *_ in resolver.reverse_dict.getlist(name)
        for _, parameters in possibilities
    }


@pytest.mark.parametrize("name", TEMPLATES)
def test_links_to_what_there_is(name: str) -> None:
    template = Engine.get_default().get_template(name)
    links = set(links_of(template))
    assert {link for link in links if link[1] not in parameters_of(link[0])} == set()


def test_finds_the_links_of_both_kinds() -> None:
    template = Engine.get_default().from_string(
        "{% load inspection %}{% if never %}{% url 'getNothing' simulation=1 %}{% endif %}"
        "{% address 'event' tick=1 %}"
    )
    links = set(links_of(template))
    assert links == {
        ("getNothing", frozenset({"simulation"})),
        ("admin:inspect-event", frozenset({"simulation", "tick"})),
    }
    assert not any(link[1] in parameters_of(link[0]) for link in links)
