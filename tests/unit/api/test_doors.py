"""A value has the same rules at every door: HTTP, files, options, forms of the admin."""

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
from apps.api.resources.simulation_forms import ChangeSimulation, FoundSimulation, Run
from apps.api.resources.work import ReasonToStop
from apps.console.management.commands.simulate import KINDS
from apps.evaluation.questionnaires.typed_questions import Questionnaire
from apps.experiments.design import ExperimentDesign
from apps.inspection.controls import (
    ControlForm,
    ForkForm,
    InnerVoiceForm,
    InterviewForm,
    PauseForm,
    RunForm,
)
from apps.inspection.memories import MeaningSearch
from apps.kernel.errors import DomainError
from apps.kernel.game_time import TICK_MAX, GameCalendar
from apps.kernel.request_models import RequestModel, read_value, read_values
from apps.kernel.requested_values import SEED_MAX
from apps.llm.calls.budget import MONEY_MAX, TOKENS_MAX, Budget
from apps.simulation.commands.branch_interventions import BranchIntervention

pytestmark = pytest.mark.unit

CALENDAR = GameCalendar(start=datetime(2023, 2, 13), tick_seconds=10)
CONTEXT = {"calendar": CALENDAR}
AGENTS = {"ada-finch": "Ada Finch"}
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


def form(kind: type[ControlForm], **others: Any) -> Callable[[str], Door]:
    """Return the doors of a form of the admin, by the name of the field."""
    filled = {"reason": "to see", "agent": "ada-finch", **others}
    return lambda name: (
        lambda value: bool(kind({**filled, name: value}, names=AGENTS).is_valid())
    )


def option(name: str) -> Door:
    """Return the door of an option of a command."""

    def takes(value: Any) -> bool:
        try:
            read_value(KINDS[name], value, name)
        except DomainError:
            return False
        return True

    return takes


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
            "createSimulation": body(FoundSimulation, name="a")("seed"),
            "forkSimulation": body(ForkRequest, **FORK)("seed"),
            "experiment": lambda value: _design("seeds")([value]),
            "range of an experiment": lambda value: _design("seeds")(
                {"from": value, "to": value}
            ),
            "--seed": option("seed"),
        },
    ),
    "ticks": (
        [1, TICK_MAX],
        [0, -1, TICK_MAX + 1, 2**31 - 3],
        {
            "runSimulation": body(Run)("ticks"),
            "--ticks": option("ticks"),
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
            "form of a run": form(RunForm, until="2023-02-14T08:00")("pace"),
        },
    ),
    "name of a simulation": (
        ["a", "a" * 120],
        ["", " ", "a" * 121, "a\0b"],
        {
            "createSimulation": body(FoundSimulation)("name"),
            "changeSimulation": body(ChangeSimulation)("name"),
            "forkSimulation": body(ForkRequest, at=10)("name"),
            "form of a fork": form(ForkForm, at="2023-02-14T08:00")("name"),
            "--name": option("name"),
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
            "form of a pause": form(PauseForm)("reason"),
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
            "form of an inner voice": form(InnerVoiceForm)("text"),
        },
    ),
    "question": (
        ["Who are you?", "a" * 1_000],
        ["", " ", "a" * 1_001, "a\0b"],
        {
            "interviewAgent": body(Question)("question"),
            "questionnaire": _question_of_list,
            "form of an interview": form(InterviewForm, persona="a friend")("question"),
        },
    ),
    "tokens of a budget": (
        [1, TOKENS_MAX],
        [0, -1, TOKENS_MAX + 1],
        {
            "createSimulation": lambda value: body(FoundSimulation, name="a")("budget")(
                {"tokens": value}
            ),
            "experiment": lambda value: _design("budget")({"tokens": value}),
            "--budget-tokens": body(Budget)("tokens"),
        },
    ),
    "money of a budget": (
        [0.000_001, 3, MONEY_MAX],
        [0, -1, MONEY_MAX + 1, True, "a lot", float("nan")],
        {
            "createSimulation": lambda value: body(FoundSimulation, name="a")("budget")(
                {"money": value}
            ),
            "experiment": lambda value: _design("budget")({"money": value}),
            "--budget-money": body(Budget)("money"),
        },
    ),
    "agents": (
        [1, 1_000, ["Ada Finch"]],
        [0, -1, 1_001, True, [], "Ada Finch", [1], ["a" * 121]],
        {
            "createSimulation": body(FoundSimulation, name="a")("agents"),
            "experiment": _design("agents"),
        },
    ),
    "model": (
        ["offline", {"server": "offline"}, {"temperature": 2}],
        [7, {"temperature": 2.1}, {"prompt_form": "tiny"}, {"key": "x"}, "a" * 301],
        {
            "createSimulation": body(FoundSimulation, name="a")("model"),
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

    def test_are_composed_in_forms_of_the_admin(self) -> None:
        filled = {"at": "2023-02-14T08:00", "name": self.DECOMPOSED, "reason": self.DECOMPOSED}
        fork = ForkForm(filled, names=AGENTS)
        assert fork.is_valid()
        assert (fork.cleaned_data["name"], fork.cleaned_data["reason"]) == (self.COMPOSED,) * 2

    def test_are_composed_in_searches_of_the_admin(self) -> None:
        field = MeaningSearch.base_fields["query"]
        assert field.clean(self.DECOMPOSED) == self.COMPOSED
