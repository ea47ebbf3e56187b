"""The settings of a simulation: defaults, bounds, units and descriptions, in one model.

The first event of every simulation has them, since the history depends on them. The parser, the
JSON schema and the serializers of the interface are derived from the model. Bounds are widened
only: stored settings are read through the same model.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, WithJsonSchema, model_validator

from apps.kernel.errors import DomainError
from apps.kernel.request_models import RequestModel, read_values, schema_of
from apps.llm.prompts.sets import PromptForm
from apps.memory.events import Weights
from apps.memory.retrieval import RECENCY_DECAY_DEFAULT
from apps.memory.rules import RETRIEVAL_TOKENS_DEFAULT
from apps.memory.selection import (
    SUBJECT_SHARE_DEFAULT,
    CondensedMemories,
    DistantStatements,
    FocusedMemories,
    QueryWords,
    RelevanceEmphasis,
    RetrievalSettings,
)
from apps.planning.rules import PlanningSettings

# The form of prompts for models that name none.
PROMPT_FORMS: Mapping[str, PromptForm] = {"economy": PromptForm.SHORT}

PRESETS: Mapping[str, Mapping[str, int | float | str]] = {
    "economy": {
        "reuse_hours": "always",
        "retrieval_tokens": 600,
        "actions_retrieval_tokens": 100,
        "reaction_pause_minutes": 180,
        "situation_calls_per_hour": 0.5,
        "talk_reason_minutes": 20,
        "talk_utterances_max": 8,
        "reflection_threshold": 300,
    },
    "standard": {},
    "rich": {
        "reuse_hours": "none",
        "retrieval_tokens": 2_400,
        "actions_retrieval_tokens": 600,
        "reaction_pause_minutes": 30,
        "situation_calls_per_hour": 4,
        "reflection_threshold": 100,
        "summary_refresh_hours": 12.0,
    },
}


SECONDS_PER_MINUTE = 60
AcrossRooms = Literal["nothing", "dangers", "arrivals"]


class UnusableSettings(DomainError):
    """The settings cannot be used."""


def _setting(default: float, low: float, high: float) -> Any:  # as pydantic's Field
    """Return a field that takes numbers from `low` to `high`, both included."""
    return Field(default=default, ge=low, le=high)


class SimulationSettings(RequestModel):
    """The settings that a history depends on besides seed, world and the answers of models."""

    noun: ClassVar[str] = "setting"

    preset: Literal["economy", "standard", "rich"] = "standard"
    """The named set of defaults for settings that are not given: how much a day of an agent
    costs. The values are stored when the simulation is created. `economy` has short prompts
    unless the models name a form."""
    tick_seconds: int = _setting(10, 1, 60)
    """The length of a tick; it divides a minute. Unit: game seconds."""
    vision: int = _setting(8, 1, 100)
    """How far an agent sees (W6). Unit: tiles."""
    noticed_across_rooms: AcrossRooms = "arrivals"
    """What an agent notices in its room beyond its vision (W6): nothing; fire, flood and other
    dangers; or also which agents that it knows by sight have come in."""
    attention_bandwidth: int = _setting(8, 1, 1_000)
    """How much an agent notices in one turn (W6). Unit: observations."""
    retention_hours: float = _setting(4.0, 0.1, 10_000)
    """After which time something unchanged is noticed again (X3). Unit: game hours."""
    recency_decay: float = _setting(RECENCY_DECAY_DEFAULT, 0.000_001, 1)
    """The factor by which the recency of a memory falls per game hour since its last
    retrieval (M4)."""
    weight_recency: float = _setting(1.0, 0, 1_000)
    """The weight of recency in retrieval (M4)."""
    weight_importance: float = _setting(1.0, 0, 1_000)
    """The weight of importance in retrieval (M4)."""
    weight_relevance: float = _setting(1.0, 0, 1_000)
    """The weight of relevance in retrieval (M4)."""
    relevance_emphasis: RelevanceEmphasis = "purposes"
    """Which retrievals weigh relevance more than the weights say: none, as in the paper; those
    that ask for one thing, such as a relationship or the answer to an interviewer; or those for
    interviews, insights and the recent progress, and not those about an agent (ADR 61)."""
    query_words: QueryWords = "rare first"
    """Whether all words of a query count alike, as in the paper, or those that are rare in the
    memories of the agent count more (ADR 61)."""
    subject_share: float = _setting(SUBJECT_SHARE_DEFAULT, 0, 1)
    """The share of the retrieved memories that is for those about the agent that a retrieval
    asks about, before all others; 0 for none, as in the paper (M5, ADR 61)."""
    condensed_memories: CondensedMemories = "kept"
    """Whether retrievals keep the memories of days that are condensed, as in the paper, or
    leave those out that matter little and are not relevant to the query (ADR 49)."""
    distant_statements: DistantStatements = "left out"
    """Whether the windows of plans, reactions and conversations keep the phrases of the
    description that are not relevant to the query, as in the paper, or leave them out."""
    focus: FocusedMemories = "first"
    """Whether retrievals that ask for news, or about an event that the agent attended, have the
    memories of these first, by their origin and time (M5, ADR 77)."""
    reflection_threshold: int = _setting(150, 1, 1_000_000)
    """The sum of the importance of new memories at which an agent reflects (R1)."""
    outline_chunks_min: int = _setting(5, 2, 24)
    """How many parts the outline of a day has at least (P1). Unit: parts."""
    outline_chunks_max: int = _setting(8, 2, 24)
    """How many parts the outline of a day has at most (P1). Unit: parts."""
    action_minutes_min: int = _setting(5, 1, 60)
    """The shortest planned action (P2). Unit: game minutes."""
    action_minutes_max: int = _setting(15, 1, 60)
    """The longest planned action (P2). Unit: game minutes."""
    retrieval_tokens: int = _setting(RETRIEVAL_TOKENS_DEFAULT, 0, 1_000_000)
    """How much of a prompt retrieved memories take at most (M5). Unit: tokens."""
    actions_retrieval_tokens: int = _setting(300, 0, 1_000_000)
    """How much of a prompt for the actions of an hour retrieved memories take at most (M5).
    Unit: tokens."""
    reuse_hours: Literal["none", "days", "always"] = "days"
    """Whether the actions of a known activity at a known place are planned once and then
    varied: never, on later days, or also later on the same day (P1)."""
    summary_refresh_hours: float = _setting(24.0, 0.5, 10_000)
    """How old an agent's summary description gets (S1). Unit: game hours."""
    wait_minutes: int = _setting(3, 1, 120)
    """How long an agent waits for an occupied object (W5). Unit: game minutes."""
    reaction_pause_minutes: int = _setting(90, 0, 10_000)
    """For how long no second reaction to the same subject is considered (X3). Unit: game
    minutes."""
    situation_calls_per_hour: float = _setting(1.0, 0, 60)
    """How often an hour, at most, one of the agents that know each other and are together in a
    room is asked whether it says something; 0 for never (X1, ADR 98). Unit: calls an hour."""
    decisions_per_hour: int = _setting(6, 1, 10_000)
    """How many decisions about what is in view an agent makes in a game hour; a danger, a
    knock and what a user tells it are always decided about (X3). Unit: decisions."""
    sights_per_hour: int = _setting(20, 1, 100_000)
    """How many sights of agents and overheard talks an agent remembers in a game hour; all
    others of that hour are one memory of a crowd (M2, ADR 96). Unit: memories."""
    talk_reason_minutes: int = _setting(10, 1, 10_000)
    """After which time an agent in view is decided about again for a reason to talk: an
    agreement, an unanswered utterance, an intended talk, news (X1). Unit: game minutes."""
    talk_utterances_max: int = _setting(12, 0, 100)
    """How many utterances a conversation has at most; 0 for none at all (D1). Unit:
    utterances."""
    hearing_distance: int = _setting(4, 0, 100)
    """How far agents in the same area hear what others say among themselves, within their
    vision; 0 for not at all (D2). Unit: tiles."""
    words_per_minute: int = _setting(150, 10, 10_000)
    """The speed of speech. Unit: words per game minute."""
    users_patience_minutes: int = _setting(20, 1, 240)
    """How long agents wait for an utterance of an agent that a user controls (U4). Unit:
    game minutes."""

    @model_validator(mode="after")
    def _fit_together(self) -> "SimulationSettings":
        if SECONDS_PER_MINUTE % self.tick_seconds:
            raise ValueError("tick_seconds must divide a minute: 1, 2, 3, 4, 5, 6, 10, … 60")
        for name in ("outline_chunks", "action_minutes"):
            if getattr(self, f"{name}_min") > getattr(self, f"{name}_max"):
                raise ValueError(f"{name}_min must not exceed {name}_max")
        return self

    @property
    def weights(self) -> Weights:
        """The three weights of retrieval (M4)."""
        return Weights(
            recency=self.weight_recency,
            importance=self.weight_importance,
            relevance=self.weight_relevance,
        )

    @property
    def retrieval(self) -> RetrievalSettings:
        """The settings of retrieval (M4)."""
        return RetrievalSettings(
            tick_seconds=self.tick_seconds,
            decay=self.recency_decay,
            weights=self.weights,
            relevance_emphasis=self.relevance_emphasis,
            subject_share=self.subject_share,
            query_words=self.query_words,
            condensed_memories=self.condensed_memories,
            distant_statements=self.distant_statements,
            focus=self.focus,
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


@cache
def settings_schema() -> dict[str, dict[str, Any]]:
    """Return the JSON schema of each setting by name: type, default, bounds, description."""
    properties: dict[str, dict[str, Any]] = schema_of(SimulationSettings)["properties"]
    return properties


RequestedSettings = Annotated[
    dict[str, Any],
    WithJsonSchema(
        {
            "type": "object",
            "properties": settings_schema(),
            "additionalProperties": False,
            "description": "Settings that the history depends on; those not named keep their "
            "default.",
        }
    ),
]
"""Settings by name; their values are validated where the simulation is created."""

# Defaults of simulations whose prompts have the short form: fewer memories for small models.
SHORT_PROMPT_DEFAULTS: Mapping[str, Any] = {"retrieval_tokens": 400}


def parse_settings(requested: dict[str, Any] | None) -> SimulationSettings:
    """Return the requested settings, with the value of the preset for each one not named.

    :raises UnusableSettings: for an unknown name, a wrong type or a value out of bounds; the
        message has the name and what is allowed.
    """
    requested = requested or {}
    preset = requested.get("preset")
    values = PRESETS.get(preset, {}) if isinstance(preset, str) else {}
    return read_values(SimulationSettings, {**values, **requested}, error=UnusableSettings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attention:
    """The vision (tiles), the number of things noticed at once, how long they stay known.

    `across_rooms` is what is noticed in a room beyond the vision.
    """

    vision: int
    bandwidth: int
    retention_ticks: int
    across_rooms: AcrossRooms = "arrivals"
