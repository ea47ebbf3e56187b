"""Whether an agent goes on or reacts to what it has just perceived (X1)."""

from collections.abc import Callable

from apps.reaction.chains.decision import Decision
from apps.reaction.inputs import DecisionInput
from apps.rule_model.model import Chance
from apps.rule_model.reaction.mishaps import about_damage, about_danger, about_obstacle
from apps.rule_model.reaction.talking import about_agent

_RULES: tuple[Callable[[DecisionInput, Chance], Decision | None], ...] = (
    about_danger,
    about_damage,
    about_obstacle,
    about_agent,
)


def decision(given: DecisionInput, chance: Chance) -> Decision:
    """Return the reaction to what was perceived; most of it changes nothing."""
    found = (rule(given, chance) for rule in _RULES)
    reaction = next((one for one in found if one is not None), None)
    return reaction or Decision(choice="go on", observation=1, what="", place="", minutes=0)
