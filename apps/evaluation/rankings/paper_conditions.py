"""The conditions of the paper, with the ratings that it prints (6.2, 6.5.1)."""

from apps.interaction.conditions import (
    FULL,
    NO_OBSERVATION,
    NO_REFLECTION,
    NO_REFLECTION_NO_PLANNING,
)

HUMAN = "human"
"""The name of the condition of written answers."""
# Mean and deviation of TrueSkill by condition.
RATINGS_OF_PAPER = {
    FULL.name: (29.89, 0.72),
    NO_REFLECTION.name: (26.88, 0.69),
    NO_REFLECTION_NO_PLANNING.name: (25.64, 0.68),
    HUMAN: (22.95, 0.69),
    NO_OBSERVATION.name: (21.21, 0.70),
}
