"""A history of Smallville that is written by hand, event by event, so that its truth is known.

It begins with the founding of a town at midnight, in which everybody is asleep at home.
"""

from collections.abc import Sequence
from datetime import datetime

from apps import wiring
from apps.agents import queries as agent_queries
from apps.agents.events import ActionBegan, ActionKind, Tile
from apps.eventlog.event import Event
from apps.eventlog.store import NewEvent
from apps.llm.embeddings import StoredVectors
from apps.llm.opening import open_embedding
from apps.memory.events import MemoryFormed, MemoryKind, MemoryOrigin
from apps.memory.models import MemoryRow
from apps.simulation import queries
from apps.simulation.ports import constants_of
from tests.support.towns import found

DAY = "2023-02-13"


class HandwrittenHistory:
    """A simulation of these people, to whose log events are appended."""

    def __init__(self, *agents: str) -> None:
        self.row = found(agents=agents)
        self.id = self.row.pk
        self.calendar = queries.calendar_of(self.id)
        self.world = constants_of(self.id, wiring.ports().worlds).world

    def tick(self, time: str) -> int:
        """Return the tick of a time of the first day such as "17:00" or "17:00:10"."""
        return self.calendar.tick_at(datetime.fromisoformat(f"{DAY}T{time}"))

    def append(self, time: str, agent: str, *events: Event) -> Sequence[str]:
        """Append the events of one turn; return their ids."""
        recorded = wiring.event_store().append(
            simulation_id=self.id,
            tick=self.tick(time),
            stream=agent,
            events=[NewEvent(event=event) for event in events],
        )
        return [str(one.place) for one in recorded]

    def acting(
        self, area: str, *, plan_item: int = 0, kind: ActionKind = ActionKind.PLANNED
    ) -> ActionBegan:
        """Return an action on the first tile of an area; "" is outdoors."""
        width, height = self.world.map.width, self.world.map.height
        tile = next(
            (x, y)
            for y in range(height)
            for x in range(width)
            if self.world.map.area_at((x, y)) == area
        )
        return ActionBegan(
            description="standing",
            emoji="🧍",
            tile=tile,
            area=area,
            object="",
            object_state="",
            asleep=False,
            until_tick=self.tick("23:59"),
            plan_item=plan_item,
            kind=kind,
        )

    def remembering(
        self, agent: str, text: str, origin: MemoryOrigin = MemoryOrigin.LEARNED
    ) -> MemoryFormed:
        """Return the next memory of an agent."""
        model = open_embedding(queries.model_of(self.id))
        StoredVectors(model).ensure([text])
        rows = MemoryRow.objects.filter(simulation_id=self.id, agent=agent)
        return MemoryFormed(
            number=1 + max(rows.values_list("number", flat=True), default=0),
            kind=MemoryKind.OBSERVATION,
            description=text,
            importance=5,
            embedded_by=model.name,
            dimensions=model.dimensions,
            origin=origin,
        )

    def tile_of(self, agent: str, time: str) -> Tile:
        """Return the tile of an agent at a time."""
        tick = self.tick(time)
        track = agent_queries.tracks(self.id, from_tick=tick, to_tick=tick)[agent]
        tile = track.tile_at(tick)
        assert tile is not None
        return tile

    def number_of(self, agent: str, text: str) -> int:
        """Return the number of the only memory of an agent in these words."""
        row = MemoryRow.objects.get(simulation_id=self.id, agent=agent, description=text)
        return row.number
