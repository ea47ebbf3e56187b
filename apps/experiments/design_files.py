"""Designs of experiments from YAML or JSON, and back."""

from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from math import prod
from pathlib import Path
from typing import Any

import yaml
from django.contrib.auth.models import User

from apps.experiments.design import (
    RUNS_AT_ONCE,
    ExperimentDesign,
    InterventionLevel,
    References,
    budget_json,
)
from apps.experiments.measure_files import (
    measures_json,
    read_measures,
)
from apps.experiments.measure_names import measured_names, selected_measures
from apps.experiments.plain_values import (
    AGENTS_MAX,
    NAME_CHARACTERS_MAX,
    WORD_CHARACTERS_MAX,
    UnusableExperiment,
    items_of,
    members_of,
    moment_json,
    moment_of,
    name_of,
    shown,
    text_of,
    whole_of,
)
from apps.kernel.names import names_there_are
from apps.kernel.strict_yaml import load_yaml_file
from apps.llm.calls.budget import Budget
from apps.simulation.commands.branch_interventions import (
    KINDS,
    OBJECT_STATE,
    BranchIntervention,
)
from apps.simulation.commands.interventions import TEXT_CHARACTERS_MAX
from apps.simulation.commands.remove_agent import REMOVE_AGENT
from apps.simulation.engine.lifecycle import SEED_MAX

RUNS_MAX = 1_000
VALUES_MAX = 500_000
"""What the tables and the report of an experiment hold at once."""
LEVELS_MAX, MOMENTS_MAX, MEASURES_MAX, COMMANDS_MAX = 50, 200, 200, 100
TITLE_CHARACTERS_MAX, MODEL_CHARACTERS_MAX = 200, 300
REFERENCE_MAX = 10**15
TOKENS_MAX, MONEY_MAX = 10**15, Decimal(10**7)
_MEMBERS = (
    "name", "title", "worlds", "agents", "seeds", "settings", "models", "interventions",
    "moments", "measures", "baseline", "references", "budget", "runs_at_once",
    "order",
)  # fmt: skip
_ORDERED = ("settings", "models", "interventions")


def load_design(path: Path, owner: User | None) -> ExperimentDesign:
    """Return the design of a YAML file, with questionnaires of the owner.

    :raises UnusableExperiment: if the file cannot be read, is no YAML, or has a fault.
    """
    try:
        values = load_yaml_file(path)
    except (OSError, yaml.YAMLError) as error:
        raise UnusableExperiment(f"{path} cannot be read as YAML: {error}") from error
    return read_design(values, owner)


def read_design(values: Any, owner: User | None = None) -> ExperimentDesign:
    """Return the design of plain values, as YAML or JSON has them.

    A questionnaire that is named is one of the service or of the owner. A stored design has
    the questionnaires themselves. What depends on a world is checked by `check_design`.

    :raises UnusableExperiment: if a value is missing, unknown or of another type.
    :raises MeasureUnknown: if there is no measure of a name.
    """
    required = ("name", "seeds", "moments", "measures")
    given = members_of(values, _MEMBERS, "the experiment", required=required)
    name = name_of(given["name"], "the name")
    measures = items_of(given["measures"], "measures", most=MEASURES_MAX)
    news, surveys = read_measures([one for one in measures if not isinstance(one, str)], owner)
    design = ExperimentDesign(
        name=name,
        title=text_of(given.get("title", name), "the title", most=TITLE_CHARACTERS_MAX),
        worlds=tuple(
            text_of(one, "a world", most=NAME_CHARACTERS_MAX)
            for one in items_of(given.get("worlds", ["smallville"]), "worlds", most=LEVELS_MAX)
        ),
        agents=_agents(given.get("agents")),
        seeds=_seeds(given["seeds"]),
        settings=_ordered(
            _levels(given.get("settings", {"standard": {}}), "settings", _settings),
            given,
            "settings",
        ),
        models=_ordered(_models(given.get("models", {"default": None})), given, "models"),
        interventions=_ordered(
            _interventions(given.get("interventions", {"none": {}})), given, "interventions"
        ),
        moments=tuple(
            moment_of(one, f"moment {place}")
            for place, one in enumerate(
                items_of(given["moments"], "moments", most=MOMENTS_MAX), start=1
            )
        ),
        plain_measures=selected_measures(one for one in measures if isinstance(one, str)),
        news=news,
        surveys=surveys,
        baseline=members_of(
            given.get("baseline", {}),
            ("world", "settings", "model", "intervention"),
            "the baseline",
        ),
        references=_references(given.get("references", {}), len(given["moments"])),
        budget=_budget(given.get("budget", {})),
        runs_at_once=whole_of(
            given.get("runs_at_once", RUNS_AT_ONCE), "runs_at_once", least=1, most=RUNS_MAX
        ),
    )
    _check_whole(design)
    return design


def design_json(design: ExperimentDesign) -> dict[str, Any]:
    """Return the design as plain values that `read_design` takes."""
    return {
        "name": design.name,
        "title": design.title,
        "worlds": list(design.worlds),
        "agents": list(design.agents) if isinstance(design.agents, tuple) else design.agents,
        "seeds": list(design.seeds),
        "settings": {name: dict(one) for name, one in design.settings.items()},
        "models": dict(design.models),
        "interventions": {
            name: _intervention_json(one) for name, one in design.interventions.items()
        },
        "moments": [moment_json(one) for one in design.moments],
        "measures": [*design.plain_measures, *measures_json(design.news, design.surveys)],
        "baseline": dict(design.baseline),
        "references": {
            name: list(one) if isinstance(one, tuple) else one
            for name, one in design.references.items()
        },
        "budget": budget_json(design.budget),
        "runs_at_once": design.runs_at_once,
        # The database and some clients keep no order of the members of an object.
        "order": {
            "settings": list(design.settings),
            "models": list(design.models),
            "interventions": list(design.interventions),
        },
    }


def _check_whole(design: ExperimentDesign) -> None:
    # Counted before they are made: a body of 6 kB can combine to millions.
    conditions = prod(map(len, design.levels.values()))
    runs = conditions * len(design.seeds)
    if runs > RUNS_MAX:
        raise UnusableExperiment(
            f"this has {conditions:,} conditions and {len(design.seeds):,} seeds, "
            f"{runs:,} runs; an experiment has {RUNS_MAX:,} at most"
        )
    values = runs * len(design.moments) * len(measured_names(design))
    if values > VALUES_MAX:
        raise UnusableExperiment(
            f"{runs:,} runs have {values:,} values at all moments; an experiment has "
            f"{VALUES_MAX:,} at most"
        )
    for factor, level in design.baseline.items():
        if level not in design.levels[factor]:
            raise UnusableExperiment(
                f"the baseline names the {factor} {shown(level)}; "
                f"{names_there_are(design.levels[factor], str(level))}"
            )
    if unknown := [one for one in design.references if one not in measured_names(design)]:
        raise UnusableExperiment(
            f"references name {shown(unknown[0])}; of measures "
            f"{names_there_are(measured_names(design), unknown[0])}"
        )
    names = [one.name for one in design.news] + [
        one.questionnaire.name for one in design.surveys
    ]
    if twice := [name for name in names if names.count(name) > 1]:
        raise UnusableExperiment(f"two measures have the name {shown(twice[0])}; rename one")


def _levels(values: Any, where: str, read: Callable[[Any, str], Any]) -> dict[str, Any]:
    """Return the levels of a factor by name."""
    if not isinstance(values, Mapping) or not 1 <= len(values) <= LEVELS_MAX:
        raise UnusableExperiment(f"{where} must be an object of 1 to {LEVELS_MAX} levels")
    return {
        name_of(name, f"a level of {where}"): read(one, f"{where}.{name}")
        for name, one in values.items()
    }


def _ordered(levels: dict[str, Any], given: Mapping[str, Any], factor: str) -> dict[str, Any]:
    """Return the levels in the order that `order` names, if it names one."""
    orders = members_of(given.get("order", {}), _ORDERED, "order")
    if factor not in orders:
        return levels
    named = items_of(orders[factor], f"order.{factor}", most=LEVELS_MAX)
    if len(named) != len(levels) or not all(
        isinstance(one, str) and one in levels for one in named
    ):
        raise UnusableExperiment(f"order.{factor} must name {', '.join(levels)}, each once")
    return {name: levels[name] for name in named}


def _settings(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value or {}, Mapping):
        raise UnusableExperiment(f"{where} must be an object of settings by name")
    return dict(value or {})


def _models(values: Any) -> dict[str, Any]:
    if isinstance(values, list):
        values = {str(one).replace(":", "-").replace("/", "-"): one for one in values}
    return _levels(values, "models", _model)


def _model(value: Any, where: str) -> Any:
    if isinstance(value, Mapping):
        return {
            text_of(name, f"a member of {where}", most=MODEL_CHARACTERS_MAX): (
                text_of(one, f"{where}.{name}", most=MODEL_CHARACTERS_MAX)
                if isinstance(one, str)
                else one
            )
            for name, one in value.items()
        }
    if value is None:
        return None
    return text_of(value, where, most=MODEL_CHARACTERS_MAX)


def _agents(value: Any) -> int | tuple[str, ...] | None:
    if value is None:
        return None
    if isinstance(value, int):
        return whole_of(value, "agents", least=1, most=AGENTS_MAX)
    return tuple(
        text_of(one, "an agent", most=WORD_CHARACTERS_MAX)
        for one in items_of(value, "agents", most=AGENTS_MAX)
    )


def _seeds(value: Any) -> tuple[int, ...]:
    """Return the seeds of a list, or of a range `{from: 1, to: 10}` with both ends."""
    if isinstance(value, Mapping):
        ends = members_of(value, ("from", "to"), "seeds", required=("from", "to"))
        first = whole_of(ends["from"], "seeds.from", least=0, most=SEED_MAX)
        last = whole_of(ends["to"], "seeds.to", least=first, most=first + RUNS_MAX - 1)
        return tuple(range(first, last + 1))
    listed = items_of(value, "seeds", most=RUNS_MAX)
    return tuple(whole_of(one, "a seed", least=0, most=SEED_MAX) for one in listed)


def _interventions(values: Any) -> dict[str, InterventionLevel]:
    found: dict[str, InterventionLevel] = _levels(values, "interventions", _intervention)
    if len(untouched := [name for name, one in found.items() if one.at is None]) > 1:
        raise UnusableExperiment(
            f"interventions.{untouched[0]} and interventions.{untouched[1]} both do nothing"
        )
    return found


def _intervention(values: Any, where: str) -> InterventionLevel:
    given = members_of(values or {}, ("at", "commands"), where)
    if not given:
        return InterventionLevel()
    given = members_of(given, ("at", "commands"), where, required=("at", "commands"))
    listed = items_of(given["commands"], f"{where}.commands", most=COMMANDS_MAX)
    return InterventionLevel(
        at=moment_of(given["at"], f"{where}.at"),
        commands=tuple(_command(one, f"a command of {where}") for one in listed),
    )


def _command(values: Any, where: str) -> BranchIntervention:
    known = ("kind", "agent", "object", "text", "alarming", "reason")
    given = members_of(values, known, where, required=("kind",))
    kind = given["kind"]
    if kind not in KINDS:
        raise UnusableExperiment(
            f"{where} has the unknown kind {shown(kind)}; {names_there_are(KINDS, str(kind))}"
        )
    needed = {"object" if kind == OBJECT_STATE else "agent"}
    needed |= set() if kind == REMOVE_AGENT else {"text"}
    members_of(given, {*needed, "kind", "alarming", "reason"}, where, required=sorted(needed))
    if not isinstance(given.get("alarming", False), bool):
        raise UnusableExperiment(f"{where}: alarming must be true or false")
    texts = {
        name: text_of(given[name], f"{name} of {where}", most=TEXT_CHARACTERS_MAX)
        for name in ("agent", "object", "text", "reason")
        if name in given
    }
    return BranchIntervention(kind=kind, is_alarming=given.get("alarming"), **texts)


def _references(values: Any, moments: int) -> dict[str, References]:
    """Return the values by measure; a single number is that of the last moment."""
    if not isinstance(values, Mapping) or len(values) > MEASURES_MAX:
        raise UnusableExperiment("references must be an object of numbers by measure")
    found: dict[str, References] = {}
    for name, given in values.items():
        listed = given if isinstance(given, list) else [given] * moments
        if len(listed) != moments or not all(map(_is_number_or_none, listed)):
            raise UnusableExperiment(
                f"references.{name} must be a number, or a list of one number or null for each "
                f"of the {moments} moments"
            )
        if isinstance(given, list):
            found[str(name)] = tuple(None if one is None else float(one) for one in listed)
        elif given is not None:
            found[str(name)] = float(given)
    return found


def _is_number_or_none(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value is None or (is_number and abs(value) <= REFERENCE_MAX)


def _budget(values: Any) -> Budget:
    given = members_of(values, ("tokens", "money"), "the budget")
    tokens, money = given.get("tokens"), given.get("money")
    if tokens is not None:
        tokens = whole_of(tokens, "budget.tokens", least=1, most=TOKENS_MAX)
    return Budget(tokens=tokens, money=None if money is None else _money(money))


def _money(value: Any) -> Decimal:
    try:
        money = Decimal(str(value))
    except InvalidOperation:
        money = Decimal("NaN")
    if isinstance(value, bool) or not money.is_finite() or not 0 < money <= MONEY_MAX:
        raise UnusableExperiment(
            f"budget.money must be a number above 0 and up to {MONEY_MAX:,}, not {shown(value)}"
        )
    return money


def _intervention_json(one: InterventionLevel) -> dict[str, Any]:
    if one.at is None:
        return {}
    commands = [
        {
            "kind": command.kind,
            "agent": command.agent or None,
            "object": command.object or None,
            "text": command.text or None,
            "alarming": command.is_alarming,
            "reason": command.reason or None,
        }
        for command in one.commands
    ]
    return {"at": moment_json(one.at), "commands": commands}
