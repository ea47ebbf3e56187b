"""YAML with the types of version 1.2, and with an error for a name that is there twice.

YAML 1.1 reads 10:00 as 600 and `no` as false, and silently uses the later of two equal names.
"""

import re
from collections.abc import Hashable

import yaml
from yaml.nodes import MappingNode, ScalarNode

_TAG = "tag:yaml.org,2002:"
_PLAIN_KINDS = (
    ("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", list("tTfF")),
    ("int", r"^[-+]?[0-9]+$", list("-+0123456789")),
    ("float", r"^[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$", list("-+.0123456789")),
)


class _StrictLoader(yaml.SafeLoader):
    """Reads the core types of YAML 1.2 and collects repeated names."""

    yaml_implicit_resolvers = {}  # noqa: RUF012 - as PyYAML declares it

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self.repeated: list[tuple[str, int]] = []

    def construct_mapping(
        self,
        node: MappingNode,
        deep: bool = False,
    ) -> dict[Hashable, object]:
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, ScalarNode):
                if key.value in seen:
                    self.repeated.append((key.value, key.start_mark.line + 1))
                seen.add(key.value)
        return super().construct_mapping(node, deep=deep)


for _kind, _form, _first_letters in _PLAIN_KINDS:
    _StrictLoader.add_implicit_resolver(_TAG + _kind, re.compile(_form), _first_letters)


def load_yaml(text: str) -> tuple[object, list[tuple[str, int]]]:
    """Return the content, and each repeated name with its line.

    :raises yaml.YAMLError: if it is not YAML.
    """
    loader = _StrictLoader(text)
    try:
        return loader.get_single_data(), loader.repeated
    finally:
        loader.dispose()
