"""Receive a guest after opening the door, and answer an agent that has waited (W5, D2)."""

from apps.agents.events import ActionKind, DoorOpened, Tile
from apps.kernel.language import phrase
from apps.simulation.snapshot.hearing import address_to_answer
from apps.simulation.turn.context.outcome import PlannedStep, RevisePlan, TurnOutcome, WalkTo
from apps.simulation.turn.context.own_stream import RECEIVING_MINUTES
from apps.simulation.turn.context.records import LetIn
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.conversation.converse import answer
from apps.simulation.turn.perceive.situation import name_known
from apps.simulation.turn.perform.plan import plan
from apps.simulation.turn.perform.stay import EMOJI_OF_KINDS, wait
from apps.world.tile_map import chebyshev


def receive_guest(context: TurnContext, outcome: TurnOutcome) -> TurnOutcome:
    """Go to the guest that the agent has let in, or wait for it, until it has come into view.

    What the agent does is left for that at once; afterwards the plan goes on.
    """
    opened = [
        LetIn(visitor=new.event.visitor, node=new.event.node, tick=context.tick)
        for new in outcome.events
        if isinstance(new.event, DoorOpened)
    ]
    if not opened and not context.is_action_over:
        return outcome
    guests = [one for one in (*context.records.let_in, *opened) if _is_expected(context, one)]
    if not guests:
        return outcome
    guest = guests[-1]
    spot = _meeting_spot(context, guest)
    if not _sees(context, spot):
        return outcome.intending(WalkTo(step=_step(context, spot, guest), spot=spot))
    if not context.is_action_over:
        return outcome  # the guest comes into view where the agent is
    name = name_known(context, guest.visitor)
    waiting = phrase("waiting for {what}", what=name)
    return wait(context, outcome, waiting, until=_until(context, guest), plan_item=0)


def _until(context: TurnContext, guest: LetIn) -> int:
    return guest.tick + context.ticks_of(minutes=RECEIVING_MINUTES)


def _is_expected(context: TurnContext, guest: LetIn) -> bool:
    """Return whether the guest is near by and the agent has not seen it since it came."""
    view, seen = context.view, context.acquainted.agents.get(guest.visitor)
    if context.tick >= _until(context, guest) or view.is_in_view(guest.visitor):
        return False
    is_met = seen is not None and seen.tick >= guest.tick
    return not is_met and guest.visitor in view.agents_near()


def _meeting_spot(context: TurnContext, guest: LetIn) -> Tile:
    """Return the last tile behind the opened door on the way to the guest."""
    world = context.constants.world
    spot = context.tile
    for tile in world.paths.path(context.tile, context.view.tile_near(guest.visitor)):
        area = world.map.area_at(tile)
        if not area or all(one.path != guest.node for one in world.tree.line_of(area)):
            break
        spot = tile
    return spot


def _sees(context: TurnContext, spot: Tile) -> bool:
    """Return whether the spot is in the agent's view."""
    is_same_area = context.constants.world.map.area_at(spot) == context.area
    is_near = chebyshev(context.tile, spot) <= context.constants.attention.vision
    return is_same_area and is_near


def _step(context: TurnContext, spot: Tile, guest: LetIn) -> PlannedStep:
    return PlannedStep(
        kind=ActionKind.WAITING,
        description="",
        emoji=EMOJI_OF_KINDS[ActionKind.WALKING],
        area=context.constants.world.map.area_at(spot),
        from_tick=context.tick,
        to_tick=_until(context, guest),
    )


def answer_waiting(context: TurnContext, outcome: TurnOutcome) -> TurnOutcome:
    """Answer, before the plan is followed, the agent that has waited longest for an answer.

    A plan that is to be revised is revised before. What has to be done at once comes first:
    the other agent waits on.
    """
    waiting = context.conversations.waiting()
    if not waiting or outcome.talk is not None:
        return outcome
    if isinstance(outcome.intention, RevisePlan):
        if outcome.intention.first is not None:
            return outcome
        outcome = plan(context, outcome)
    earliest = [said for said in waiting if said.tick == waiting[0].tick]
    address = address_to_answer(context.constants, earliest)
    assert address is not None, "nobody waits for an answer to words that want none"
    return answer(context, outcome, address)
