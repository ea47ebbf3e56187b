"""Checks that the log of an archive keeps the rules of every other way to create a history."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

from apps.agents.events import AgentJoined, Tile
from apps.archives.archive_format import MANIFEST, ArchiveInvalid, SimulationOfArchive
from apps.history import Event, EventId, World
from apps.kernel.errors import DomainError
from apps.kernel.game_time import MINUTES_PER_DAY, TICK_MAX
from apps.llm.embeddings import text_key
from apps.llm.model_spec import ModelSpec
from apps.memory.events import MemoriesRetrieved, MemoryFormed
from apps.simulation.commands.agents import joined
from apps.simulation.commands.interventions import InnerVoiceBody, ObservationBody
from apps.simulation.events import InnerVoiceGiven, ObservationGiven, SimulationCreated
from apps.world.people_loading import agent_profile_of, ensure_visitor_fits

QUIET_DAYS_MAX = 7
"""The committed tick is at most so many game days behind the last event: agents wake daily."""
_BODIES = {InnerVoiceGiven: InnerVoiceBody, ObservationGiven: ObservationBody}


@dataclass(slots=True)
class ReadLog:
    """What the rules need of a log, collected while its events are inserted."""

    last: EventId | None = None
    arrivals: list[tuple[EventId, AgentJoined]] = field(default_factory=list)
    tiles: dict[Tile, EventId] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)  # with a vector, by key

    def note(self, place: EventId, event: Event) -> None:
        """Note the next event of the log.

        :raises ArchiveInvalid: if its text is not one that users can give.
        """
        self.last = place
        for tile in _tiles_of(event):
            self.tiles.setdefault(tile, place)
        if isinstance(event, MemoryFormed | MemoriesRetrieved):
            text = event.description if isinstance(event, MemoryFormed) else event.query
            self.texts[text_key(text)] = text
        elif isinstance(event, AgentJoined):
            self.arrivals.append((place, event))
        elif isinstance(event, InnerVoiceGiven | ObservationGiven):
            try:
                _BODIES[type(event)](text=event.text)
            except (DomainError, ValueError) as error:
                raise _invalid(place, "text", error) from error


def ensure_log_fits(
    log: ReadLog,
    created: SimulationCreated,
    simulation: SimulationOfArchive,
    world: World,
) -> None:
    """Check a log against its manifest and its world; `created` is what holds at its end.

    :raises ArchiveInvalid: with the event and the field that break a rule.
    """
    if (created.world, created.seed) != (simulation.world, simulation.seed):
        raise ArchiveInvalid("the log begins with another world or seed than the manifest has")
    if created.start != world.start.isoformat():
        raise ArchiveInvalid(
            f"the creation in the log, start: {created.start[:40]!r} is not that of its world, "
            f"{world.start.isoformat()!r}"
        )
    _ensure_models_fit(created, simulation)
    _ensure_ticks_fit(created, log.last, simulation)
    for place, event in log.arrivals:
        _ensure_can_join(place, event, world)
    for (x, y), place in log.tiles.items():
        if not (0 <= x < world.map.width and 0 <= y < world.map.height):
            raise _invalid(place, "tile", f"[{x}, {y}] is not on the map of the world")


def _ensure_ticks_fit(
    created: SimulationCreated, last: EventId | None, simulation: SimulationOfArchive
) -> None:
    assert last is not None, "a log has the event of its creation"
    quiet_ticks = QUIET_DAYS_MAX * created.calendar.ticks_of(minutes=MINUTES_PER_DAY)
    until_tick = min(TICK_MAX, last.tick + quiet_ticks)
    if not last.tick <= simulation.committed_tick + 1 <= until_tick:
        raise ArchiveInvalid(
            f"{MANIFEST}, simulation.committed_tick: {simulation.committed_tick} does not fit "
            f"the log, whose last event is {last}"
        )


def _ensure_models_fit(created: SimulationCreated, simulation: SimulationOfArchive) -> None:
    spec = ModelSpec.from_json(simulation.model)
    for name in ("embedding_model", "embedding_dimensions"):
        if getattr(spec, name) != getattr(created, name):
            raise ArchiveInvalid(
                f"{MANIFEST}, simulation.model.{name}: {getattr(spec, name)!r} is not that of "
                f"the log, {getattr(created, name)!r}"
            )


def _ensure_can_join(place: EventId, event: AgentJoined, world: World) -> None:
    """Check that an agent could have been created, added or sent as a visitor so."""
    try:
        if not event.home:
            slug = ensure_visitor_fits(
                event.name, age=event.age, traits=event.traits, description=event.description
            )
            rebuilt = event
        else:
            person = agent_profile_of(event.name, _facts_of(event), world.tree)
            slug, rebuilt = person.slug, joined(person, event.tile)
    except DomainError as error:
        raise _invalid(place, AgentJoined.type, error) from error
    if slug != place.stream:
        raise _invalid(place, "name", f"does not belong to the stream {place.stream!r}")
    # Known places were expanded at the creation: that they exist is checked with the facts.
    for name in AgentJoined.__dataclass_fields__.keys() - {"knows"}:
        if getattr(rebuilt, name) != getattr(event, name):
            raise _invalid(place, name, "is not a value that an agent can be created with")


def _facts_of(event: AgentJoined) -> dict[str, object]:
    """Return the facts of an agent as they are in people.yaml."""
    hours = {"wake": event.wake_minute, "sleep": event.sleep_minute}
    if event.dinner_minute is not None:
        hours["dinner"] = event.dinner_minute
    return {
        "age": event.age,
        "traits": event.traits,
        "description": event.description,
        "hours": {name: _clock(minute) for name, minute in hours.items()},
        "home": event.home,
        "bed": event.bed,
        "workplace": event.workplace,
        "knows": event.knows,
    }


def _clock(minute: int) -> str:
    of_day = minute - MINUTES_PER_DAY if minute > MINUTES_PER_DAY else minute
    return f"{of_day // 60:02d}:{of_day % 60:02d}"


def _tiles_of(event: Event) -> Iterator[Tile]:
    """Yield the tiles of an event: its place, and its steps."""
    tile: Tile | None = getattr(event, "tile", None)
    steps: tuple[Tile, ...] = getattr(event, "steps", ())
    return chain(steps, () if tile is None else (tile,))


def _invalid(place: EventId, name: str, fault: object) -> ArchiveInvalid:
    return ArchiveInvalid(f"the event {place} of the log, {name}: {fault}")
