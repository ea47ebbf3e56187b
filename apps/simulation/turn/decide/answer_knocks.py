"""Answer a knock: residents in hearing decide in the next tick whether to open (W5).

A host then goes to its guest (`receive`).
"""

from apps.agents.events import DoorOpened
from apps.agents.phrases import doing_text
from apps.agents.status import AgentStatus
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.reaction.commands import decide_reaction
from apps.reaction.events import ReactionDecided
from apps.reaction.inputs import KnockHeard, ObservedAgent
from apps.simulation.snapshot.knocking import Knock
from apps.simulation.turn.context.outcome import TurnOutcome, record
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.decide.react import decision_input
from apps.simulation.turn.decide.reaction_candidates import ReactionCandidate
from apps.simulation.turn.perceive.relationships import acquaintance_with
from apps.simulation.turn.perform.admission import let_in_text
from apps.simulation.turn.perform.knock import knocking_text
from apps.simulation.turn.remember.fact_changes import with_summary
from apps.simulation.turn.remember.remember import remember_or_count
from apps.world.norms import lives_in


def answer_knocks(context: TurnContext, outcome: TurnOutcome) -> TurnOutcome:
    """Perceive the knocks at the door; a resident decides about each whether to open.

    An agent that a user controls opens at the user's request only.
    """
    tree = context.constants.world.tree
    for knock in context.view.knocks():
        outcome = remember_or_count(
            context,
            outcome,
            MemoryKind.OBSERVATION,
            doing_text(context.name_of(knock.agent), knocking_text(tree.words(knock.node))),
            cause=knock.event,
            subject=knock.agent,
            perceived=True,
            origin=MemoryOrigin.PERCEIVED_AGENT,
        )
        if context.control is None and may_open(context, knock.node):
            outcome = _decide(context, outcome, knock)
    return outcome


def door_between(context: TurnContext, visitor: str) -> str:
    """Return the node in which the agent lives and is, and the visitor near by is not.

    It is the own private area or the home, "" for none.
    """
    world, area = context.constants.world, context.area
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
    return lives_in(context.constants.world.tree, node, name=agent.name, home=agent.home)


def open_door(
    context: TurnContext, outcome: TurnOutcome, *, node: str, visitor: str, cause: str
) -> TurnOutcome:
    """Open the door of the node to a visitor that has knocked."""
    outcome = record(context, outcome, DoorOpened(node=node, visitor=visitor), cause=cause)
    return remember_or_count(
        context,
        outcome,
        MemoryKind.OBSERVATION,
        let_in_text(context.identity.name, context.name_of(visitor)),
        cause=outcome.last_event,
        subject=visitor,
        origin=MemoryOrigin.OWN_ACTION,
    )


def _decide(context: TurnContext, outcome: TurnOutcome, knock: Knock) -> TurnOutcome:
    candidate = _candidate(context, knock)
    outcome, summary = with_summary(context, outcome)
    reaction = decide_reaction(
        context.llm, decision_input(context, outcome, summary, [candidate])
    )
    decided = ReactionDecided(
        subjects=(candidate.subject,),
        choice="go on" if reaction is None else "open",
        about=candidate.subject,
        what="",
    )
    outcome = record(context, outcome, decided, cause=knock.event)
    if reaction is None:
        return outcome
    return open_door(
        context, outcome, node=knock.node, visitor=knock.agent, cause=outcome.last_event
    )


def _candidate(context: TurnContext, knock: Knock) -> ReactionCandidate:
    """Return the knock as an observation; its subject is the event, not the agent.

    So that the decision whether to open does not stand for one whether to talk (X3).
    """
    visitor = ObservedAgent(
        status=AgentStatus(
            agent_name=context.name_of(knock.agent),
            activity=knocking_text(context.constants.world.tree.words(knock.node)),
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
