"""Reads a summary description: traits, and its sentences as memories have them (stand-in)."""

import re

from apps.rule_model.reading.names import with_full_names

_TRAITS = re.compile(r"^Innate traits: (?P<traits>.+)$", re.MULTILINE)
_HEAD = re.compile(r"^(?:Name|Innate traits): .*$", re.MULTILINE)
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


def traits_in(summary: str) -> frozenset[str]:
    """Return the traits that the summary names."""
    match = _TRAITS.search(summary)
    return frozenset(match["traits"].lower().split(", ")) if match else frozenset()


def told_by_summary(summary: str, name: str) -> list[str]:
    """Return the sentences of the summary, with the full name for the given one."""
    text = with_full_names(" ".join(_HEAD.sub("", summary).split()), (name,))
    return [sentence.rstrip(".") for sentence in _END.split(text) if sentence]
