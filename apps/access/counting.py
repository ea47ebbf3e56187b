"""Counts of rate-limited requests by user, over all processes together."""

import time

from apps.django_support.statements import rows_of

_COUNT = """
INSERT INTO access_requestcount AS kept (what, span, count)
VALUES (%(what)s, %(span)s, 1)
ON CONFLICT (what) DO UPDATE SET
    count = CASE WHEN kept.span = excluded.span THEN kept.count + 1 ELSE 1 END,
    span = excluded.span
RETURNING count
"""


def count_request(what: str, *, requests_max: int, seconds: int) -> float | None:
    """Count a request; return None if it may pass, else the seconds until the next may.

    Time is cut into spans of `seconds`, each of which lets `requests_max` pass: around the
    border of two spans, at most twice as many.
    """
    span, elapsed = divmod(time.time(), seconds)
    [(count,)] = rows_of(_COUNT, {"what": what, "span": int(span)})
    return None if count <= requests_max else seconds - elapsed
