"""The settings of a simulation that change its history; they stand in its first event."""

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from apps.kernel.errors import Refusal
from apps.memory.events import Weights
from apps.planning.rules import PlanningSettings

SECONDS_PER_MINUTE = 60


class UnusableSettings(Refusal):
    """The settings cannot be used."""

    code: ClassVar[str] = "unusable-settings"


@dataclass(frozen=True, slots=True, kw_only=True)
class TownSettings:
    """What a history depends on besides seed, world and model answers.

    `vision` in tiles; `attention_bandwidth` in things noticed in one turn (W6);
    `retention_hours`: game hours after which something unchanged is noticed anew (X3);
    `recency_decay` per game hour and weights (M4); `reflection_threshold` (R1); bounds of
    plans (P1, P2); `retrieval_tokens` for the memories in one prompt (M5);
    `summary_refresh_hours` (S1); `wait_minutes` that somebody waits before an occupied
    place (W5); `reaction_pause_minutes` for which somebody who was asked whether to react to a
    subject is not asked about it again (X3); `talk_utterances_max` of both together in a
    conversation, 0 for a town that does not talk (D1); `words_per_minute` that are spoken;
    `users_patience_minutes` for which others wait for the words of a person whom a user
    speaks for (U4).
    """

    tick_seconds: int = 10
    vision: int = 8
    attention_bandwidth: int = 8
    retention_hours: float = 4.0
    recency_decay: float = 0.995
    weight_recency: float = 1.0
    weight_importance: float = 1.0
    weight_relevance: float = 1.0
    reflection_threshold: int = 150
    outline_chunks_min: int = 5
    outline_chunks_max: int = 8
    action_minutes_min: int = 5
    action_minutes_max: int = 15
    retrieval_tokens: int = 1_200
    summary_refresh_hours: float = 24.0
    wait_minutes: int = 3
    reaction_pause_minutes: int = 60
    talk_utterances_max: int = 12
    words_per_minute: int = 150
    users_patience_minutes: int = 20

    @property
    def weights(self) -> Weights:
        """The three weights of retrieval (M4)."""
        return Weights(
            recency=self.weight_recency,
            importance=self.weight_importance,
            relevance=self.weight_relevance,
        )

    @property
    def planning(self) -> PlanningSettings:
        """The bounds of plans (P2)."""
        return PlanningSettings(
            outline_chunks_min=self.outline_chunks_min,
            outline_chunks_max=self.outline_chunks_max,
            action_minutes_min=self.action_minutes_min,
            action_minutes_max=self.action_minutes_max,
        )


_BOUNDS: dict[str, tuple[float, float]] = {
    "tick_seconds": (1, 60),
    "vision": (1, 100),
    "attention_bandwidth": (1, 1_000),
    "retention_hours": (0.1, 10_000),
    "recency_decay": (0.000_001, 1),
    "weight_recency": (0, 1_000),
    "weight_importance": (0, 1_000),
    "weight_relevance": (0, 1_000),
    "reflection_threshold": (1, 1_000_000),
    "outline_chunks_min": (2, 24),
    "outline_chunks_max": (2, 24),
    "action_minutes_min": (1, 60),
    "action_minutes_max": (1, 60),
    "retrieval_tokens": (0, 1_000_000),
    "summary_refresh_hours": (0.5, 10_000),
    "wait_minutes": (1, 120),
    "reaction_pause_minutes": (0, 10_000),
    "talk_utterances_max": (0, 100),
    "words_per_minute": (10, 10_000),
    "users_patience_minutes": (1, 240),
}


def parse_settings(asked: dict[str, Any] | None) -> TownSettings:
    """Return the settings asked for, the defaults where nothing is.

    :raises UnusableSettings: for an unknown name, a wrong type or a value out of bounds.
    """
    known = {field.name: field.type for field in fields(TownSettings)}
    chosen: dict[str, Any] = {}
    for name, value in (asked or {}).items():
        if name not in known:
            raise UnusableSettings(
                f"there is no setting {name!r}; there are {', '.join(sorted(known))}"
            )
        chosen[name] = _number(name, value, whole=known[name] is int)
    settings = TownSettings(**chosen)
    if SECONDS_PER_MINUTE % settings.tick_seconds:
        raise UnusableSettings("tick_seconds must divide a minute: 1, 2, 3, 4, 5, 6, 10, … 60")
    for what in ("outline_chunks", "action_minutes"):
        if getattr(settings, f"{what}_min") > getattr(settings, f"{what}_max"):
            raise UnusableSettings(f"{what}_min must not exceed {what}_max")
    return settings


def _number(name: str, value: object, *, whole: bool) -> float:
    low, high = _BOUNDS[name]
    kind = int if whole else (int, float)
    if isinstance(value, bool) or not isinstance(value, kind):
        raise UnusableSettings(f"{name} must be a {'whole ' if whole else ''}number")
    assert isinstance(value, int | float)
    if not low <= value <= high:
        raise UnusableSettings(f"{name} must lie between {low} and {high}, not {value}")
    return value if whole else float(value)
