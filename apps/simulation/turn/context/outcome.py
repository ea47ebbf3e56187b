"""A turn: its context, the events and memories of its steps, and what the agent is about to do.

A step takes the turn as the steps before have left it and returns a new one; none is changed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from apps.agents.acts import NO_ACT, Act
from apps.agents.events import ActionBegan, ActionKind, Tile, TurnedAway, WalkBegan
from apps.agents.summary import AgentSummary
from apps.dialogue.utterances import Talk
from apps.eventlog.event import Event, EventId
from apps.eventlog.store import NewEvent
from apps.memory.events import MemoryOrigin, ScheduledActivity
from apps.memory.formation import DraftedMemory
from apps.planning.commands import Adoption
from apps.planning.events import ActionsPlanned, HoursPlanned, PlannedItem
from apps.planning.inputs import RevisionReason
from apps.planning.revision import ImmediateActivity
from apps.planning.rules import PlanItem, stored_actions
from apps.simulation.embodiment.requested_actions import ActionRequest
from apps.simulation.turn.context.turn_context import TurnContext


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedStep:
    """An action, the area and object where it is performed, and its ticks.

    `with_agents` are the slugs of the other participants. `importance` is that of its
    memory, 0 where it is still to be rated. A step that a user requested (USER_CONTROLLED) is
    not put off: an agent that is turned away from it stays where it is. `hour` is the number
    of the planned hour that it is a part of, 0 for none. `planned_tick` is the tick in which it
    was planned, None for what is decided now.
    """

    kind: ActionKind
    description: str
    emoji: str
    area: str
    from_tick: int
    to_tick: int
    object: str = ""
    object_state: str = ""
    asleep: bool = False
    plan_item: int = 0
    hour: int = 0
    importance: int = 0
    act: Act = NO_ACT
    with_agents: tuple[str, ...] = ()
    planned_tick: int | None = None

    @property
    def is_requested(self) -> bool:
        """Whether a user requested it."""
        return self.kind is ActionKind.USER_CONTROLLED

    @property
    def target(self) -> str:
        """The node to go to: the object, or the area where none is used."""
        return self.object or self.area


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeakTo:
    """The agent is about to open a conversation; `intent` is what it wants to say.

    `words` are said as they are, and `ends` is whether they want no answer; without words the
    model is asked for them. In a conversation that is joined by them `to` is who is to answer,
    "" for `other`. `memories` are those that the words rest on; `besides` are other agents that
    the words are said to. `by_phone` is whether the agent calls the other agent.
    `overtaken` is the planned step that it carries out although the two have talked since it
    was planned, and `since` what that talk was about: the model may then have nothing to say.
    """

    other: str
    intent: str
    cause: str
    words: str = ""
    ends: bool = False
    to: str = ""
    memories: tuple[int, ...] = ()
    besides: tuple[str, ...] = ()
    by_phone: bool = False
    overtaken: PlannedStep | None = None
    since: str = ""


@dataclass(frozen=True, slots=True)
class Silent:
    """The agent was about to speak and has nothing to say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisePlan:
    """The agent is about to plan the rest of its day again, and to begin what comes first."""

    reasons: tuple[RevisionReason, ...]
    first: ImmediateActivity | None = None
    cause: str = ""


@dataclass(frozen=True, slots=True)
class FollowPlan:
    """The agent is about to begin the planned action of this tick.

    `begins` is the hour or action that was planned in this turn to begin now, None for what
    the records have.
    """

    begins: PlannedItem | PlanItem | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Perform:
    """The agent is about to perform a step of its plan."""

    step: PlannedStep
    cause: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkTo:
    """The agent is about to walk to the spot of a step."""

    step: PlannedStep
    spot: Tile
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Performed:
    """The agent has begun what it does in this tick."""


Intention = SpeakTo | Silent | RevisePlan | FollowPlan | Perform | WalkTo | Performed
PERFORMED, SILENT = Performed(), Silent()


@dataclass(frozen=True, slots=True)
class AppliedThought:
    """A thought that the agent has adopted, and the event of the inner voice."""

    adoption: Adoption
    cause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryToForm:
    """A drafted memory, and the event that caused it, "" for none."""

    draft: DraftedMemory
    cause: str


@dataclass(frozen=True, slots=True)
class Repetition:
    """A memory that is repeated instead of formed again, and what caused it, "" for nothing."""

    number: int
    cause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(TurnContext):
    """The context of a turn, and what its steps have brought so far.

    - `has_parted` is whether the agent has ended the conversation that it was in;
    - `intention` is what it is about to do, None while nothing is decided;
    - `summary` is its summary description, None until a step needs it;
    - `thoughts` are those adopted in this turn;
    - `repetitions` are memories that are counted again, each once;
    - `request` is the request of a user that this turn carries out, and `dropped` the one
      that is given up for it.
    """

    has_parted: bool = False
    events: tuple[NewEvent, ...] = ()
    memories: tuple[MemoryToForm, ...] = ()
    intention: Intention | None = None
    repetitions: tuple[Repetition, ...] = ()
    summary: AgentSummary | None = None
    thoughts: tuple[AppliedThought, ...] = ()
    request: ActionRequest | None = None
    dropped: ActionRequest | None = None
    leaves_simulation: bool = False

    @property
    def talk(self) -> Talk | None:
        """The conversation that the agent is in now."""
        return None if self.has_parted else self.view.own_talk

    def actions_ahead(self) -> Sequence[PlanItem]:
        """Return the actions from now on in this hour, those that this turn has planned."""
        planned = [new.event for new in self.events if isinstance(new.event, ActionsPlanned)]
        if not planned:
            return self.records.pending_actions()
        return stored_actions(planned[-1], tick=self.tick)

    @property
    def last_event(self) -> str:
        """The identity of the event that was added last."""
        return str(EventId(self.tick, self.identity.slug, len(self.events) - 1))

    @property
    def next_memory(self) -> int:
        """The number of the next memory."""
        return self.records.next_memory + len(self.memories)

    @property
    def last_memory(self) -> int:
        """The number of the memory that was drafted last."""
        return self.next_memory - 1

    @property
    def refusal(self) -> str:
        """Why the agent could not enter or use a node in this turn, "" if it could."""
        refusals = (new.event for new in self.events if isinstance(new.event, TurnedAway))
        return next((refused.why for refused in refusals), "")

    @property
    def next_plan_item(self) -> int:
        """The number after all plan items, those of this turn included."""
        numbers = [
            item.number
            for new in self.events
            if isinstance(new.event, HoursPlanned | ActionsPlanned)
            for item in new.event.items
        ]
        return max(numbers) + 1 if numbers else self.records.next_plan_item

    @property
    def stays_asleep(self) -> bool:
        """Whether every action that the turn has begun is asleep."""
        begun = (
            new.event for new in self.events if isinstance(new.event, ActionBegan | WalkBegan)
        )
        return all(isinstance(event, ActionBegan) and event.asleep for event in begun)

    def intending(self, intention: Intention) -> "Turn":
        """Return the turn with the intention."""
        return replace(self, intention=intention)

    def record(self, event: Event, *, cause: str = "") -> "Turn":
        """Return the turn with an event and the model calls since the last one."""
        new = NewEvent(event=event, cause=cause, model_calls=self.llm.take_calls())
        return replace(self, events=(*self.events, new))

    def with_memory(  # noqa: PLR0913 (the fields of a memory)
        self,
        description: str,
        *,
        origin: MemoryOrigin,
        cause: str = "",
        subject: str = "",
        importance: int | None = None,
        evidence: Iterable[int] = (),
        scheduled: ScheduledActivity | None = None,
        action: ActionKind | None = None,
        activity: str = "",
        passing_on: str = "",
    ) -> "Turn":
        """Return the turn with a memory, which is formed at its end."""
        draft = DraftedMemory(
            number=self.next_memory,
            kind=origin.kind,
            description=description,
            importance=importance,
            evidence=tuple(evidence),
            subject=subject,
            perceived=origin.is_perceived,
            origin=origin,
            scheduled=scheduled,
            action=action,
            activity=activity,
            passing_on=passing_on,
        )
        return replace(self, memories=(*self.memories, MemoryToForm(draft=draft, cause=cause)))

    def with_repetition(self, number: int, *, cause: str = "") -> "Turn":
        """Return the turn with a repetition of a memory, which is counted once."""
        if any(number == one.number for one in self.repetitions):
            return self
        repeated = Repetition(number, cause)
        return replace(self, repetitions=(*self.repetitions, repeated))
