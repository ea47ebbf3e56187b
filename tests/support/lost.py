"""Work whose process is lost, as its rows show it."""

from datetime import timedelta
from typing import Any

from django.db.models import QuerySet

from apps.django_support.heartbeat import lapse_limit


def lose_process(rows: QuerySet[Any], **values: Any) -> None:
    """Let the heartbeat of the process that is at the work lapse; change other values, too."""
    rows.update(seen_at=lapse_limit() - timedelta(seconds=1), **values)
