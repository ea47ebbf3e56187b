"""Typed inputs of the LLM tasks of planning. Only the tasks print English.

Minutes count from the midnight of the date of the plan and may exceed 1,440. Paths are node
paths in words. Memories are in the order of the ranking, best first.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta

from apps.agents.status import AgentStatus, Agreement, Deed, PlannedTime, PromiseToTell
from apps.agents.summary import AgentSummary
from apps.memory.events import ScheduledActivity
from apps.memory.items import MemoryItem
from apps.planning.surroundings import AreaOption, PlaceOption


@dataclass(frozen=True, slots=True, kw_only=True)
class PastTalk:
    """A conversation that is over: its end, the full name of the other agent, and its gist."""

    ended: datetime
    other: str
    gist: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Yesterday:
    """What happened on the latest planned day: what was done, and conversations (P3).

    `kept` are the memories into which the day was condensed; with them the conversations are
    not printed.
    """

    date: date
    performed: tuple[Deed, ...]
    talks: tuple[PastTalk, ...]
    kept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IntendedTalk:
    """A talk that was put off: the full name of the other agent, and what it is about.

    `what` is an infinitive without "to".
    """

    other: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierWork:
    """A past action, in progress form, that an hour may go on with.

    `broken_off` is the activity that it was a part of if this was broken off, "" if it is the
    activity of the hour.
    """

    action: str
    broken_off: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanInput:
    """The part that the inputs of outlines, hours and actions have in common.

    `agreements` are all that are open, in order of time, those of other days included;
    `promises` are the open ones to pass something on; `outline` is the plan of the day in broad
    strokes, empty before it is made; `put_off` are the talks that were left for later.
    """

    agent_name: str
    summary: AgentSummary
    memories: tuple[MemoryItem, ...]
    date: date
    agreements: tuple[Agreement, ...] = ()
    promises: tuple[PromiseToTell, ...] = ()
    outline: tuple[PlannedTime, ...] = ()
    put_off: tuple[IntendedTalk, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DayOutlineInput(PlanInput):
    """The input of the outline of a day (P1, P3).

    `wake_minute` is the usual waking hour; `workplace` is "" without one. From `chunks_min`
    to `chunks_max` chunks are asked for, the sleep not counted; more are accepted.
    """

    yesterday: Yesterday | None
    wake_minute: int
    now_minute: int
    bed_minute: int
    dinner_minute: int | None
    home: str
    workplace: str
    places: tuple[PlaceOption, ...]
    chunks_min: int
    chunks_max: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HourSlot:
    """A time of about an hour, with the activity and place planned for it so far."""

    from_minute: int
    to_minute: int
    activity: str
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HourlyPlanInput(PlanInput):
    """The input of the hours of a day; slot 1 is the first."""

    slots: tuple[HourSlot, ...]
    places: tuple[PlaceOption, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionReason:
    """The agent decided to react to an observation (X2)."""

    observation: str
    activity: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AdoptedThought:
    """An inner voice became the agent's own thought (U2).

    `deed` is the decided activity, an infinitive, "" without one; `minutes_now` is its
    immediate part in minutes, 0 for later.
    """

    thought: str
    deed: str
    minutes_now: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivitiesAgreed:
    """The agent agreed in a conversation to activities of today (R4)."""

    activities: tuple[ScheduledActivity, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UserControlEnded:
    """A user controlled the agent; `activities` are its actions since then, the latest last."""

    since: datetime
    activities: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveTaken:
    """The agent said to another one, of this full name, that it leaves; no plan led it away."""

    other: str


RevisionReason = (
    ReactionReason | AdoptedThought | ActivitiesAgreed | UserControlEnded | LeaveTaken
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisedHoursInput(PlanInput):
    """The input of a revision of the rest of a day (X2); slot 1 is the first.

    The slots end at bedtime; `wake_minute` is the end of the sleep, None where none follows.
    `here` is where the agent is, in words; `status` is what it really does.
    """

    now_minute: int
    reasons: tuple[RevisionReason, ...]
    slots: tuple[HourSlot, ...]
    places: tuple[PlaceOption, ...]
    wake_minute: int | None = None
    here: str = ""
    status: AgentStatus | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectState:
    """The state in which the agent last saw an object that was not idle then."""

    path: str
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownAgent:
    """An agent that another one knows; `seen_at` and `seen_in` are where it last saw it.

    `is_here` is whether it is in view, `activity` its visible activity in progress form, and
    `is_asleep` whether it is seen asleep.
    `let_in_at` is when the agent opened its door to it and has not seen it since, None if not;
    `shares_home` is whether it lives in the home of the agent.
    `seen_at` is None and `seen_in` "" if it has not seen it; `seen_in` is also "" outdoors.
    """

    slug: str
    name: str
    seen_at: datetime | None = None
    seen_in: str = ""
    is_here: bool = False
    is_asleep: bool = False
    activity: str = ""
    let_in_at: datetime | None = None
    shares_home: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The situation in which an hour begins, as far as the agent sees it.

    `current_area` and `current_place` are "" outdoors; `states` are of objects that are not
    idle; `agents` are the known agents, those in view first; `phones` is whether these can be
    phoned.
    """

    current_area: str = ""
    current_place: str = ""
    states: tuple[ObjectState, ...] = ()
    agents: tuple[KnownAgent, ...] = ()
    phones: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HourActionsInput(PlanInput):
    """The input of the actions of an hour (P1, W2).

    `previous` is the previous action, "" without one; `done` are the actions of this hour
    before now; both are in progress form ("reading a book"); `done_before` is what it may go
    on with, `performed` what was done of the day so far. `activity` and `next_activity`
    are infinitives of the plan, the second is "" without a next hour. `areas` are those of the
    place with their objects; `default_area` is the area of the fallback.

    The agent sets out `walk_minutes` before `from_minute`, when it is at the place. `walks` are
    minutes on foot by the paths of two areas, 0 where none are given; the first is also the
    current area, "" outdoors. `keepers` are the full names of the keepers of the place;
    `is_home` is whether it is the home of the agent.
    """

    previous: str
    done: tuple[str, ...]
    activity: str
    place: str
    next_activity: str
    from_minute: int
    to_minute: int
    minutes_min: int
    minutes_max: int
    areas: tuple[AreaOption, ...]
    default_area: str
    surroundings: Surroundings = field(default_factory=Surroundings)
    walk_minutes: int = 0
    walks: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    done_before: tuple[EarlierWork, ...] = ()
    performed: tuple[Deed, ...] = ()
    keepers: tuple[str, ...] = ()
    is_home: bool = False

    @property
    def is_at_place(self) -> bool:
        """Whether the agent is already in the place of the hour."""
        here = self.surroundings.current_place
        return bool(here) and any(area.path.startswith(f"{here}: ") for area in self.areas)

    @property
    def present(self) -> tuple[KnownAgent, ...]:
        """The agents in view in the place of the hour that are awake."""
        agents = self.surroundings.agents if self.is_at_place else ()
        return tuple(one for one in agents if one.is_here and not one.is_asleep)

    @property
    def company(self) -> tuple[str, ...]:
        """The full names of the known agents that are at the place of the hour, or due there.

        Due are those whom an agreement for this time or the plan of the hour names, and in the
        home its residents and the guests that were let in.
        """
        agreed = {
            name
            for one in self.agreements
            if one.starts < self.ends and one.ends > self.begins
            for name in one.others
        }
        return tuple(
            agent.name
            for agent in self.surroundings.agents
            if agent in self.present
            or agent.name in agreed
            or agent.name in self.activity
            or (self.is_home and (agent.shares_home or agent.let_in_at is not None))
        )

    @property
    def begins(self) -> datetime:
        """The game time at which the hour begins at its place."""
        return self._midnight + timedelta(minutes=self.from_minute)

    @property
    def ends(self) -> datetime:
        """The game time at which the hour ends."""
        return self._midnight + timedelta(minutes=self.to_minute)

    @property
    def _midnight(self) -> datetime:
        return datetime.combine(self.date, time.min)

    @property
    def minutes(self) -> int:
        """The minutes of the hour at its place."""
        return self.to_minute - self.from_minute

    @property
    def objects(self) -> tuple[str, ...]:
        """The keys of all objects on offer, each with its area: "kitchen: stove"."""
        return tuple(f"{area.name}: {name}" for area in self.areas for name in area.objects)

    def area_of(self, key: str) -> AreaOption | None:
        """Return the area of the key, which is its name; None if it is not on offer."""
        return next((area for area in self.areas if area.name == key), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnThoughtInput:
    """The input of the thought after an inner voice (U2).

    `voice` is the text of the user, mostly in the second person; `known_places` are the paths
    of known places and areas; `agreements` are as in PlanInput.
    """

    agent_name: str
    summary: AgentSummary
    now: datetime
    status: AgentStatus
    voice: str
    known_places: tuple[str, ...] = ()
    agreements: tuple[Agreement, ...] = ()
