"""The description of every parameter of a path, by its name."""

from typing import Any

from apps.api.http.fields import SLUG_PATTERN
from apps.evaluation.questionnaires.typed_questions import NAME_PATTERN
from apps.kernel.game_time import TICK_MAX


def _text(description: str, example: str, **schema: Any) -> dict[str, Any]:
    return {
        "description": description,
        "schema": {"type": "string", **schema},
        "example": example,
    }


def _slug(description: str) -> dict[str, Any]:
    return _text(description, "isabella-rodriguez", pattern=f"^{SLUG_PATTERN}$")


def _uuid(description: str) -> dict[str, Any]:
    return _text(description, "5f0c7a9e-3f0b-4d7a-9b53-0f3b1c1c9a11", format="uuid")


def _integer(description: str, example: int, **schema: int) -> dict[str, Any]:
    return {
        "description": description,
        "schema": {"type": "integer", **schema},
        "example": example,
    }


PATH_PARAMETERS: dict[str, dict[str, Any]] = {
    "simulation": _uuid("The simulation's id."),
    "agent": _slug("The agent's slug."),
    "command": _uuid("The command's id."),
    "interview": _uuid("The interview's id."),
    "counterfactual": _uuid("The counterfactual's id."),
    "experiment": _uuid("The experiment's id."),
    "replay": _uuid("The replay's id."),
    "survey": _uuid("The survey's id."),
    "ranking": _uuid("The ranking's id."),
    "search": _uuid("The news search's id."),
    "task": _uuid("The id of a task of the ranking."),
    "questionnaire": _text(
        "The questionnaire's name.", "paper", pattern=f"^{NAME_PATTERN}$", maxLength=60
    ),
    "other": _uuid("The id of the simulation to compare with."),
    "figure": _text(
        "The name of the figure: that of its measure, with hyphens for other signs than "
        "letters, digits, dots, hyphens and underscores.",
        "plans.begun_share",
        pattern=r"^[A-Za-z0-9_.-]{1,210}$",
    ),
    "plot": _text("The plot's name.", "activity", maxLength=60),
    "embodiment": _integer("The embodiment's id: its number in the simulation.", 1, minimum=1),
    "number": _integer("The memory's id: its number in the agent's stream.", 12, minimum=1),
    "tick": _integer("The first part of the id.", 2490, minimum=0, maximum=TICK_MAX),
    "stream": _slug('The second part of the id: a slug, "commands" or "simulation".'),
    "opener": _slug("The second part of the id: the slug of the first speaker."),
    "ordinal": _integer("The third part of the id.", 0, minimum=0),
    "llm_task": _text(
        "The third part of the id.", "planning.day_outline", pattern=r"^[a-z0-9_.]{1,80}$"
    ),
    "call": _integer("The fourth part of the id.", 0, minimum=0),
    "username": _text("The user's name.", "klaus", maxLength=150),
    "file": _text("The name of an image, as the map has it.", "tileset.png"),
}
