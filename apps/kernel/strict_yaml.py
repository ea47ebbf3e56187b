"""YAML with the types of version 1.2, in composed letters, with an error for a repeated name.

YAML 1.1 reads 10:00 as 600 and `no` as false, and silently uses the later of two equal names.
An alias is a few letters for a text or list of any size, also of further aliases: the size of
the document with all of them written out is bounded before it is built.
"""

import re
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import IO

import yaml
from yaml.events import CollectionEndEvent, CollectionStartEvent
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from apps.kernel.text import compose


def read_at_most(file: IO[bytes], bytes_max: int) -> bytes | None:
    """Return what is left of a file, None if that is more than `bytes_max` bytes.

    No more than one byte beyond is held: devices and files that grow state no size, and packed
    ones another than they have.
    """
    content = file.read(bytes_max + 1)
    return content if len(content) <= bytes_max else None


_TAG = "tag:yaml.org,2002:"
_PLAIN_KINDS = (
    ("merge", r"^<<$", ["<"]),
    ("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", list("tTfF")),
    ("int", r"^[-+]?[0-9]+$", list("-+0123456789")),
    ("float", r"^[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$", list("-+.0123456789")),
)


FILE_BYTES_MAX = 2_000_000
SIZE_MAX = 4_000_000
"""The letters of all texts, and one for each text, list and mapping, aliases written out."""

DEPTH_MAX = 100


class _StrictLoader(yaml.CSafeLoader):  # in C: a tenth of the time
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
    _check_depth(text)
    loader = _StrictLoader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None, []
        if _size(node, {}) > SIZE_MAX:
            raise yaml.YAMLError(f"has more than {SIZE_MAX:,} letters with its aliases")
        return compose(loader.construct_document(node)), loader.repeated
    except (ValueError, RecursionError) as error:  # such as a number of 5,000 digits
        raise yaml.YAMLError(str(error)) from error
    finally:
        loader.dispose()


def load_yaml_file(path: Path) -> object:
    """Return the content of a file.

    :raises OSError: if it cannot be read.
    :raises yaml.YAMLError: if it is too large, is not YAML in UTF-8, or repeats a name.
    """
    with path.open("rb") as file:
        text = read_at_most(file, FILE_BYTES_MAX)
    if text is None:
        raise yaml.YAMLError(f"has more than {FILE_BYTES_MAX:,} bytes")
    try:
        content, repeated = load_yaml(text.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise yaml.YAMLError(str(error)) from error
    for name, line in repeated:
        raise yaml.YAMLError(f"line {line}: {name!r} is twice in the same list of names")
    return content


def line_of(text: str, place: Sequence[str | int]) -> int:
    """Return the line of the value at a place of YAML that was read, from 1.

    A place is names of members and indices of lists. Of one that does not exist, the line is
    that of the last part which does.
    """
    node, line = yaml.compose(text, Loader=yaml.CSafeLoader), 1
    for step in place:
        pairs: list[tuple[Node, Node]] = []
        if isinstance(node, MappingNode):
            pairs = [pair for pair in node.value if compose(pair[0].value) == str(step)]
        elif isinstance(node, SequenceNode) and isinstance(step, int):
            pairs = [(item, item) for item in node.value[step : step + 1]]
        if not pairs:
            break
        key, node = pairs[0]
        line = key.start_mark.line + 1
    return line


def _check_depth(text: str) -> None:
    """Check that lists and mappings are nested as far only as the parser in C can follow.

    :raises yaml.YAMLError: if they are not, or it is not YAML.
    """
    depth = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        if isinstance(event, CollectionStartEvent):
            depth += 1
        elif isinstance(event, CollectionEndEvent):
            depth -= 1
        if depth > DEPTH_MAX:
            raise yaml.YAMLError(f"is nested more than {DEPTH_MAX} levels deep")


def _size(node: Node, sizes: dict[int, int]) -> int:
    """Return the size of a node with all of its aliases written out, each counted once.

    :raises yaml.YAMLError: if a node is a part of itself.
    """
    found = sizes.get(id(node))
    if found is not None:
        if not found:
            raise yaml.YAMLError(f"line {node.start_mark.line + 1}: an alias of what it is in")
        return found
    sizes[id(node)] = 0
    if isinstance(node, ScalarNode):
        size = 1 + len(node.value)
    else:
        pairs = node.value if isinstance(node, MappingNode) else [node.value]
        size = 1 + sum(_size(part, sizes) for pair in pairs for part in pair)
    sizes[id(node)] = size
    return size
