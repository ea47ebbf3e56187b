"""What agents and objects do: joining, walking, acting, noticing, states that are set."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from apps.eventlog.event import CommandEvent, Event

Tile = tuple[int, int]


class ActionKind(StrEnum):
    """Why an agent does what it does. Actions on older logs are all PLANNED."""

    PLANNED = "planned"
    SLEEPING = "sleeping"
    WALKING = "walking"
    TALKING = "talking"
    WAITING = "waiting"  # for a place to open, or for a place or object that is taken
    PASSING_TIME = "passing-time"  # what was planned cannot be done
    USER_CONTROLLED = "user-controlled"  # a user asked for it
    IDLE = "idle"  # under control of a user who has asked for nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentJoined(Event):
    """A person came to be in the town: identity, place, and the places they know at first.

    `description` is the semicolon-delimited paragraph whose phrases become seed memories
    (U5); hours are minutes after midnight, `sleep_minute` may lie past 1,440. A visitor has
    neither home nor bed: both are "".
    """

    type: ClassVar[str] = "agents.joined.v1"
    name: str
    age: int
    traits: tuple[str, ...]
    wake_minute: int
    sleep_minute: int
    dinner_minute: int | None
    home: str
    bed: str
    workplace: str | None
    description: str
    tile: Tile
    knows: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionBegan(Event):
    """A person began to do something where they stand; whatever they did before is over.

    `description` follows "<name> is"; `object` is the path of what is used, "" when nothing
    is; `object_state` is what becomes of it meanwhile (W4); `until_tick` is the first tick
    at which the action is over; `plan_item` is the number of the plan item acted out, 0
    when there is none. Using an object is an attempt: see `apps.agents.sharing`.
    """

    type: ClassVar[str] = "agents.action-began.v1"
    description: str
    emoji: str
    tile: Tile
    area: str
    object: str
    object_state: str
    asleep: bool
    until_tick: int
    plan_item: int
    kind: ActionKind = ActionKind.PLANNED


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkBegan(Event):
    """A person set out: one step a tick, the first of them in the tick of the event.

    The tile stood on is not among the steps. `towards` is the path of the area or object
    walked to; `leaves` is the path of an area that holds few and is left by the first step,
    "" when there is none. A path that meets a door with a norm ends before it and goes on
    in a later event.
    """

    type: ClassVar[str] = "agents.walk-began.v1"
    steps: tuple[Tile, ...]
    towards: str
    leaves: str
    description: str
    emoji: str
    plan_item: int
    kind: ActionKind = ActionKind.PLANNED


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryTried(Event):
    """A person at the door of an area that holds few tried to be let in (W5).

    Whether they were is seen in the next tick; `towards` is where they want to go from there.
    """

    type: ClassVar[str] = "agents.entry-tried.v1"
    tile: Tile
    area: str
    towards: str
    description: str
    emoji: str
    plan_item: int
    kind: ActionKind = ActionKind.PLANNED


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnedAway(Event):
    """A person perceived that they could not enter the area or use the object, and why."""

    type: ClassVar[str] = "agents.turned-away.v1"
    node: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """One thing in view: who or what, doing or being what, in which area.

    `subject` is a person's slug or an object's path; the description is a whole sentence
    for a person ("Klaus Mueller is reading") and a state for an object ("brewing coffee").
    """

    subject: str
    description: str
    area: str
    is_object: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed(Event):
    """A person noticed what was new or had changed (W6, X3).

    What is noticed of an object is also what the person knows of it from then on (W3).
    """

    type: ClassVar[str] = "agents.noticed.v1"
    sights: tuple[Sight, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacesLearnt(Event):
    """A person came to know nodes of the world that they had not known (W3)."""

    type: ClassVar[str] = "agents.places-learnt.v1"
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentLeft(Event):
    """A person left town; what they were and remember stays (U9)."""

    type: ClassVar[str] = "agents.left.v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentReturned(Event):
    """A person who had left town came back to it: the same person to everybody (U4)."""

    type: ClassVar[str] = "agents.returned.v1"
    tile: Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectStateSet(CommandEvent):
    """A user overrode an object's state in words, whatever use is made of it (U3).

    `object` is its path. An alarming state wakes sleepers and interrupts conversations;
    None in events that are older than this field.
    """

    type: ClassVar[str] = "agents.object-state-set.v1"
    object: str
    state: str
    is_alarming: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectRighted(Event):
    """A person has done what they meant to do about an object's state: it is idle again.

    `since` is the identity of the event that had set the state.
    """

    type: ClassVar[str] = "agents.object-righted.v1"
    object: str
    since: str


EVENTS = (
    ObjectStateSet,
    ObjectRighted,
    AgentJoined,
    AgentLeft,
    AgentReturned,
    ActionBegan,
    WalkBegan,
    EntryTried,
    TurnedAway,
    Noticed,
    PlacesLearnt,
)
