"""The measures of the service that an experiment chooses by name, by those of `evaluation`."""

from collections.abc import Callable, Mapping
from functools import partial
from statistics import mean

from apps.evaluation.quality.counts import RunQuality
from apps.evaluation.quality.persona_drift import mean_drift
from apps.experiments.measure_registry import MEASURES, SHARE, RunAtTick, Value

NUMBER = "number"
NETWORKS: Mapping[str, str] = {
    "remembered": "a memory about the other one, also of a sight",
    "sighted": "having seen each other",
    "met": "having been in a conversation together",
    "talked": "having spoken to each other",
    "related": "a relationship as a lasting fact",
}
_OF_NETWORKS = {
    "density": ("share of the joined pairs of all pairs", SHARE),
    "mean_degree": ("mean number of joined agents", "agents"),
    "clustering": ("mean local clustering coefficient", SHARE),
    "ties": ("joined pairs", "pairs"),
}
_CONVERSATIONS: Mapping[str, tuple[str, str, str]] = {
    "count": ("conversations", "conversations in which at least two agents speak", NUMBER),
    "openings": ("openings", "words that nobody answered", NUMBER),
    "pairs": ("pairs", "pairs that have talked", "pairs"),
    "utterances": ("utterances.count", "utterances in conversations", NUMBER),
    "utterances_each": (
        "utterances_per_conversation", "utterances in a conversation, mean", "utterances",
    ),
    "words_each": ("words_per_utterance", "words in an utterance, mean", "words"),
    "repeated_share": (
        "utterances.repeated_share", "share of utterances in the words of an earlier one",
        SHARE,
    ),
}  # fmt: skip
_COMMITMENTS = {
    "open": "agreements whose time has not passed; each side counts",
    "kept": "agreements that were kept",
    "missed": "agreements that were missed",
    "dropped": "agreements that were dropped",
    "declined": "proposals that were declined",
    "cancelled": "agreements that were cancelled",
    "changed": "agreements that were changed",
}
_PLANS = {
    "planned": ("planned actions whose time is over, without sleep and acts", NUMBER),
    "begun_share": ("share of them that was begun", SHARE),
    "short": ("planned actions done for less than two minutes", NUMBER),
}
_QUALITY: Mapping[str, tuple[str, str, Callable[[RunQuality], Value]]] = {
    "memories_per_agent_day": (
        "memories of an agent in a day", "memories",
        lambda quality: quality.memories_per_agent_day,
    ),
    "memories_repeated_share": (
        "share of memories that repeat one of the same agent", SHARE,
        lambda quality: quality.memories.repeated_share,
    ),
    "reflections": (
        "insights of reflections", NUMBER, lambda quality: quality.reflections.count,
    ),
    "reflections_repeated_share": (
        "share of insights that repeat one of any agent", SHARE,
        lambda quality: quality.reflections.repeated_share,
    ),
    "answers_kept_share": (
        "share of a model's answers to turns that are done as given", SHARE,
        lambda quality: quality.answers.kept_share,
    ),
    "answers_fell_back": (
        "answers to turns in whose place a fallback is done", NUMBER,
        lambda quality: quality.answers.fell_back,
    ),
    "checks_passed": (
        "checks of the latest whole day without a fault", NUMBER,
        lambda quality: quality.passed if quality.checks else None,
    ),
    "faults": (
        "faults that these checks have found", NUMBER,
        lambda quality: sum(one.fault_count for one in quality.checks)
        if quality.checks else None,
    ),
}  # fmt: skip
_DRIFT = {
    "seeds_in_summary": ("phrases of a description in the agent's summary, share, mean", SHARE),
    "facts_kept": ("lasting facts of a description that hold unchanged, share, mean", SHARE),
    "facts_added": ("lasting facts of an agent from elsewhere, mean", NUMBER),
    "action_divergence": ("bits from an agent's first day to its latest one, mean", "bits"),
}
_ROUTINES = {
    "places_per_day": ("different places of an agent in a day, mean", "places"),
    "radius": ("radius of gyration of an agent in tiles, mean", "tiles"),
}


def _network(run: RunAtTick, kind: str, name: str) -> Value:
    [network] = [one for one in run.social.networks if one.kind == kind]
    value: float = getattr(network, name)
    return value


def _conversations(run: RunAtTick, path: str) -> Value:
    value = run.social.conversations
    for name in path.split("."):
        value = getattr(value, name)
    return value  # type: ignore[return-value]  # mypy does not follow the names


def _commitments(run: RunAtTick, name: str) -> Value:
    return run.social.commitments[name]


def _plans(run: RunAtTick, name: str) -> Value:
    value: Value = getattr(run.social.plans, name)
    return value


def _quality(run: RunAtTick, counted: Callable[[RunQuality], Value]) -> Value:
    return counted(run.quality)


def _drift(run: RunAtTick, name: str) -> Value:
    return mean_drift(run.drift, name)


def _routines(run: RunAtTick, name: str) -> Value:
    values = [getattr(one, name) for one in run.routines.values()]
    return mean(values) if values else None


def _register(name: str, description: str, unit: str, function: Callable[..., Value]) -> None:
    MEASURES.register(name, description=description, unit=unit)(function)


for _kind, _joined in NETWORKS.items():
    for _name, (_text, _unit) in _OF_NETWORKS.items():
        _register(
            f"network.{_kind}.{_name}",
            f"{_text}; two agents are joined by {_joined}",
            _unit,
            partial(_network, kind=_kind, name=_name),
        )
for _name, (_path, _text, _unit) in _CONVERSATIONS.items():
    _register(f"conversations.{_name}", _text, _unit, partial(_conversations, path=_path))
for _name, _text in _COMMITMENTS.items():
    _register(f"commitments.{_name}", _text, NUMBER, partial(_commitments, name=_name))
for _name, (_text, _unit) in _PLANS.items():
    _register(f"plans.{_name}", _text, _unit, partial(_plans, name=_name))
for _name, (_text, _unit, _counted) in _QUALITY.items():
    _register(f"quality.{_name}", _text, _unit, partial(_quality, counted=_counted))
for _name, (_text, _unit) in _DRIFT.items():
    _register(f"drift.{_name}", _text, _unit, partial(_drift, name=_name))
for _name, (_text, _unit) in _ROUTINES.items():
    _register(f"routines.{_name}", _text, _unit, partial(_routines, name=_name))
