"""The Lins at home: what they do in one hour, and what they say, is scripted."""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.agents.acts import ActOutcome
from apps.agents.events import ActionBegan, ActReported
from apps.dialogue.events import Said
from apps.dialogue.inputs import TakeawaysInput, UtteranceInput
from apps.dialogue.llm_tasks import TAKEAWAYS, UTTERANCE
from apps.dialogue.llm_tasks.takeaways import Learnt, Takeaways, only_that_they_talked
from apps.dialogue.llm_tasks.utterance import Utterance
from apps.memory.events import MemoryFormed
from apps.planning.inputs import HourActionsInput, HourlyPlanInput
from apps.planning.llm_tasks.hour_actions import (
    HOUR_ACTIONS,
    ActWithAgent,
    HourAction,
    HourActions,
    in_turn,
)
from apps.planning.llm_tasks.hourly_plan import HOURLY_PLAN, HourlyPlan, hours_as_planned
from apps.reaction.inputs import DecisionInput
from apps.reaction.llm_tasks import DECISION, Decision, go_on
from apps.rule_model.model import Chance, TaskRule
from apps.simulation.engine.in_process import RunOptions
from apps.simulation.models import SimulationRow
from tests.support.rules import TASK_RULES
from tests.support.towns import ONE_BY_ONE, answering, found, happened, live

JOHN, MEI, EDDY = "John Lin", "Mei Lin", "Eddy Lin"
LINS = (JOHN, MEI, EDDY)
FIRST_DAY = "2023-02-13"
HOME = "Lin family's house"
TABLE = "common room: dining table"
BEDROOM = "Mei and John Lin's bedroom"

TimedAction = tuple[HourAction, int]
Script = Mapping[str, Sequence[TimedAction]]
# Speaker, words, the name of the one who is to answer, and whether the speaker leaves.
Dialogue = Sequence[tuple[str, str, str, bool]]


def action(
    description: str,
    minutes: int,
    *,
    where: str = TABLE,
    act: tuple[str, str, str] | None = None,
    state: str = "in use",
    with_agents: tuple[str, ...] = (),
) -> TimedAction:
    """Return an action at an object and its minutes; `act` is kind, agent, what it is about."""
    acted = HourAction(
        description=description,
        starts="00:00",
        area=where.partition(": ")[0],
        object=where if ": " in where else "none",
        object_state=state if ": " in where else "",
        emoji="🙂",
        importance=2,
        with_agents=with_agents,
        act=None if act is None else ActWithAgent(kind=act[0], agent=act[1], about=act[2]),
    )
    return acted, minutes


READING = action("reading", 60, where=f"{BEDROOM}: desk")
UPSTAIRS = action("listening to music", 60, where="Eddy Lin's bedroom: desk")


def lived(
    script: Script,
    words: Mapping[str, str] | None = None,
    *,
    manner: RunOptions = ONE_BY_ONE,
    dialogue: Dialogue = (),
    places: Mapping[str, str] | None = None,
    hour: int = 7,
    later: Script | None = None,
    until: str = "",
    agents: Sequence[str] = LINS,
    rules: Mapping[str, TaskRule] | None = None,
    settings: dict[str, Any] | None = None,
) -> SimulationRow:
    """Run the Lins until the end of the scripted hours; an agent without words says goodbye.

    The lines of a `dialogue` are said in their order, by any agent; then there is silence. An
    agent that has no place in `places` stays at home on the first day. `later` is the script of
    the next hour, `rules` answer other tasks or in another way.
    """
    scripts = {hour: script, hour + 1: later or {}}

    def at_home(inputs: HourlyPlanInput, chance: Chance) -> HourlyPlan:
        plan = hours_as_planned(inputs)
        place = (places or {}).get(inputs.agent_name, HOME)
        if inputs.date.isoformat() != FIRST_DAY:
            answer = TASK_RULES[HOURLY_PLAN.name](inputs, chance)
            assert isinstance(answer, HourlyPlan)
            return answer
        hours = [hour.model_copy(update={"place": place}) for hour in plan.hours]
        return HourlyPlan(hours=hours)

    def acting(inputs: HourActionsInput, chance: Chance) -> HourActions:
        is_first_day = inputs.date.isoformat() == FIRST_DAY
        scripted = scripts.get(inputs.from_minute // 60, {}) if is_first_day else {}
        actions = scripted.get(inputs.agent_name, ())
        if actions and not {one.description for one, _ in actions} & {*inputs.done}:
            return in_turn(inputs, actions)
        answer = TASK_RULES[HOUR_ACTIONS.name](inputs, chance)
        assert isinstance(answer, HourActions)
        return answer

    answers: dict[str, TaskRule] = {
        HOURLY_PLAN.name: at_home,
        HOUR_ACTIONS.name: acting,
        UTTERANCE.name: _speaking(words or {}, dialogue),
        TAKEAWAYS.name: _learning,
        DECISION.name: _going_on,
        **(rules or {}),
    }
    row = found(agents=tuple(agents), settings=settings)
    until = until or f"{FIRST_DAY}T{max(one for one in scripts if scripts[one]) + 1:02}:00"
    return live(row, until, manner, ports=answering(answers))


def _speaking(words: Mapping[str, str], dialogue: Dialogue) -> TaskRule:
    """Return the rule for utterances."""

    def speaking(inputs: UtteranceInput, _: Chance) -> Utterance:
        if dialogue and len(inputs.lines) >= len(dialogue):
            return Utterance(utterance="", ends=False)
        if dialogue:
            _speaker, text, to, leaves = dialogue[len(inputs.lines)]
            return Utterance(utterance=text, to=to, ends=leaves, leaves=leaves)
        text = words.get(inputs.agent_name, "See you.")
        return Utterance(utterance=text, ends=bool(inputs.lines))

    return speaking


def _learning(inputs: TakeawaysInput, _: Chance) -> Takeaways:
    told = (
        Learnt(sentence=f"{line.speaker} said: {line.text}", line=number)
        for number, line in enumerate(inputs.lines, start=1)
        if line.speaker != inputs.agent_name
    )
    return only_that_they_talked(inputs).model_copy(update={"learnt": tuple(told)})


def _going_on(inputs: DecisionInput, _: Chance) -> Decision:
    return go_on(inputs)


def said(row: SimulationRow) -> list[tuple[str, str, str]]:
    """Return speaker, addressee and words of all utterances."""
    return [(one.stream, one.event.to, one.event.text) for one in happened(row, Said)]


def outcomes(row: SimulationRow, agent: str) -> list[ActOutcome]:
    """Return the outcomes of the acts of an agent, in order."""
    return [one.event.outcome for one in happened(row, ActReported) if one.stream == agent]


def remembers(row: SimulationRow, agent: str, words: str) -> bool:
    """Return whether a memory of the agent contains the words."""
    formed = (one for one in happened(row, MemoryFormed) if one.stream == agent)
    return any(words in one.event.description for one in formed)


def began(row: SimulationRow, agent: str, doing: str) -> bool:
    """Return whether the agent began an action in these words."""
    actions = (one for one in happened(row, ActionBegan) if one.stream == agent)
    return any(doing == one.event.description for one in actions)


def tick_of(clock: str) -> int:
    """Return the tick of a clock time of the first day."""
    hour, minute = map(int, clock.split(":"))
    return (hour * 60 + minute) * 6
