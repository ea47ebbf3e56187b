"""The report of an act: its outcome, and the memory of what was not as intended."""

from apps.agents.acts import ActKind, ActOutcome
from apps.agents.events import ActReported
from apps.kernel.language import phrase
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.simulation.turn.context.outcome import Perform, TurnOutcome, record
from apps.simulation.turn.context.planned_step import PlannedStep
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.perceive.relationships import own_place
from apps.simulation.turn.perceive.situation import name_known
from apps.simulation.turn.remember.conversation_memories import no_answer_text
from apps.simulation.turn.remember.repetitions import remember_or_count

ABSENCE_IMPORTANCE = 3


def report_act(
    context: TurnContext, outcome: TurnOutcome, step: PlannedStep, act_outcome: ActOutcome
) -> TurnOutcome:
    """Record the outcome of the act, and remember what was not as intended."""
    cause = cause_of_intention(outcome)
    report = ActReported(
        kind=step.act.kind,
        other=step.act.other,
        outcome=act_outcome,
        area=context.area,
        plan_item=step.plan_item,
    )
    outcome = record(context, outcome, report, cause=cause)
    other = step.act.other
    name = name_known(context, other) or phrase("anybody")
    match act_outcome:
        case _ if act_outcome is ActOutcome.NOT_HERE or step.act.kind is ActKind.TOGETHER:
            memory = phrase("{name} is not in {place}", name=name, place=own_place(context))
        case ActOutcome.NOT_FOUND:
            memory = phrase(
                "{name} did not find {other}", name=context.identity.name, other=name
            )
            if step.act.kind is ActKind.WAIT_FOR:
                memory = phrase("{name} has not come", name=name)
        case ActOutcome.ASLEEP:
            memory = phrase("{name} is asleep", name=name)
        case ActOutcome.NO_ANSWER:
            memory = no_answer_text(name)
        case ActOutcome.BUSY:
            memory = phrase("{name} had no time to talk", name=name)
        case _:
            return outcome
    return _remember(context, outcome, other, memory)


def cause_of_intention(outcome: TurnOutcome) -> str:
    """Return the event that caused the intention, "" for none."""
    intention = outcome.intention
    return intention.cause if isinstance(intention, Perform) else ""


def _remember(
    context: TurnContext, outcome: TurnOutcome, other: str, description: str
) -> TurnOutcome:
    return remember_or_count(
        context,
        outcome,
        MemoryKind.OBSERVATION,
        description,
        cause=outcome.last_event,
        subject=other,
        perceived=True,
        origin=MemoryOrigin.PERCEIVED_AGENT,
        importance=ABSENCE_IMPORTANCE,
    )
