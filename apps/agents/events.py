"""Events of agents and objects."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from apps.agents.acts import ActKind, ActOutcome
from apps.eventlog.event import CommandEvent, Event

Tile = tuple[int, int]


class ActionKind(StrEnum):
    """The reason for an action."""

    PLANNED = "planned"
    SLEEPING = "sleeping"
    WALKING = "walking"
    TALKING = "talking"
    WAITING = "waiting"  # for an area or object that is closed or taken
    PASSING_TIME = "passing-time"  # the planned action is not possible
    USER_CONTROLLED = "user-controlled"  # requested by a user
    KNOCKING = "knocking"  # at the door of a home or of a private area
    IDLE = "idle"  # under control of a user without a request


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentJoined(Event):
    """An agent joined the simulation, with its identity, tile and known nodes.

    `description` is the semicolon-delimited paragraph of seed memories (U5); times are
    minutes after midnight, and `sleep_minute` may exceed 1,440. `home` and `bed` are "" for
    visitors.
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
    """An agent began an action on its tile, which ends the previous one.

    `description` follows "<name> is"; `object` is the path of the used object, "" without
    one; `object_state` is its state during the use (W4); `until_tick` is the first tick after
    the action; `plan_item` is the number of its plan item, 0 without one. Using an object is
    an attempt: see `apps.agents.sharing`. `act` is the kind of its act and `other` the slug of
    the agent that the act names, "" for none. `activity` is that of the planned hour that it
    is a part of ("serve customers"), "" for none.
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
    act: ActKind = ActKind.NONE
    other: str = ""
    activity: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActReported(Event):
    """An act of an agent has ended, or the agent it names is not in an area.

    `other` is a slug, "" for none; `area` is where the agent was, "" outdoors; `plan_item` is
    the number of the action, 0 without one.
    """

    type: ClassVar[str] = "agents.act-reported.v1"
    kind: ActKind
    other: str
    outcome: ActOutcome
    area: str
    plan_item: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectStateLeft(Event):
    """An agent left an object in a state, which holds after the action.

    It holds like one that a user has set, until an agent that has reacted to it acts on it.
    """

    type: ClassVar[str] = "agents.object-state-left.v1"
    object: str
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkBegan(Event):
    """An agent began to walk: one step a tick, the first in the tick of the event.

    The current tile is not among the steps. `towards` is the path of the destination;
    `leaves` is the path of an area with a capacity that the first step leaves, "" without
    one. A walk ends before a door with a norm and is continued by a later event.
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
    """An agent at the door of an area with a capacity tried to enter it (W5).

    The result is known in the next tick; `towards` is the path of the destination.
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
class DoorKnocked(Event):
    """An agent knocked at the door of a home or private area that it may not enter (W5).

    `node` is the path of the place or area; `until_tick` is the first tick after the wait for
    somebody to open.
    """

    type: ClassVar[str] = "agents.door-knocked.v1"
    tile: Tile
    node: str
    description: str
    emoji: str
    until_tick: int
    plan_item: int
    kind: ActionKind = ActionKind.KNOCKING


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorOpened(Event):
    """A resident of the home or private area opened the door to an agent that knocked (W5).

    `node` is the path of the place or area, `visitor` the slug of the agent that knocked.
    """

    type: ClassVar[str] = "agents.door-opened.v1"
    node: str
    visitor: str


class AdmissionReason(StrEnum):
    """Why an agent may enter a home or private area in which it does not live."""

    INVITED = "invited"  # it agreed with a resident to be there now
    ACCOMPANIED = "accompanied"  # it goes there with a resident
    LET_IN = "let-in"  # a resident opened the door


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionGranted(Event):
    """An agent got the right to enter a home or private area for a visit (W5).

    `node` is the path of the place or area, `host` the slug of the resident.
    """

    type: ClassVar[str] = "agents.admission-granted.v1"
    node: str
    host: str
    reason: AdmissionReason


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionEnded(Event):
    """The right of an agent to enter a home or private area ended: it goes elsewhere."""

    type: ClassVar[str] = "agents.admission-ended.v1"
    node: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnedAway(Event):
    """An agent perceived that it cannot enter the area or use the object."""

    type: ClassVar[str] = "agents.turned-away.v1"
    node: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """An agent or object in view, with its area.

    `subject` is a slug or a path; the description is a sentence for an agent ("Klaus Mueller
    is reading") and a state for an object ("brewing coffee").
    """

    subject: str
    description: str
    area: str
    is_object: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed(Event):
    """An agent noticed new or changed sights (W6, X3); it knows the noticed objects (W3)."""

    type: ClassVar[str] = "agents.noticed.v1"
    sights: tuple[Sight, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacesLearnt(Event):
    """An agent learnt of nodes of the world (W3)."""

    type: ClassVar[str] = "agents.places-learnt.v1"
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentLeft(Event):
    """An agent left the simulation; its memories remain (U9)."""

    type: ClassVar[str] = "agents.left.v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentReturned(Event):
    """An agent returned to the simulation as the same agent (U4)."""

    type: ClassVar[str] = "agents.returned.v1"
    tile: Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectStateSet(CommandEvent):
    """A user overrode the state of an object, regardless of its use (U3).

    `object` is a path. An alarming state wakes sleepers and interrupts conversations.
    """

    type: ClassVar[str] = "agents.object-state-set.v1"
    object: str
    state: str
    is_alarming: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectRighted(Event):
    """An agent acted on the set state of an object, which is idle again.

    `since` is the id of the event that set the state.
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
    DoorKnocked,
    DoorOpened,
    AdmissionGranted,
    AdmissionEnded,
    TurnedAway,
    Noticed,
    PlacesLearnt,
    ActReported,
    ObjectStateLeft,
)
