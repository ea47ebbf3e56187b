"""Old names of fields: still accepted and still answered, and marked as deprecated.

An old name is a field whose `source` is the new one, so that its value cannot differ.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from rest_framework import serializers

DEPRECATED_ON = datetime(2026, 11, 22, tzinfo=UTC)
"""The day on which all of today's old names were deprecated."""
HEADERS = {
    "Deprecation": f"@{int(DEPRECATED_ON.timestamp())}",
    "Link": '</api/v1/docs>; rel="deprecation"; type="text/html"',
}
"""The headers of a response to a request that uses an old name (RFC 9745)."""


def deprecated_name_of(new: str) -> dict[str, Any]:
    """Return the arguments that make a field an old name of another."""
    return {"source": new, "help_text": f"Deprecated: use `{new}`."}


def old_names(fields: Mapping[str, serializers.Field]) -> dict[str, str]:
    """Return the new name by each old one; the fields need not be bound yet."""
    return {
        name.rstrip("_"): field.source
        for name, field in fields.items()
        if field.source not in {None, name, name.rstrip("_")}
    }


def conflicting_names(fields: Mapping[str, serializers.Field], data: object) -> Iterator[str]:
    """Yield the old names that a body holds together with the new ones."""
    if isinstance(data, Mapping):
        for old, new in old_names(fields).items():
            if old in data and new in data:
                yield old


def uses_old_name(fields: Mapping[str, serializers.Field], data: object) -> bool:
    """Return whether a body or a query holds an old name."""
    return isinstance(data, Mapping) and any(old in data for old in old_names(fields))
