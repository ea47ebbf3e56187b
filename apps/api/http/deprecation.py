"""The headers of a response to a request that uses a deprecated name (RFC 9745)."""

from datetime import UTC, datetime

DEPRECATED_ON = datetime(2026, 11, 22, tzinfo=UTC)
"""The day on which all of today's old names were deprecated."""
HEADERS = {
    "Deprecation": f"@{int(DEPRECATED_ON.timestamp())}",
    "Link": '</api/v1/docs>; rel="deprecation"; type="text/html"',
}
