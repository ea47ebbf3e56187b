"""The sections of the admin's tables: what users read, access, and the rows of the engine."""

from collections.abc import Mapping, Sequence
from typing import Any

HISTORY = "Records of simulations"
ACCESS = "Users and access"
INTERNALS = "Internals, for operators"

# The tables of the first two sections in their order, as app label and model name; all other
# tables are rows of the engine.
_SECTIONS: Mapping[str, Sequence[str]] = {
    HISTORY: (
        "simulation.simulationrow",
        "agents.agentrow",
        "eventlog.eventrow",
        "memory.memoryrow",
        "reflection.reflectionrow",
        "planning.planitemrow",
        "agents.actionrow",
        "dialogue.utterancerow",
        "dialogue.commitmentrow",
        "facts.factrow",
        "llm.modelcallrow",
        "llm.modelfailurerow",
        "simulation.commandrow",
        "interaction.interviewrow",
        "counterfactuals.counterfactualrow",
        "evaluation.surveyrow",
        "evaluation.rankingrow",
        "evaluation.newssearchrow",
        "evaluation.questionnairerow",
        "experiments.experimentrow",
        "experiments.experimenteventrow",
    ),
    ACCESS: (
        "auth.user",
        "auth.group",
        "access.apitoken",
        "access.membershiprow",
    ),
}

_LABELS = {HISTORY: "records", ACCESS: "access", INTERNALS: "internals"}


def in_sections(apps: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the list of apps of `AdminSite.get_app_list` as sections of tables.

    Sections have the members of apps, so that the templates of Django show them.
    """
    tables = {_key(model): model for app in apps for model in app["models"]}
    sections = [
        _section(name, [tables.pop(key) for key in keys if key in tables])
        for name, keys in _SECTIONS.items()
    ]
    rest = sorted(tables.values(), key=lambda model: str(model["name"]))
    return [section for section in (*sections, _section(INTERNALS, rest)) if section["models"]]


def _key(model: Mapping[str, Any]) -> str:
    return str(model["model"]._meta.label_lower)


def _section(name: str, models: list[Any]) -> dict[str, Any]:
    return {
        "name": name,
        "app_label": _LABELS[name],
        "app_url": "",
        "has_module_perms": True,
        "models": models,
    }
