"""Links from rows in tables of the admin to the pages that show them in their context.

A row tells by its attributes what it belongs to: `event` or `event_id` has the id of an event,
`conversation` and `call_id` have ids, `agent` and `number` name a memory in its table.
"""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.urls import reverse


def simulation_page(simulation_id: UUID) -> str:
    """Return the address of the overview of a simulation."""
    return _page("simulation", simulation_id)


def links_of_row(row: Any) -> Iterator[tuple[str, str]]:
    """Yield the labels and addresses of the pages that belong to a row."""
    if row._meta.label_lower == "simulation.simulationrow":
        yield "overview", simulation_page(row.pk)
    simulation_id = getattr(row, "simulation_id", None)
    if simulation_id is None:
        return
    if getattr(row, "agent", ""):
        yield "agent", _page("agent", simulation_id, agent=row.agent)
    event = getattr(row, "event", "") or getattr(row, "event_id", "")
    if isinstance(event, str) and event.count("/") == 2:
        tick, stream, ordinal = event.split("/")
        yield (
            "event",
            _page("event", simulation_id, tick=tick, stream=stream, ordinal=ordinal),
        )
    if getattr(row, "conversation", "").count("/") == 1:
        tick, opener = row.conversation.split("/")
        yield "conversation", _page("conversation", simulation_id, tick=tick, opener=opener)
    if getattr(row, "call_id", "").count("/") == 3:
        tick, stream, task, number = row.call_id.split("/")
        names = {"tick": tick, "stream": stream, "task": task, "number": number}
        yield "call", _page("call", simulation_id, **names)


def _page(name: str, simulation_id: UUID, **names: str) -> str:
    return reverse(f"admin:inspect-{name}", kwargs={"simulation": simulation_id, **names})
