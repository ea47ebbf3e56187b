"""Copies the rows of the first day of a simulation to later days, one statement a table."""

from collections.abc import Mapping
from uuid import UUID

from django.db import connection, transaction

TICKS_PER_DAY = 8_640
NUMBERS_PER_DAY = 1_000
"""Added to the numbers of plan items for each day; an agent has fewer in one."""

# For each table the columns that change, by their expressions in `copied.days`. An id such as
# "2490/isabella-rodriguez/3" begins with its tick.
_TICK = "{name} + copied.days * %(ticks)s"
_NUMBER = "{name} + copied.days * %(numbers)s"
# Memories are numbered without gaps: an agent has as many more a day as in the first one.
_MEMORY_NUMBER = "{name} + copied.days * formed.count"
_NUMBER_OR_0 = f"CASE {{name}} WHEN 0 THEN 0 ELSE {_NUMBER} END"
_ID = (
    "CASE WHEN {name} ~ '^[0-9]+/' THEN (split_part({name}, '/', 1)::int + copied.days * "
    "%(ticks)s)::text || substr({name}, strpos({name}, '/')) ELSE {name} END"
)
TABLES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "eventlog_eventrow": ("position", {"tick": _TICK, "cause": _ID}),
    "memory_memoryrow": (
        "id",
        {
            "number": _MEMORY_NUMBER,
            "formed_tick": _TICK,
            "rated_tick": _TICK,
            "superseded_tick": _TICK,
        },
    ),
    "memory_retrievalrow": (
        "id",
        {"number": _MEMORY_NUMBER, "from_tick": _TICK, "to_tick": _TICK},
    ),
    "llm_modelcallrow": ("id", {"tick": _TICK, "call_id": _ID}),
    "dialogue_utterancerow": (
        "id",
        {"tick": _TICK, "conversation": _ID, "event": _ID},
    ),
    "dialogue_talkrow": (
        "id",
        {"from_tick": _TICK, "to_tick": _TICK, "conversation": _ID},
    ),
    "agents_actionrow": (
        "id",
        {
            "from_tick": _TICK,
            "to_tick": "coalesce(to_tick, %(ticks)s) + copied.days * %(ticks)s",
            "until_tick": _TICK,
            "event": _ID,
            "plan_item": _NUMBER_OR_0,
        },
    ),
    "planning_planitemrow": (
        "id",
        {
            "number": _NUMBER,
            "parent": _NUMBER_OR_0,
            "day": "CASE day WHEN '' THEN '' ELSE (day::date + copied.days)::text END",
            "from_tick": _TICK,
            "to_tick": _TICK,
            "valid_from_tick": _TICK,
            "valid_to_tick": _TICK,
            "kept_to_tick": _TICK,
        },
    ),
    "reflection_reflectionrow": ("id", {"tick": _TICK}),
}
_FIRST_TICK = {
    "eventlog_eventrow": "tick",
    "memory_memoryrow": "formed_tick",
    "memory_retrievalrow": "from_tick",
    "llm_modelcallrow": "tick",
    "dialogue_utterancerow": "tick",
    "dialogue_talkrow": "from_tick",
    "agents_actionrow": "from_tick",
    "planning_planitemrow": "valid_from_tick",
    "reflection_reflectionrow": "tick",
}
_FORMED = """
    LEFT JOIN (
        SELECT agent, count(*) AS count FROM memory_memoryrow
        WHERE simulation_id = %(simulation)s AND formed_tick BETWEEN 1 AND %(ticks)s
        GROUP BY agent
    ) AS formed USING (agent)
"""


def fill(simulation_id: UUID, days: int) -> None:
    """Copy the rows of the ticks after 0 to the next days, and let the planner know of them."""
    with transaction.atomic(), connection.cursor() as cursor:
        for table, (key, changed) in TABLES.items():
            cursor.execute(
                "SELECT column_name FROM information_schema.columns WHERE table_name = %s",
                [table],
            )
            columns = [name for (name,) in cursor.fetchall() if name != key]
            values = [changed.get(name, "{name}").format(name=f'"{name}"') for name in columns]
            quoted = ", ".join(f'"{name}"' for name in columns)
            source = f"{table} {_FORMED}" if "number" in changed else table
            cursor.execute(
                f"INSERT INTO {table} ({quoted}) SELECT {', '.join(values)} FROM {source}, "  # noqa: S608 (names of this program)
                f"generate_series(1, %(days)s) AS copied(days) "
                f"WHERE simulation_id = %(simulation)s AND {_FIRST_TICK[table]} > 0",
                {
                    "ticks": TICKS_PER_DAY,
                    "numbers": NUMBERS_PER_DAY,
                    "days": days,
                    "simulation": simulation_id,
                },
            )
        cursor.execute(f"ANALYZE {', '.join(TABLES)}")
