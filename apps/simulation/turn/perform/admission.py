"""Admission of visitors to homes and private areas, by typed facts (W5).

A visitor may enter when it agreed with a resident to be there now, when it goes there with a
resident, or when a resident opened the door to it. The admission is an event in the stream of
the visitor and holds until it goes elsewhere. An agent without one knocks, and waits for a
short time; if nobody opens, it perceives that as it perceives an occupied room.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from apps.agents.events import (
    ActionKind,
    AdmissionEnded,
    AdmissionGranted,
    AdmissionReason,
    DoorKnocked,
)
from apps.dialogue.commitments import OpenCommitment, still_open
from apps.kernel.language import phrase
from apps.memory.events import MemoryOrigin
from apps.memory.rules import NOTED_IMPORTANCE
from apps.planning.context import Invitation
from apps.simulation.turn.context.named_places import is_within
from apps.simulation.turn.context.outcome import PERFORMED, PlannedStep, Turn
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.perform.refusal import refuse
from apps.simulation.turn.perform.stay import EMOJI_OF_KINDS
from apps.simulation.turn.remember.remember import remember_or_count
from apps.world.norms import lives_in, nodes_to_be_let_into

# An invited agent may come so much earlier than agreed.
EARLY_MINUTES = 30


def barred_nodes(context: TurnContext, *, left: str, entered: str) -> tuple[str, ...]:
    """Return the nodes into which the agent needs to be let on its way between two areas."""
    return nodes_to_be_let_into(
        context.tree,
        left=left,
        entered=entered,
        name=context.identity.name,
        home=context.identity.home,
    )


def admitted_nodes(turn: Turn) -> frozenset[str]:
    """Return the nodes that the agent may enter for a visit."""
    nodes = {one.node for one in turn.records.admissions}
    for new in turn.events:
        if isinstance(new.event, AdmissionGranted):
            nodes.add(new.event.node)
        elif isinstance(new.event, AdmissionEnded):
            nodes.discard(new.event.node)
    return frozenset(nodes)


def is_left_unanswered(context: TurnContext, step: PlannedStep) -> bool:
    """Return whether the agent has lately knocked in vain where the step is performed."""
    barred = barred_nodes(context, left=context.area, entered=step.area)
    return not context.records.unanswered.isdisjoint(barred)


def grant_admissions(turn: Turn, step: PlannedStep) -> Turn:
    """Grant the admissions that the step needs, as far as a typed fact gives them."""
    nodes = dict.fromkeys(barred_nodes(turn, left=turn.area, entered=step.area))
    if turn.action is not None and turn.action.kind is ActionKind.KNOCKING:
        nodes.setdefault(turn.action.towards)
    for node in nodes:
        if node not in admitted_nodes(turn):
            turn = _grant(turn, node)
    return turn


def end_admissions(turn: Turn, areas: Iterable[str]) -> Turn:
    """End the admissions to nodes that have none of the areas that the agent goes to."""
    tree = turn.tree
    kept = {node.path for area in areas for node in tree.line_of(area)}
    for node in sorted(admitted_nodes(turn) - kept):
        turn = turn.record(AdmissionEnded(node=node))
    return turn


def _grant(turn: Turn, node: str) -> Turn:
    opened = turn.view.door_opened(node)
    if opened is not None:
        granted = _granted(node, opened.agent, AdmissionReason.LET_IN)
        turn = turn.record(granted, cause=opened.event)
        return remember_or_count(
            turn,
            let_in_text(turn.name_of(opened.agent), turn.identity.name),
            cause=turn.last_event,
            subject=opened.agent,
            origin=MemoryOrigin.PERCEIVED_AGENT,
            importance=NOTED_IMPORTANCE,
        )
    for agreement in still_open(turn.records.commitments, turn.now):
        host = _host_of(turn, agreement, node)
        if host and _is_for_now(turn, agreement, node):
            granted = _granted(node, host, AdmissionReason.INVITED)
            return turn.record(granted, cause=agreement.event)
    for _distance, other in turn.view.agents_in_view():
        action = turn.view.action_of(other)
        if action is None or not action.towards or not _lives_in(turn, node, other):
            continue
        if is_within(turn.tree, action.towards, node):
            granted = _granted(node, other, AdmissionReason.ACCOMPANIED)
            return turn.record(granted, cause=action.event)
    return turn


def invitations(context: TurnContext) -> tuple[Invitation, ...]:
    """Return the areas of other homes that open agreements with their residents name."""
    tree, agent = context.tree, context.identity
    found = []
    for agreement in still_open(context.records.commitments, context.now):
        area = tree.area_of(agreement.node)
        barred = nodes_to_be_let_into(
            tree, left="", entered=area, name=agent.name, home=agent.home
        )
        if barred and all(_host_of(context, agreement, node) for node in barred):
            starts = _starts(agreement)
            found.append(Invitation(area=area, starts=starts, ends=agreement.ends))
    return tuple(found)


def _granted(node: str, host: str, reason: AdmissionReason) -> AdmissionGranted:
    return AdmissionGranted(node=node, host=host, reason=reason)


def _is_for_now(context: TurnContext, agreement: OpenCommitment, node: str) -> bool:
    """Return whether the agreement is to be in the node at this time."""
    is_time = context.now >= _starts(agreement)
    return is_time and is_within(context.tree, agreement.node, node)


def _starts(agreement: OpenCommitment) -> datetime:
    """Return the earliest time at which the agreement admits the agent."""
    return agreement.starts - timedelta(minutes=EARLY_MINUTES)


def _host_of(context: TurnContext, agreement: OpenCommitment, node: str) -> str:
    """Return the first agent of the agreement that lives in the node, "" if none does."""
    return next((one for one in agreement.others if _lives_in(context, node, one)), "")


def _lives_in(context: TurnContext, node: str, agent: str) -> bool:
    tree = context.tree
    name, home = context.name_of(agent), context.home_of(agent)
    return lives_in(tree, node, name=name, home=home)


def let_in_text(host: str, visitor: str) -> str:
    """Return the memory that a resident opened the door."""
    return phrase("{host} let {visitor} in", host=host, visitor=visitor)


# How long an agent waits at a door at which it has knocked.
KNOCK_MINUTES = 1


def knock_or_wait(turn: Turn, step: PlannedStep, node: str) -> Turn:
    """Knock at the door of the node; after a knock that nobody answered, wait."""
    words = turn.tree.words(node)
    if _has_knocked(turn, node):
        why = phrase("nobody opened the door of {place}", place=words)
        waiting = phrase("waiting for somebody to open the door of {place}", place=words)
        return refuse(turn, step, node, why, waiting=waiting)
    knocked = DoorKnocked(
        tile=turn.tile,
        node=node,
        description=knocking_text(words),
        emoji=EMOJI_OF_KINDS[ActionKind.KNOCKING],
        until_tick=turn.tick + turn.ticks_of(minutes=KNOCK_MINUTES),
        plan_item=step.plan_item,
    )
    return turn.record(knocked).intending(PERFORMED)


def _has_knocked(context: TurnContext, node: str) -> bool:
    action = context.action
    return (
        action is not None
        and action.kind is ActionKind.KNOCKING
        and action.towards == node
        and context.is_action_over
    )


def knocking_text(door_of: str) -> str:
    """Return the action of knocking at the door of a node in words."""
    return phrase("knocking at the door of {place}", place=door_of)
