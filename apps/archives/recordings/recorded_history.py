"""Collects what a recording plays: a state, the events after it, plans, and reasons."""

from base64 import b64encode
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any
from uuid import UUID

from apps import history
from apps.agents import events as agent_events
from apps.dialogue import events as dialogue_events
from apps.eventlog.models import EventRow
from apps.eventlog.queries import chains_of_causes
from apps.eventlog.store import EventStore
from apps.history import Constants, Event, EventId, PlanVersion, SimulationRow
from apps.kernel.errors import DomainError
from apps.kernel.followed_items import followed
from apps.kernel.game_time import GameCalendar
from apps.memory.events import MemoryFormed, MemoryKind
from apps.planning.events import DayOutlined
from apps.reaction.events import ReactionDecided
from apps.reflection.events import Reflected
from apps.simulation import events as simulation_events
from apps.simulation.embodiment import events as embodiment_events
from apps.world.loading import map_document
from apps.world.tiled import read_image

BEGINNINGS: tuple[type[Event], ...] = (
    agent_events.ActionBegan,
    agent_events.WalkBegan,
    agent_events.EntryTried,
    agent_events.DoorKnocked,
)
"""The events with which an agent begins to do something; they have reasons."""
_DONE = ("description", "emoji", "plan_item", "kind")
RECORDED_FIELDS: Mapping[type[Event], tuple[str, ...]] = MappingProxyType(
    {
        agent_events.AgentJoined: ("name", "tile"),
        agent_events.AgentReturned: ("tile",),
        agent_events.AgentLeft: (),
        agent_events.WalkBegan: (*_DONE, "steps", "towards"),
        agent_events.ActionBegan: (
            *_DONE, "tile", "area", "object", "object_state", "asleep", "until_tick",
        ),
        agent_events.EntryTried: (*_DONE, "tile", "area", "towards"),
        agent_events.DoorKnocked: (*_DONE, "tile", "node", "until_tick"),
        agent_events.DoorOpened: ("node", "visitor"),
        agent_events.ObjectStateSet: ("object", "state", "by"),
        agent_events.ObjectStateLeft: ("object", "state"),
        agent_events.ObjectRighted: ("object",),
        dialogue_events.Said: ("conversation", "to", "participants", "by_phone", "text"),
        dialogue_events.TalkEnded: ("conversation",),
        dialogue_events.Agreed: (
            "conversation", "other", "activity", "place", "day", "from_minute", "to_minute",
        ),
        dialogue_events.Declined: ("conversation", "other", "activity"),
        dialogue_events.Promised: ("conversation", "other", "what"),
        MemoryFormed: ("kind", "number", "description"),
        ReactionDecided: ("choice", "about", "what"),
        Reflected: ("insights",),
        DayOutlined: ("day", "items"),
        simulation_events.InnerVoiceGiven: ("agent", "text", "by"),
        simulation_events.ObservationGiven: ("agent", "text", "by"),
        simulation_events.InterviewGiven: ("agent", "question", "by"),
        embodiment_events.EmbodimentBegan: ("agent", "by"),
        embodiment_events.EmbodimentEnded: ("agent", "by"),
    }
)  # fmt: skip
_SHORTER: Mapping[tuple[type[Event], str], Callable[[Any], Any]] = MappingProxyType(
    {
        (Reflected, "insights"): lambda insights: [
            {"statement": insight["statement"]} for insight in insights
        ],
        # The feed says how many there are; the plan itself has them.
        (DayOutlined, "items"): lambda items: [0] * len(items),
    }
)


def is_recorded(event: Event) -> bool:
    """Return whether the page shows the event."""
    if isinstance(event, MemoryFormed):
        return event.kind is MemoryKind.DIALOGUE
    return type(event) in RECORDED_FIELDS


def recorded_data(event: Event, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the event that the page shows, shortened.

    :param data: the event as plain JSON values.
    """
    kind = type(event)
    return {
        name: _SHORTER[kind, name](data[name]) if (kind, name) in _SHORTER else data[name]
        for name in RECORDED_FIELDS[kind]
    }


FORM = 1
"""The form of the data; a page reads its own form only."""
CAUSES_MAX = 20
HOURS_MAX = 24
_HOURS_OF_PLANS = 24


class SpanUnusable(DomainError):
    """A recording needs a beginning before its end, a committed end, and at most 24 hours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedSpan:
    """The ticks of a recording: the picture begins at `from_tick` and ends at `to_tick`."""

    from_tick: int
    to_tick: int


def span_of(
    row: SimulationRow, calendar: GameCalendar, *, from_tick: int, to_tick: int
) -> RecordedSpan:
    """Return the span.

    :raises SpanUnusable: if it is empty, too long, or ends after the committed tick.
    """
    if not 0 <= from_tick < to_tick <= row.committed_tick:
        raise SpanUnusable(
            f"a recording cannot be from {calendar.moment(from_tick)} to "
            f"{calendar.moment(to_tick)}; its beginning must be before its end, and its end at "
            f"most the committed moment, {calendar.moment(row.committed_tick)}"
        )
    hours = calendar.hours_of(to_tick - from_tick)
    if hours > HOURS_MAX:
        raise SpanUnusable(
            f"a recording has at most {HOURS_MAX} hours, not {hours:g}; write several"
        )
    return RecordedSpan(from_tick=from_tick, to_tick=to_tick)


def record_history(
    store: EventStore,
    row: SimulationRow,
    constants: Constants,
    span: RecordedSpan,
) -> dict[str, Any]:
    """Return the data of a recording as plain JSON values.

    The data are those of the history alone: the same history gives the same data.
    """
    world, calendar = constants.world, constants.calendar
    drawn = map_document(world.directory)
    agents = _agents(row.pk, as_of_tick=span.to_tick)
    state = _state(constants, span.from_tick, agents)
    events = _events(store, row.pk, span)
    return {
        "form": FORM,
        "name": row.name,
        "start_at": calendar.start.isoformat(),
        "tick_seconds": calendar.tick_seconds,
        "from_tick": span.from_tick,
        "to_tick": span.to_tick,
        "map": drawn,
        "images": {
            name: b64encode(read_image(world.directory, name) or b"").decode()
            for name in _images_of(drawn)
        },
        "agents": agents,
        "state": state,
        "events": events,
        "plans": _plans(
            row.pk,
            span,
            _named_items(state, events),
            ticks_around=calendar.ticks_of(minutes=_HOURS_OF_PLANS * 60),
        ),
    }


def _images_of(drawn: Mapping[str, object]) -> list[str]:
    tilesets = drawn["tilesets"]
    assert isinstance(tilesets, list), "the map of a loaded world has a list of tilesets"
    return [tileset["image"] for tileset in tilesets]


def _agents(simulation_id: UUID, *, as_of_tick: int) -> dict[str, dict[str, Any]]:
    names = history.names_of_agents(simulation_id, as_of_tick=as_of_tick)
    found = {}
    for agent in names:
        identity = history.get_agent(simulation_id, agent).identity
        found[agent] = {
            "name": identity.name,
            "age": identity.age,
            "traits": list(identity.traits),
            "home": identity.home,
            "workplace": identity.workplace,
        }
    return found


def _state(
    constants: Constants, tick: int, known: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the state in the form of `GET …/state`, with the event of each action."""
    found = history.read_visible_state(constants, tick=tick)
    agents = []
    for agent, track in found.snapshot.tracks.items():
        tile, action = track.tile_at(tick), track.action_at(tick)
        if tile is None:
            continue
        agents.append(
            {
                "slug": agent,
                "name": track.name,
                "age": known[agent]["age"],
                "position": _point(tile),
                "path": [_point(step) for step in track.steps_after(tick)],
                "action": action.description if action else "",
                "emoji": action.emoji if action else "",
                "asleep": action.asleep if action else False,
                "place": found.snapshot.place_of(agent, tick),
                "event": action.event if action else "",
                "from_tick": action.from_tick if action else tick,
                "until_tick": action.until_tick if action else None,
                "plan_item": action.plan_item if action else 0,
            }
        )
    return {
        "agents": agents,
        "objects": [
            {"path": one.path, "state": one.state, "used_by": list(one.used_by)}
            for one in found.objects
        ],
        "conversations": [
            {
                "id": talk.id,
                "participants": list(talk.participants),
                "last": {
                    "agent": talk.last.agent,
                    "text": talk.last.text,
                    "tick": talk.last.tick,
                },
            }
            for talk in found.conversations
        ],
    }


def _point(tile: tuple[int, int]) -> dict[str, int]:
    return {"x": tile[0], "y": tile[1]}


def _events(store: EventStore, simulation_id: UUID, span: RecordedSpan) -> list[dict[str, Any]]:
    """Return the events after the beginning in canonical order.

    A beginning has as its `reaction` the agent's own decision to react that led to it.
    """
    rows = list(
        history.events_of(simulation_id, until_tick=span.to_tick).filter(
            tick__gt=span.from_tick
        )
    )
    decoded = [
        (row, store.registry.decode(row.type, row.data))
        for row in followed(rows, "event", len(rows))
    ]
    shown = [(row, event) for row, event in decoded if is_recorded(event)]
    begun = [row for row, event in shown if isinstance(event, BEGINNINGS)]
    reactions = _reactions(simulation_id, begun)
    found = []
    for row, event in shown:
        document: dict[str, Any] = {
            "id": row.event_id,
            "type": event.type,
            "data": recorded_data(event, store.registry.encode(event)),
        }
        if row.pk in reactions:
            document["reaction"] = reactions[row.pk]
        found.append(document)
    return found


def _reactions(simulation_id: UUID, rows: Collection[EventRow]) -> dict[int, dict[str, Any]]:
    """Return the nearest decision to react among the causes of each event, by position."""
    streams = {row.pk: row.stream for row in rows}
    found = {}
    for position, chain in chains_of_causes(simulation_id, rows, limit=CAUSES_MAX).items():
        for cause in chain:
            if cause.type == ReactionDecided.type and cause.stream == streams[position]:
                found[position] = {
                    "id": cause.event_id,
                    "data": {name: cause.data[name] for name in ("choice", "about", "what")},
                }
                break
    return found


def _plans(
    simulation_id: UUID,
    span: RecordedSpan,
    named: Mapping[str, Collection[int]],
    *,
    ticks_around: int,
) -> dict[str, list[list[Any]]]:
    """Return the items of plans by agent: the days around the span, the actions within it.

    :param named: the numbers of the items that actions carry out, which may be early or late.
    """
    versions = partial(
        history.plan_versions,
        simulation_id,
        from_tick=span.from_tick - ticks_around,
        to_tick=span.to_tick + ticks_around,
        as_of_tick=span.to_tick,
    )
    days = versions(levels=("outline", "hour"))
    actions = {
        agent: [
            one
            for one in found
            if one.item.number in named.get(agent, ())
            or (one.item.from_tick <= span.to_tick and one.item.to_tick > span.from_tick)
        ]
        for agent, found in versions(levels=("action",)).items()
    }
    return {
        agent: [_plan_row(one) for one in (*days.get(agent, ()), *actions.get(agent, ()))]
        for agent in sorted({*days, *actions})
    }


def _named_items(
    state: Mapping[str, Any], events: Iterable[Mapping[str, Any]]
) -> dict[str, set[int]]:
    """Return the numbers of the plan items that the state and the events name, by agent."""
    named: dict[str, set[int]] = defaultdict(set)
    for agent in state["agents"]:
        named[agent["slug"]].add(agent["plan_item"])
    for event in events:
        named[EventId.parse(event["id"]).stream].add(event["data"].get("plan_item", 0))
    return named


def _plan_row(version: PlanVersion) -> list[Any]:
    """Return the values of an item in a fixed order, which the page knows."""
    item = version.item
    return [
        item.number, item.parent, item.level, item.day, item.from_tick, item.to_tick,
        item.description, item.place, item.emoji, version.planned_tick, version.replaced_tick,
        version.kept_to_tick,
    ]  # fmt: skip
