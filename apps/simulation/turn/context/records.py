"""The records of an agent's own stream that a turn reads, as plain values."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from apps.agents.acts import ActKind, ActOutcome
from apps.agents.events import ActionKind
from apps.dialogue.commitments import (
    Attendance,
    CarriedOut,
    OpenCommitment,
    OpenPromise,
    PassedAgreement,
)
from apps.dialogue.utterances import Spoken
from apps.memory.facts import Fact
from apps.memory.importance_queries import PerceivedImportance
from apps.memory.items import UnratedMemory
from apps.memory.queries import CurrentSummary
from apps.planning.events import PlannedItem
from apps.planning.inputs import EarlierWork, Yesterday
from apps.planning.reuse import KnownHour
from apps.planning.rules import PlanItem
from apps.reaction.events import StateJudged
from apps.reflection.dealings import Dealings

# The latest actions of an hour that the prompt of its new division lists.
DONE_MAX = 8
# An agent that was refused so often gives up.
ATTEMPTS_MAX = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class DoneAction:
    """A planned action that the agent began, its hour, and the hour that this one continues.

    `activity` and `place` are those of the hour; `hour_begins` and `hour_ends` are the ticks
    at which it was planned to begin and to end, and `is_cut` is whether a revision ended it
    earlier. `is_recent` is whether the action was under way in the last hours. `from_tick` and
    `to_tick` are its real times; `importance`, `act` and `with_agents` are as in PlannedAction.
    """

    description: str
    hour: int
    continues: int
    hour_ends: int
    hour_begins: int = 0
    activity: str = ""
    place: str = ""
    is_cut: bool = False
    is_recent: bool = True
    from_tick: int = 0
    to_tick: int = 0
    importance: int = 0
    act: str = ActKind.NONE.value
    with_agents: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionBeforeTalk:
    """The latest action of an agent that is no conversation."""

    activity: str
    kind: ActionKind


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedUse:
    """A node that the agent could not enter or use at the tick, and why."""

    tick: int
    node: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ActedOn:
    """The tick in which the agent last decided to act on a subject, and what it decided."""

    tick: int
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ActReport:
    """The outcome of the act of a planned action, or of a part of it, at the tick."""

    plan_item: int
    outcome: ActOutcome
    area: str
    tick: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """The right to enter a home or private area, granted by the host."""

    node: str
    host: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LetIn:
    """The admission of a visitor: the agent opened the door of the node at the tick."""

    visitor: str
    node: str
    tick: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedConversation:
    """A conversation that is over: its last tick, and the gist that the agent remembers.

    `same_time_days` is the number of the last 14 days on which the same two agents talked at
    this time of day; `said_today` are the agent's own words to the other one in conversations
    that are over, in order, and `told` the news that it has told the other one on any day.
    """

    to_tick: int
    gist: str
    same_time_days: int = 0
    said_today: tuple[str, ...] = ()
    told: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkRecord:
    """A record that gives reason to talk to an agent, with its tick and the content.

    `kind` is a `TalkReason`; `other` is the slug of the agent, "" for any but those of
    `besides`, who know it, the one that it came from first. `passing_on` are the terms on which
    news may be told, `memory` is the number of its memory.
    """

    kind: str
    other: str
    besides: tuple[str, ...]
    tick: int
    text: str
    passing_on: str = ""
    memory: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PutOffTalk:
    """A decision to talk to an agent later, with what it is to be about.

    `other` is the slug of the agent; they have not talked since.
    """

    other: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRecords:
    """The agent's own stream as of the end of the tick before.

    - `next_memory` and `next_plan_item` are the next free numbers;
    - `action` is planned for this tick, None where the plan has none yet; `hours` are the
      planned hours that are not over, in order; `next_actions` are those that follow the action
      in its hour, and `act_reports` belong to these actions and to requests of users;
      `unreported` is the action to which the current one belongs, if its time is over, it
      searches for an agent and has no outcome;
    - `outline` is the plan-day of `hours` in broad strokes, in order: its chunks, from the
      first revision on its hours; without the night and the time that nobody has planned;
    - `done` are the planned actions of the last hours, in order, those of the latest activity
      and, where the actions of an hour are to be planned, those of its activity since waking;
      `before_talk` is the latest action that is no conversation, None without one;
    - `refusals` are those since the planned hour, the planned action or the current action
      began, in order;
    - `admissions` are the agent's rights to enter homes and private areas for a visit;
      `unanswered` are the nodes at whose doors it has lately knocked in vain often enough;
      `let_in` are the visitors that it has lately let in, in order;
    - `decided_at` are the ticks of recent decisions by subject (X3); `talk_records` give
      reason to talk to agents in view, in order; `put_off` are the talks that were left for
      later, in order; `acted_on` are the latest decisions of a day to act on a subject, and
      `judged` the states of objects that the agent has met, in order;
    - `sights_of_hour` are the memories of the last hour of what others did and said;
    - `importance` is that of the rated perceptions since the last reflection (R1);
      `last_reflected` is the tick of that reflection; `last_consolidated` is the tick in which
      a day was last condensed into memories; `unrated` are the memories without an
      importance, in order of number: all of them were formed since that reflection;
    - `facts` are the lasting facts that hold, in order of number, and `next_fact` the next free
      number;
    - `last_talks` are the latest conversations, by agent, of which the agent remembers the
      gist, with the agents that this turn can concern;
    - `overheard` are the utterances that the agent has overheard in conversations of others
      that go on, in order;
    - `commitments` are the agreements that are not over, changed or cancelled; `passed` are
      those whose time has passed since the turn before, with what the agent did and saw then;
    - `carried_out` are agreements for now that a talk has ended, because it carried them out;
    - `promises` are those that are neither kept nor dropped, in order;
    - `known_hours` are read where the actions of an hour are to be planned and may be reused;
    - `yesterday` is read where no hour is planned for this tick;
    - `dealings` with other agents are read where a reflection may be due;
    - `activities_under_control` are read where the control by a user ends.
    """

    next_memory: int = 1
    next_plan_item: int = 1
    action: PlanItem | None = None
    next_actions: tuple[PlanItem, ...] = ()
    act_reports: tuple[ActReport, ...] = ()
    unreported: PlanItem | None = None
    hours: tuple[PlanItem, ...] = ()
    outline: tuple[PlanItem, ...] = ()
    done: tuple[DoneAction, ...] = ()
    before_talk: ActionBeforeTalk | None = None
    refusals: tuple[RefusedUse, ...] = ()
    admissions: tuple[Admission, ...] = ()
    unanswered: frozenset[str] = frozenset()
    let_in: tuple[LetIn, ...] = ()
    decided_at: Mapping[str, int] = field(default_factory=dict)
    talk_records: tuple[TalkRecord, ...] = ()
    put_off: tuple[PutOffTalk, ...] = ()
    acted_on: Mapping[str, ActedOn] = field(default_factory=dict)
    judged: tuple[StateJudged, ...] = ()
    importance: int = 0
    sights_of_hour: int = 0
    unrated: tuple[UnratedMemory, ...] = ()
    last_reflected: int | None = None
    last_consolidated: int | None = None
    summary: CurrentSummary | None = None
    facts: tuple[Fact, ...] = ()
    next_fact: int = 1
    last_talks: Mapping[str, EndedConversation] = field(default_factory=dict)
    overheard: tuple[Spoken, ...] = ()
    commitments: tuple[OpenCommitment, ...] = ()
    passed: tuple[tuple[PassedAgreement, Attendance], ...] = ()
    carried_out: tuple[CarriedOut, ...] = ()
    promises: tuple[OpenPromise, ...] = ()
    known_hours: tuple[KnownHour, ...] = ()
    yesterday: Yesterday | None = None
    activities_under_control: tuple[str, ...] = ()
    dealings: tuple[Dealings, ...] = ()

    @property
    def importance_most(self) -> int:
        """The importance if all that is not rated yet were of the greatest importance."""
        unrated = sum(memory.perceived for memory in self.unrated)
        return PerceivedImportance(self.importance, unrated).most

    def hour_at(self, tick: int) -> PlanItem | None:
        """Return the planned hour that holds the tick."""
        there = [hour for hour in self.hours if hour.from_tick <= tick < hour.to_tick]
        return there[-1] if there else None

    def pending_actions(self) -> list[PlanItem]:
        """Return the actions from now on in this hour, without those whose act is over."""
        over = {one.plan_item for one in self.act_reports if one.outcome.is_over}
        planned = () if self.action is None else (self.action, *self.next_actions)
        return [action for action in planned if action.number not in over]

    def searched_for(self, plan_item: int, *, since_tick: int) -> frozenset[str]:
        """Return the areas in which the agent of the act was not found since the tick."""
        return frozenset(
            one.area
            for one in self.act_reports
            if one.plan_item == plan_item and one.tick >= since_tick
        )

    def done_of(self, hour: PlanItem | PlannedItem) -> tuple[str, ...]:
        """Return what the agent has done of the hour so far, the latest last.

        An hour that a revision has put in the place of the rest of another one has what was
        done in that one, if that had the same activity.
        """
        done = (
            action.description
            for action in self.done
            if action.is_recent and _is_part_of(action, hour)
        )
        return tuple(dict.fromkeys(done))[-DONE_MAX:]

    def begun_tick(self, hour: PlanItem | PlannedItem) -> int:
        """Return the tick at which the activity of the hour began."""
        begun = (action.hour_begins for action in self.done if _is_part_of(action, hour))
        return min((hour.from_tick, *begun))

    def done_before(self, hour: PlanItem | PlannedItem) -> tuple[EarlierWork, ...]:
        """Return what was done before the hour and that it may go on with, the latest last.

        It is that of earlier hours with the same activity. Of the hour before, if a revision
        cut it short at the same place and it was not resumed, it is the last action; so it is
        of an hour with another activity that this one has replaced.
        """
        of_hour, resumed = set(self.done_of(hour)), {action.continues for action in self.done}
        earlier: dict[str, EarlierWork] = {}
        for action in self.done:
            is_same = action.activity.casefold() == hour.description.casefold()
            is_broken_off = action.hour not in resumed and (
                action.hour_ends > hour.from_tick
                or (
                    action.is_cut
                    and (action.hour_ends, action.place) == (hour.from_tick, hour.place)
                )
            )
            if action.description in of_hour:
                continue
            if is_same:
                earlier[action.description] = EarlierWork(action=action.description)
            elif is_broken_off:
                earlier[""] = EarlierWork(action=action.description, broken_off=action.activity)
        return tuple(earlier.values())[-DONE_MAX:]

    def times_refused(self, node: str, *, since_tick: int) -> int:
        """Return how often the agent could not enter or use the node since the tick."""
        counts = Counter(one.node for one in self.refusals if one.tick >= since_tick)
        return counts[node]

    def given_up_at(self, tick: int) -> frozenset[str]:
        """Return the nodes for which the agent waited in vain in the hour of the tick."""
        hour = self.hour_at(tick)
        if hour is None:
            return frozenset()
        counts = Counter(one.node for one in self.refusals if one.tick >= hour.from_tick)
        return frozenset(node for node, count in counts.items() if count >= ATTEMPTS_MAX)

    def refused_at(self, tick: int) -> RefusedUse | None:
        """Return the first refusal of the tick."""
        return next((one for one in self.refusals if one.tick == tick), None)


def _is_part_of(action: DoneAction, hour: PlanItem | PlannedItem) -> bool:
    """Return whether the action was a part of the hour, or of one that this one continues."""
    is_same = action.activity.casefold() == hour.description.casefold()
    return (
        action.hour == hour.number
        or (is_same and action.hour_ends > hour.from_tick)
        or bool(hour.continues and hour.continues in {action.hour, action.continues})
    )
