"""Act: begin the planned step where the agent stands, or set out for its place (W5)."""

from apps.agents.acts import ActKind, ActOutcome
from apps.agents.events import ActReported, Tile
from apps.agents.phrases import failure_text
from apps.kernel.chance import choice
from apps.kernel.language import phrase
from apps.memory.events import MemoryOrigin
from apps.simulation.turn.context.outcome import Perform, PlannedStep, Turn, WalkTo
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.perceive.relationships import own_place
from apps.simulation.turn.perceive.situation import meeting_tile
from apps.simulation.turn.perform.admission import is_left_unanswered
from apps.simulation.turn.perform.hindrance import hindered_by
from apps.simulation.turn.perform.plan_context import step_now
from apps.simulation.turn.perform.refusal import (
    at_home,
    give_up_attempt,
    refuse_object,
    refuse_state,
)
from apps.simulation.turn.perform.stay import begin
from apps.simulation.turn.remember.remember import remember_or_count


def act(turn: Turn) -> Turn:
    """Begin the step that the agent is about to perform, or let it walk there.

    A step at a place that is closed for all of its time, or at whose door the agent has lately
    knocked in vain, is replaced by one at home.
    """
    assert isinstance(turn.intention, Perform), "the pipeline performs nothing else"
    step, cause = turn.intention.step, turn.intention.cause
    is_out_of_reach = _is_closed_throughout(turn, step) or is_left_unanswered(turn, step)
    if not step.is_requested and is_out_of_reach:
        step = at_home(turn, step)
    spot = _spot(turn, step)
    if turn.tile != spot and not is_at(turn, step):
        return turn.intending(WalkTo(step=step, spot=spot, cause=cause))
    if step.object and turn.view.is_full(step.object):
        return refuse_object(turn, step, cause=cause)
    if step.object:
        turn, hindrance = hindered_by(turn, step)
        if hindrance is not None:
            return refuse_state(turn, step, hindrance)
    return begin(turn, step, cause=cause)


def accept_refusal(turn: Turn) -> Turn:
    """Give up the attempt of the tick before if it did not succeed."""
    node = turn.view.lost_attempt()
    if node is None:
        return turn
    return give_up_attempt(turn, node, step_now(turn))


def leave_closing_place(turn: Turn) -> Turn:
    """Leave a place that is closing, for home and what is left of the planned time (W5)."""
    return turn.intending(Perform(step=at_home(turn, step_now(turn))))


def _is_closed_throughout(context: TurnContext, step: PlannedStep) -> bool:
    constants = context.constants
    closed = constants.is_closed_to(context.identity.name, step.area, context.tick)
    return closed is not None and step.to_tick <= constants.opening_tick(
        step.area, context.tick
    )


def is_at(context: TurnContext, step: PlannedStep) -> bool:
    """Return whether the agent stands where the step can be performed."""
    if step.object:
        return context.tile in context.map.use_tiles(step.object)
    meeting = _waiting_tile(context, step)
    return context.area == step.area if meeting is None else context.tile == meeting


def _waiting_tile(context: TurnContext, step: PlannedStep) -> Tile | None:
    """Return the tile at which the agent waits for another one, None for any of the area."""
    is_wait = step.act.kind is ActKind.WAIT_FOR and not step.object and not step.is_requested
    return meeting_tile(context, step.area) if is_wait else None


def _spot(context: TurnContext, step: PlannedStep) -> Tile:
    """Return the tile to stand on, drawn from those that serve; the same for a step."""
    meeting = _waiting_tile(context, step)
    if meeting is not None:
        return meeting
    spots = context.map.spots(step.target)
    if not spots:
        return context.tile
    return choice(
        spots, context.seed, "spot", context.identity.slug, step.plan_item, step.target
    )


ABSENCE_IMPORTANCE = 3


def report_act(turn: Turn, step: PlannedStep, act_outcome: ActOutcome) -> Turn:
    """Record the outcome of the act, and remember what was not as intended."""
    cause = cause_of_intention(turn)
    report = ActReported(
        kind=step.act.kind,
        other=step.act.other,
        outcome=act_outcome,
        area=turn.area,
        plan_item=step.plan_item,
    )
    turn = turn.record(report, cause=cause)
    other = step.act.other
    name = turn.name_known(other) or phrase("anybody")
    memory = failure_text(
        step.act.kind, act_outcome, turn.identity.name, name, place=own_place(turn)
    )
    return _remember(turn, other, memory) if memory else turn


def cause_of_intention(turn: Turn) -> str:
    """Return the event that caused the intention, "" for none."""
    intention = turn.intention
    return intention.cause if isinstance(intention, Perform) else ""


def _remember(turn: Turn, other: str, description: str) -> Turn:
    return remember_or_count(
        turn,
        description,
        cause=turn.last_event,
        subject=other,
        origin=MemoryOrigin.PERCEIVED_AGENT,
        importance=ABSENCE_IMPORTANCE,
    )
