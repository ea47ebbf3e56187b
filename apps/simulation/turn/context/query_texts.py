"""The retrieval queries of a turn that do not depend on what is perceived in it."""

from collections.abc import Iterator
from datetime import date

from apps.kernel.game_time import format_date
from apps.kernel.language import phrase
from apps.memory.commands import (
    core_characteristics_query,
    daily_occupation_query,
    recent_progress_query,
)


def agreed_query(name: str, day: str) -> str:
    """Return the query for what was agreed to for a day, which is "2023-02-13" or the like."""
    on_day = format_date(date.fromisoformat(day))
    return phrase(
        "what {name} agreed to, is invited to and plans on {date}", name=name, date=on_day
    )


def usual_day_query(name: str) -> str:
    """Return the query for the outline of a day."""
    return phrase("what {name} does on a usual day, where and when", name=name)


def hour_query(name: str, activity: str) -> str:
    """Return the query for the actions of an hour."""
    return phrase("{name} is about to {activity}", name=name, activity=activity)


def news_query(name: str) -> str:
    """Return the query for what the agent has to tell."""
    return phrase("news that {name} has heard or wants to tell", name=name)


def standing_queries(name: str, day: str) -> Iterator[str]:
    """Yield the queries that the agent of the full name makes again and again on the day."""
    yield core_characteristics_query(name)
    yield daily_occupation_query(name)
    yield recent_progress_query(name)
    yield usual_day_query(name)
    yield agreed_query(name, day)
    yield news_query(name)
