"""The conditions under which the steps of a turn apply."""

from collections.abc import Callable

from apps.reflection.rules import is_due
from apps.simulation.turn.context.outcome import TurnOutcome
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.remember.reflect import perceived_importance

Condition = Callable[[TurnContext, TurnOutcome], bool]


def always(_context: TurnContext, _outcome: TurnOutcome) -> bool:
    """Apply the step in every turn."""
    return True


def in_first_turn(context: TurnContext, _outcome: TurnOutcome) -> bool:
    """Return whether the agent has no memories yet."""
    return context.records.next_memory == 1


def agreement_passed(context: TurnContext, _outcome: TurnOutcome) -> bool:
    """Return whether the time of an agreement has passed."""
    return bool(context.records.passed)


def promised(context: TurnContext, _outcome: TurnOutcome) -> bool:
    """Return whether the agent has a promise to keep."""
    return bool(context.records.promises)


def controlled(context: TurnContext, _outcome: TurnOutcome) -> bool:
    """Return whether a user controls the agent."""
    return context.control is not None


def undecided(context: TurnContext, outcome: TurnOutcome) -> bool:
    """Return whether the agent decides itself and has not decided what it does."""
    return context.control is None and outcome.intention is None


def undecided_at_closing_time(context: TurnContext, outcome: TurnOutcome) -> bool:
    """Return whether the agent is undecided in a place that is closing."""
    return undecided(context, outcome) and context.has_to_leave


def undecided_and_idle(context: TurnContext, outcome: TurnOutcome) -> bool:
    """Return whether the agent is undecided and its last action is over."""
    return undecided(context, outcome) and context.is_action_over


def about_to(*intentions: type) -> Condition:
    """Return the condition that the agent has one of the intentions."""
    return lambda _context, outcome: isinstance(outcome.intention, intentions)


def reflection_possible(context: TurnContext, outcome: TurnOutcome) -> bool:
    """Return whether a reflection is due if all unrated perceptions are of importance 10."""
    if not is_due(
        context.records.importance_most, context.constants.settings.reflection_threshold
    ):
        return False
    was_asleep = context.action is not None and context.action.asleep
    return not (was_asleep and outcome.stays_asleep)


def reflection_due(context: TurnContext, outcome: TurnOutcome) -> bool:
    """Return whether enough was perceived (R1); during sleep a reflection stays due."""
    if not reflection_possible(context, outcome):
        return False
    threshold = context.constants.settings.reflection_threshold
    return is_due(perceived_importance(context), threshold)


def leaving(_context: TurnContext, outcome: TurnOutcome) -> bool:
    """Return whether the agent leaves the simulation."""
    return outcome.leaves_simulation
