"""Days of a world's people as the rule-based model plans them, without a database.

The people do not meet, and their descriptions are all that they act on. The days show which
phrases and objects of a world the rule-based model can use (W8).
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import zip_longest

from apps.agents.status import Deed, PlannedTime
from apps.agents.summary import AgentSummary, Hours, Identity
from apps.kernel.game_time import GameCalendar
from apps.llm.calls.agent_llm import AgentLLM
from apps.llm.task import Answer, Inputs, LLMTask
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.items import MemoryItem
from apps.planning.actions import HourSoFar, plan_actions
from apps.planning.commands import DayPlan, plan_day
from apps.planning.context import PlanningContext
from apps.planning.events import PlannedAction, PlannedItem
from apps.planning.inputs import Surroundings, Yesterday
from apps.planning.queries import planned_times
from apps.rule_model.model import Chance, TaskRules
from apps.simulation.settings import SimulationSettings
from apps.world.tree import WorldTree
from apps.world.world import Person

IMPORTANCE = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class RehearsedAction:
    """A planned action with its hour; minutes count from the midnight of the day."""

    day: date
    from_minute: int
    to_minute: int
    action: PlannedAction
    hour: PlannedItem


class RuleAnswers(AgentLLM):
    """Answers LLM tasks by rules; prints no prompts and records nothing."""

    def __init__(self, rules: TaskRules, *, seed: int, stream: str) -> None:
        self._rules = rules
        self._seed = seed
        self._asked: Counter[str] = Counter()
        self.stream = stream

    def ask(self, task: LLMTask[Inputs, Answer], inputs: Inputs) -> Answer:
        """Return the answer of the task's rule."""
        self._asked[task.name] += 1
        call_id = f"{self.stream}/{self._asked[task.name]}"
        answer: Answer = self._rules[task.name](inputs, Chance(self._seed, task.name, call_id))
        return answer


def rehearse(
    tree: WorldTree, person: Person, days: Iterable[date], rules: TaskRules, *, seed: int = 1
) -> Iterator[RehearsedAction]:
    """Yield the actions that the rules plan for the person on the days, in order of time.

    There is at least one day.
    """
    llm = RuleAnswers(rules, seed=seed, stream=person.slug)
    days = sorted(days)
    start = datetime.combine(days[0], time())
    settings = SimulationSettings()
    calendar = GameCalendar(start=start, tick_seconds=settings.tick_seconds)
    context = PlanningContext(
        identity=_identity(person),
        summary=AgentSummary(name=person.name, age=person.age, traits=person.traits),
        memories=seed_memories(person, start),
        known=frozenset(person.knows),
        tree=tree,
        calendar=calendar,
        settings=settings.planning,
    )
    yesterday = None
    for day in days:
        midnight = datetime.combine(day, time())
        waking = calendar.tick_at(midnight + timedelta(minutes=person.hours.wake))
        plan = plan_day(llm, context, now_tick=waking, yesterday=yesterday, next_number=1)
        yield from _actions(llm, context, plan, day)
        chunks = [one for one in plan.outlined.items if not one.asleep]
        yesterday = Yesterday(
            date=day, performed=tuple(map(done_as, planned_times(chunks, calendar))), talks=()
        )


def done_as(planned: PlannedTime) -> Deed:
    """Return the planned time as one that took place, in the words of the plan."""
    return Deed(
        starts=planned.starts,
        ends=planned.ends,
        actions=(planned.activity,),
        activity=planned.activity,
        place=planned.place,
        is_asleep=planned.is_asleep,
    )


def seed_memories(person: Person, formed_at: datetime) -> tuple[MemoryItem, ...]:
    """Return the phrases of the description as memories."""
    return tuple(
        MemoryItem(
            number=number,
            kind=MemoryKind.OBSERVATION,
            origin=MemoryOrigin.DESCRIPTION,
            description=phrase,
            importance=IMPORTANCE,
            formed_at=formed_at,
        )
        for number, phrase in enumerate(person.seeds, start=1)
    )


def _actions(
    llm: AgentLLM, context: PlanningContext, plan: DayPlan, day: date
) -> Iterator[RehearsedAction]:
    before, area = "", context.identity.home
    for hour, after in zip_longest(plan.hours.items, plan.hours.items[1:]):
        so_far = HourSoFar(
            previous=before,
            next_activity="" if after is None else after.description,
            surroundings=Surroundings(current_area=area),
        )
        planned = plan_actions(
            llm,
            context,
            hour=hour,
            now_tick=hour.from_tick,
            so_far=so_far,
            next_number=1,
        )
        for action in planned.items:
            yield RehearsedAction(
                day=day,
                from_minute=context.minute(action.from_tick, day.isoformat()),
                to_minute=context.minute(action.to_tick, day.isoformat()),
                action=action,
                hour=hour,
            )
        before, area = planned.items[-1].description, planned.items[-1].area


def _identity(person: Person) -> Identity:
    hours = person.hours
    return Identity(
        slug=person.slug,
        name=person.name,
        age=person.age,
        traits=person.traits,
        hours=Hours(wake=hours.wake, sleep=hours.sleep, dinner=hours.dinner),
        home=person.home,
        bed=person.bed,
        workplace=person.workplace,
    )
