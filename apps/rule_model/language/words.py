"""Loads the vocabulary of the rule-based model from its YAML files."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from apps.kernel.strict_yaml import load_yaml_file

_DATA = Path(__file__).parent.parent / "data"


@cache
def vocabulary(name: str) -> dict[str, Any]:
    """Return the content of data/<name>.yaml, read once."""
    loaded = load_yaml_file(_DATA / f"{name}.yaml")
    assert isinstance(loaded, dict), f"{name}.yaml must be a mapping"
    return loaded


def english(key: str) -> frozenset[str]:
    """Return a list of words of the general English vocabulary."""
    return frozenset(vocabulary("phrases_english")[key].split())


def either(words: frozenset[str]) -> str:
    """Return a pattern that matches one of the words, the longest first."""
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


@cache
def patterns(section: str) -> Mapping[str, re.Pattern[str]]:
    """Return the patterns of a section of data/patterns.yaml, compiled."""
    texts: dict[str, str] = {}
    for name, pieces in vocabulary("patterns")[section].items():
        text = pieces if isinstance(pieces, str) else "".join(pieces)
        texts[name] = re.sub(r"\{([a-z_]+)\}", lambda match: texts[match[1]], text)
    return {name: re.compile(text) for name, text in texts.items()}
