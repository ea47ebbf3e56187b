"""Learn places: those around an agent, and those that are named to it (W3)."""

from apps.agents.events import PlacesLearnt
from apps.simulation.turn.context.named_places import place_named
from apps.simulation.turn.context.outcome import TurnOutcome, record
from apps.simulation.turn.context.turn_context import TurnContext
from apps.world.known import with_ancestors
from apps.world.tree import NodeKind


def learn_place_named(
    context: TurnContext, outcome: TurnOutcome, words: str, *, cause: str
) -> TurnOutcome:
    """Learn a place that was named in a conversation (W3)."""
    tree = context.constants.world.tree
    path = place_named(tree, words)
    if not path or tree.node(path).kind is NodeKind.OBJECT:
        return outcome
    return learn_place(context, outcome, path, cause=cause)


def learn_place(
    context: TurnContext, outcome: TurnOutcome, path: str, *, cause: str = ""
) -> TurnOutcome:
    """Learn the node of the path and the nodes above it."""
    unknown = sorted(with_ancestors(context.constants.world.tree, [path]) - context.known)
    if not unknown:
        return outcome
    return record(context, outcome, PlacesLearnt(nodes=tuple(unknown)), cause=cause)
