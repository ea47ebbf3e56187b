"""The events of a recording, and the fields of them that the page shows."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from apps.agents import events as agent_events
from apps.dialogue import events as dialogue_events
from apps.history import Event, MemoryKind
from apps.memory.events import MemoryFormed
from apps.planning.events import DayOutlined
from apps.reaction.events import ReactionDecided
from apps.reflection.events import Reflected
from apps.simulation import events as simulation_events
from apps.simulation.embodiment import events as embodiment_events

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
