"""Answer knocks, receive the guest that was let in, and answer agents that wait (W5, D2).

Residents that hear a knock decide in the next tick whether to open.
"""

from apps.agents.events import ActionKind, DoorOpened, Tile
from apps.agents.phrases import doing_text
from apps.agents.status import AgentStatus
from apps.kernel.language import phrase
from apps.memory.events import MemoryOrigin
from apps.memory.rules import NOTED_IMPORTANCE
from apps.reaction.events import ReactionDecided
from apps.reaction.inputs import KnockHeard, ObservedAgent
from apps.reaction.llm_tasks import decide_reaction
from apps.simulation.snapshot.hearing import Knock, address_to_answer
from apps.simulation.turn.context.outcome import PlannedStep, RevisePlan, Turn, WalkTo
from apps.simulation.turn.context.own_stream import RECEIVING_MINUTES
from apps.simulation.turn.context.records import LetIn
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.conversation.converse import answer
from apps.simulation.turn.decide.react import decision_input
from apps.simulation.turn.decide.reaction_candidates import ReactionCandidate
from apps.simulation.turn.perceive.relationships import acquaintance_with
from apps.simulation.turn.perform.admission import knocking_text, let_in_text
from apps.simulation.turn.perform.plan import plan
from apps.simulation.turn.perform.stay import EMOJI_OF_KINDS, wait
from apps.simulation.turn.remember.fact_changes import with_summary
from apps.simulation.turn.remember.remember import remember_or_count
from apps.world.norms import lives_in
from apps.world.tile_map import chebyshev


def answer_knocks(turn: Turn) -> Turn:
    """Perceive the knocks at the door; a resident decides about each whether to open.

    An agent that a user controls opens at the user's request only.
    """
    tree = turn.tree
    for knock in turn.view.knocks():
        turn = remember_or_count(
            turn,
            doing_text(turn.name_of(knock.agent), knocking_text(tree.words(knock.node))),
            cause=knock.event,
            subject=knock.agent,
            origin=MemoryOrigin.PERCEIVED_AGENT,
            importance=NOTED_IMPORTANCE,
        )
        if turn.control is None and may_open(turn, knock.node):
            turn = _decide(turn, knock)
    return turn


def door_between(context: TurnContext, visitor: str) -> str:
    """Return the node in which the agent lives and is, and the visitor near by is not.

    It is the own private area or the home, "" for none.
    """
    world, area = context.world, context.area
    if not area or visitor not in context.view.agents_near():
        return ""
    its_area = world.map.area_at(context.view.tile_near(visitor))
    inside = {node.path for node in world.tree.line_of(its_area)}
    doors = (area, world.tree.place_of(area)) if world.tree.node(area).norms.private else ()
    nodes = doors or (world.tree.place_of(area),)
    return next((one for one in nodes if one not in inside and may_open(context, one)), "")


def may_open(context: TurnContext, node: str) -> bool:
    """Return whether the agent lives in the node."""
    agent = context.identity
    return lives_in(context.tree, node, name=agent.name, home=agent.home)


def open_door(turn: Turn, *, node: str, visitor: str, cause: str) -> Turn:
    """Open the door of the node to a visitor that has knocked."""
    turn = turn.record(DoorOpened(node=node, visitor=visitor), cause=cause)
    return remember_or_count(
        turn,
        let_in_text(turn.identity.name, turn.name_of(visitor)),
        cause=turn.last_event,
        subject=visitor,
        origin=MemoryOrigin.OWN_ACTION,
        importance=NOTED_IMPORTANCE,
    )


def _decide(turn: Turn, knock: Knock) -> Turn:
    candidate = _candidate(turn, knock)
    turn, summary = with_summary(turn)
    reaction = decide_reaction(turn.llm, decision_input(turn, summary, [candidate]))
    decided = ReactionDecided(
        subjects=(candidate.subject,),
        choice="go on" if reaction is None else "open",
        about=candidate.subject,
        what="",
    )
    turn = turn.record(decided, cause=knock.event)
    if reaction is None:
        return turn
    return open_door(turn, node=knock.node, visitor=knock.agent, cause=turn.last_event)


def _candidate(context: TurnContext, knock: Knock) -> ReactionCandidate:
    """Return the knock as an observation; its subject is the event, not the agent.

    So that the decision whether to open does not stand for one whether to talk (X3).
    """
    visitor = ObservedAgent(
        status=AgentStatus(
            agent_name=context.name_of(knock.agent),
            activity=knocking_text(context.tree.words(knock.node)),
        ),
        may_talk=False,
        acquaintance=acquaintance_with(context, knock.agent),
    )
    return ReactionCandidate(
        subject=knock.event,
        observed=KnockHeard(agent=visitor),
        source=knock.event,
        agent=knock.agent,
    )


def receive_guest(turn: Turn) -> Turn:
    """Go to the guest that the agent has let in, or wait for it, until it has come into view.

    What the agent does is left for that at once; afterwards the plan goes on.
    """
    opened = [
        LetIn(visitor=new.event.visitor, node=new.event.node, tick=turn.tick)
        for new in turn.events
        if isinstance(new.event, DoorOpened)
    ]
    if not opened and not turn.is_action_over:
        return turn
    guests = [one for one in (*turn.records.let_in, *opened) if _is_expected(turn, one)]
    if not guests:
        return turn
    guest = guests[-1]
    spot = _meeting_spot(turn, guest)
    if not _sees(turn, spot):
        return turn.intending(WalkTo(step=_step(turn, spot, guest), spot=spot))
    if not turn.is_action_over:
        return turn  # the guest comes into view where the agent is
    name = turn.name_known(guest.visitor)
    waiting = phrase("waiting for {what}", what=name)
    return wait(turn, waiting, until=_until(turn, guest), plan_item=0)


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
    world = context.world
    spot = context.tile
    for tile in world.paths.path(context.tile, context.view.tile_near(guest.visitor)):
        area = world.map.area_at(tile)
        if not area or all(one.path != guest.node for one in world.tree.line_of(area)):
            break
        spot = tile
    return spot


def _sees(context: TurnContext, spot: Tile) -> bool:
    """Return whether the spot is in the agent's view."""
    is_same_area = context.map.area_at(spot) == context.area
    is_near = chebyshev(context.tile, spot) <= context.attention.vision
    return is_same_area and is_near


def _step(context: TurnContext, spot: Tile, guest: LetIn) -> PlannedStep:
    return PlannedStep(
        kind=ActionKind.WAITING,
        description="",
        emoji=EMOJI_OF_KINDS[ActionKind.WALKING],
        area=context.map.area_at(spot),
        from_tick=context.tick,
        to_tick=_until(context, guest),
    )


def answer_waiting(turn: Turn) -> Turn:
    """Answer, before the plan is followed, the agent that has waited longest for an answer.

    A plan that is to be revised is revised before. What has to be done at once comes first:
    the other agent waits on.
    """
    waiting = turn.conversations.waiting()
    if not waiting or turn.talk is not None:
        return turn
    if isinstance(turn.intention, RevisePlan):
        if turn.intention.first is not None:
            return turn
        turn = plan(turn)
    earliest = [said for said in waiting if said.tick == waiting[0].tick]
    address = address_to_answer(turn.constants, earliest)
    assert address is not None, "nobody waits for an answer to words that want none"
    return answer(turn, address)
