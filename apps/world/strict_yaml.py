"""YAML with the types of version 1.2, in composed letters, with an error for a repeated name.

YAML 1.1 reads 10:00 as 600 and `no` as false, and silently uses the later of two equal names.
"""

import re
from collections.abc import Hashable
from pathlib import Path

import yaml
from yaml.nodes import MappingNode, ScalarNode

from apps.kernel.text import compose

_TAG = "tag:yaml.org,2002:"
_PLAIN_KINDS = (
    ("merge", r"^<<$", ["<"]),
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
                name = compose(key.value)
                if name in seen:
                    self.repeated.append((name, key.start_mark.line + 1))
                seen.add(name)
        return super().construct_mapping(node, deep=deep)


for _kind, _form, _first_letters in _PLAIN_KINDS:
    _StrictLoader.add_implicit_resolver(_TAG + _kind, re.compile(_form), _first_letters)


def load_yaml(text: str) -> tuple[object, list[tuple[str, int]]]:
    """Return the content, and each repeated name with its line.

    :raises yaml.YAMLError: if it is not YAML.
    """
    loader = _StrictLoader(text)
    try:
        return compose(loader.get_single_data()), loader.repeated
    except (ValueError, RecursionError) as error:  # such as a number of 5,000 digits
        raise yaml.YAMLError(str(error)) from error
    finally:
        loader.dispose()


def load_yaml_file(path: Path) -> object:
    """Return the content of a file.

    :raises OSError: if it cannot be read.
    :raises yaml.YAMLError: if it is not YAML in UTF-8, or repeats a name.
    """
    try:
        content, repeated = load_yaml(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        raise yaml.YAMLError(str(error)) from error
    for name, line in repeated:
        raise yaml.YAMLError(f"line {line}: {name!r} is twice in the same list of names")
    return content
