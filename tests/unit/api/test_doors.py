"""A value has the same rules at every door: HTTP and files."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import pytest

from apps.api.resources.commands import CommandRequest
from apps.api.resources.embodiments import Visit
from apps.api.resources.experiments import NewExperiment
from apps.api.resources.forks import ForkRequest
from apps.api.resources.interventions import Perceived, Thought
from apps.api.resources.interviews import Question
from apps.api.resources.simulation_forms import ChangeSimulation
from apps.api.resources.work import ReasonToStop
from apps.evaluation.questionnaires.typed_questions import Questionnaire
from apps.experiments.design import ExperimentDesign
from apps.inspection.memories import MeaningSearch
from apps.kernel.errors import DomainError
from apps.kernel.game_time import TICK_MAX, GameCalendar
from apps.kernel.request_models import RequestModel, read_values
from apps.kernel.requested_values import SEED_MAX
from apps.llm.calls.budget import MONEY_MAX, TOKENS_MAX
from apps.simulation.commands.branch_interventions import BranchIntervention
from apps.simulation.engine.lifecycle import Run, SimulationSpec

pytestmark = pytest.mark.unit

CALENDAR = GameCalendar(start=datetime(2023, 2, 13), tick_seconds=10)
CONTEXT = {"calendar": CALENDAR}
Door = Callable[[Any], bool]
"""Whether a value is taken."""


def body(model: type[RequestModel], **others: Any) -> Callable[[str], Callable[[Any], bool]]:
    """Return the doors of a pydantic model, by the name of the member."""

    def door(name: str) -> Door:
        def takes(value: Any) -> bool:
            try:
                read_values(model, others | {name: value}, context=CONTEXT)
            except DomainError:
                return False
            return True

        return takes

    return door


DESIGN = {"name": "a", "seeds": [1], "moments": [10], "measures": ["plans.short"]}
FORK = {"at": 10, "name": "branch"}
LEVEL = {"at": 1, "commands": [{"kind": "send-away", "agent": "ada-finch"}]}
_design = body(ExperimentDesign, **DESIGN)
_intervention = body(BranchIntervention, kind="inner-voice", agent="ada-finch")


def _question_of_list(value: Any) -> bool:
    return body(Questionnaire, name="mood")("questions")([{"name": "a", "text": value}])


VALUES: Mapping[str, tuple[list[Any], list[Any], Mapping[str, Door]]] = {
    "seed": (
        [0, 7, SEED_MAX],
        [-1, SEED_MAX + 1, 1.5],
        {
            "createSimulation": body(SimulationSpec, name="a")("seed"),
            "forkSimulation": body(ForkRequest, **FORK)("seed"),
            "experiment": lambda value: _design("seeds")([value]),
            "range of an experiment": lambda value: _design("seeds")(
                {"from": value, "to": value}
            ),
        },
    ),
    "ticks": (
        [1, TICK_MAX],
        [0, -1, TICK_MAX + 1, 2**31 - 3],
        {
            "runSimulation": body(Run)("ticks"),
        },
    ),
    "moment": (
        [1, TICK_MAX, "2023-02-14T08:00", "2023-02-14T08:00:00"],
        [-1, TICK_MAX + 1, 2**31 - 3, True, "noon", "2023-02-14T08:00Z", "2023-02-30T08:00"],
        {
            "command": body(CommandRequest)("at"),
            "runSimulation": body(Run)("until"),
            "forkSimulation": body(ForkRequest, name="branch")("at"),
            "experiment": lambda value: _design("moments")([value]),
            "intervention of an experiment": lambda value: _design("interventions")(
                {"told": LEVEL | {"at": value}}
            ),
        },
    ),
    "pace": (
        [0.001, 60, 1_000_000],
        [0, -1, 1_000_001, float("nan"), float("inf")],
        {
            "runSimulation": body(Run)("pace"),
        },
    ),
    "name of a simulation": (
        ["a", "a" * 120],
        ["", " ", "a" * 121, "a\0b"],
        {
            "createSimulation": body(SimulationSpec)("name"),
            "changeSimulation": body(ChangeSimulation)("name"),
            "forkSimulation": body(ForkRequest, at=10)("name"),
        },
    ),
    "reason": (
        ["to see", "a" * 500],
        ["a" * 501, "a\0b"],
        {
            "command": body(CommandRequest)("reason"),
            "experiment": body(NewExperiment, **DESIGN)("reason"),
            "pause of work": body(ReasonToStop)("reason"),
            "intervention of a fork": body(
                BranchIntervention, kind="send-away", agent="ada-finch"
            )("reason"),
        },
    ),
    "text of an inner voice": (
        ["Go home", "a" * 1_000],
        ["", " ", "a" * 1_001, "a\0b"],
        {
            "giveInnerVoice": body(Thought)("text"),
            "giveObservation": body(Perceived)("text"),
            "intervention of a fork": _intervention("text"),
            "intervention of an experiment": lambda value: _design("interventions")(
                {"told": LEVEL | {"commands": [_voice(value)]}}
            ),
        },
    ),
    "question": (
        ["Who are you?", "a" * 1_000],
        ["", " ", "a" * 1_001, "a\0b"],
        {
            "interviewAgent": body(Question)("question"),
            "questionnaire": _question_of_list,
        },
    ),
    "tokens of a budget": (
        [1, TOKENS_MAX],
        [0, -1, TOKENS_MAX + 1],
        {
            "createSimulation": lambda value: body(SimulationSpec, name="a")("budget")(
                {"tokens": value}
            ),
            "experiment": lambda value: _design("budget")({"tokens": value}),
        },
    ),
    "money of a budget": (
        [0.000_001, 3, MONEY_MAX],
        [0, -1, MONEY_MAX + 1, True, "a lot", float("nan")],
        {
            "createSimulation": lambda value: body(SimulationSpec, name="a")("budget")(
                {"money": value}
            ),
            "experiment": lambda value: _design("budget")({"money": value}),
        },
    ),
    "agents": (
        [1, 1_000, ["Ada Finch"]],
        [0, -1, 1_001, True, [], "Ada Finch", [1], ["a" * 121]],
        {
            "createSimulation": body(SimulationSpec, name="a")("agents"),
            "experiment": _design("agents"),
        },
    ),
    "model": (
        ["offline", {"server": "offline"}, {"temperature": 2}],
        [7, {"temperature": 2.1}, {"prompt_form": "tiny"}, {"key": "x"}, "a" * 301],
        {
            "createSimulation": body(SimulationSpec, name="a")("model"),
            "forkSimulation": body(ForkRequest, **FORK)("model"),
            "experiment": lambda value: _design("models")({"one": value}),
        },
    ),
    "age of a visitor": (
        [0, 30, 150],
        [-1, 151, "30"],
        {"visit": body(Visit, name="A")("age")},
    ),
}


def _voice(text: str) -> dict[str, str]:
    return {"kind": "inner-voice", "agent": "ada-finch", "text": text}


@pytest.mark.parametrize(
    ("value", "door"),
    [(value, door) for value, (_, _, doors) in VALUES.items() for door in doors],
)
def test_take_and_refuse_the_same(value: str, door: str) -> None:
    good, bad, doors = VALUES[value]
    assert [one for one in good if not doors[door](one)] == []
    assert [one for one in bad if doors[door](one)] == []


class TestLetters:
    """Names and texts in composed and decomposed letters are the same (NFC)."""

    DECOMPOSED, COMPOSED = "Cafe\u0301", "Caf\u00e9"

    def test_are_composed_in_files_and_bodies(self) -> None:
        design = read_values(ExperimentDesign, DESIGN | {"title": self.DECOMPOSED})
        assert design.title == self.COMPOSED
        assert read_values(Visit, {"name": self.DECOMPOSED}).name == self.COMPOSED

    def test_are_composed_in_searches_of_the_admin(self) -> None:
        field = MeaningSearch.base_fields["query"]
        assert field.clean(self.DECOMPOSED) == self.COMPOSED
