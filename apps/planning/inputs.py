"""Typed inputs of the LLM tasks of planning. English is printed by the task alone.

Minutes count from the midnight on which the date of the plan began and may pass 1,440.
Paths are node paths in words. Memories are in the order of the ranking, best first.
"""

from dataclasses import dataclass
from datetime import date, datetime

from apps.agents.status import AgentStatus, PlannedTime
from apps.agents.summary import AgentSummary
from apps.memory.events import ScheduledActivity
from apps.memory.items import MemoryItem
from apps.planning.offers import OfferedArea, OfferedPlace


@dataclass(frozen=True, slots=True, kw_only=True)
class Yesterday:
    """The latest day that was planned, as far as the agent remembers it (P3)."""

    date: date
    planned: tuple[PlannedTime, ...]
    memories: tuple[MemoryItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DayOutlineInput:
    """What is known when the day is outlined (P1, P3).

    `wake_minute` is the usual waking hour; `workplace` is "" without one; the numbers of
    chunks do not count the sleep.
    """

    agent_name: str
    summary: AgentSummary
    yesterday: Yesterday | None
    memories: tuple[MemoryItem, ...]
    date: date
    wake_minute: int
    now_minute: int
    bed_minute: int
    dinner_minute: int | None
    home: str
    workplace: str
    places: tuple[OfferedPlace, ...]
    chunks_min: int
    chunks_max: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HourSlot:
    """A piece of about an hour of a chunk; `activity` and `place` are the chunk's."""

    from_minute: int
    to_minute: int
    activity: str
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HourlyPlanInput:
    """What is known when the hours of a day are planned; slot 1 is the first."""

    agent_name: str
    summary: AgentSummary
    memories: tuple[MemoryItem, ...]
    date: date
    slots: tuple[HourSlot, ...]
    places: tuple[OfferedPlace, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionDecided:
    """The agent perceived something and decided to do something else (X2)."""

    observation: str
    activity: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AdoptedThought:
    """An inner voice became the agent's own thought (U2).

    `deed` is an infinitive, "" where there is nothing to do; `minutes_now` says how many
    minutes of it come at once, 0 for later.
    """

    thought: str
    deed: str
    minutes_now: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivitiesAgreed:
    """The agent agreed in a conversation to do something today (R4)."""

    activities: tuple[ScheduledActivity, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UserControlEnded:
    """A user controlled the agent; `activities` are what it did since then, the latest last."""

    since: datetime
    activities: tuple[str, ...]


RevisionReason = ReactionDecided | AdoptedThought | ActivitiesAgreed | UserControlEnded


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisedHoursInput:
    """What is known when the rest of a day is planned again (X2); slot 1 is the first.

    `slots` are the times that are left, each with what was planned for it.
    """

    agent_name: str
    summary: AgentSummary
    memories: tuple[MemoryItem, ...]
    date: date
    now_minute: int
    reasons: tuple[RevisionReason, ...]
    slots: tuple[HourSlot, ...]
    places: tuple[OfferedPlace, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionDetailInput:
    """What is known when an hour is divided into actions (P1).

    `previous` is what the agent has just done, "" if nothing; `done` is what it did of this
    hour before an interruption; both are in progress form ("reading a book"), `activity` is
    the plan's infinitive. `minutes_min` and `minutes_max` bound an action.
    """

    agent_name: str
    summary: AgentSummary
    memories: tuple[MemoryItem, ...]
    date: date
    previous: str
    done: tuple[str, ...]
    activity: str
    place: str
    from_minute: int
    to_minute: int
    minutes_min: int
    minutes_max: int

    @property
    def minutes(self) -> int:
        """How many minutes there are to fill."""
        return self.to_minute - self.from_minute


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaChoiceInput:
    """The actions of an hour and the areas that the agent knows at the hour's place (W2).

    `current_area` is "" outdoors; `default` is the area for an answer that is not offered.
    """

    agent_name: str
    place: str
    current_area: str
    actions: tuple[str, ...]
    areas: tuple[OfferedArea, ...]
    default: str


@dataclass(frozen=True, slots=True)
class PlacedAction:
    """An action in progress form, and the path of the area in which it is done."""

    description: str
    area: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectChoiceInput:
    """The actions of an hour and the objects that the agent knows in their areas (W2)."""

    agent_name: str
    actions: tuple[PlacedAction, ...]
    areas: tuple[OfferedArea, ...]


@dataclass(frozen=True, slots=True)
class ActionOnObject:
    """An action in progress form, and the path of its object, "" for none."""

    description: str
    object: str

    @property
    def object_name(self) -> str:
        """The last part of the object's path."""
        return self.object.rpartition(": ")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class StagingInput:
    """The actions of an hour with their objects (W4, W7)."""

    agent_name: str
    actions: tuple[ActionOnObject, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnThoughtInput:
    """What is known when an agent hears its inner voice (U2).

    `voice` is the user's text, mostly in the second person.
    """

    agent_name: str
    summary: AgentSummary
    now: datetime
    status: AgentStatus
    voice: str
