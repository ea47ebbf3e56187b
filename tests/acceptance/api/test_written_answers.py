"""Answers that people write in the voice of an agent: a condition of their own in rankings."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.access.membership import add_member
from apps.access.rights import Role
from apps.evaluation.models import RankingTaskRow, WrittenAnswerRow
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, problem
from tests.acceptance.api.ranking import CONDITIONS, requested

pytestmark = pytest.mark.django_db

AGENT = "klaus-mueller"


@pytest.fixture
def moment(isabella: Caller, survey: str) -> int:
    """Return the tick at which the survey asks."""
    tick: int = isabella.get(survey).json()["moments"][0]["tick"]
    return tick


@pytest.fixture
def writer(klaus: Caller, town: str) -> Caller:
    """Return another user who may write answers."""
    simulation_id = SimulationRow.objects.get(pk=town.rpartition("/")[2]).pk
    klaus_user = User.objects.get(username="klaus")
    add_member(simulation_id, klaus_user.username, Role.COLLABORATOR, by="isabella")
    return klaus


def answer(moment: int, question: str, words: str) -> dict[str, Any]:
    """Return the body of an answer in the voice of Klaus."""
    return {"agent": AGENT, "moment": moment, "question": question, "answer": words}


def human_answers(ranking: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Return the human answer of each task and its writer, by question."""
    return {
        row.question: (row.answers["human"], row.written_by)
        for row in RankingTaskRow.objects.filter(ranking=ranking["id"])
    }


class TestOneAnswer:
    def test_is_a_condition_of_rankings(
        self, isabella: Caller, survey: str, moment: int
    ) -> None:
        path = f"{survey}/written-answers"
        unknown = answer(moment, "hobby", "Chess.")
        problem(isabella.post(path, {"answers": [unknown]}), 422, "invalid-request")
        isabella.post(path, {"answers": [answer(moment, "work", "I do not know.")]})
        written = isabella.post(
            path, {"answers": [answer(moment, "work", "I study sociology.")]}
        )
        assert written.status_code == 200
        (listed,) = isabella.everything(path)
        assert (listed["answer"], listed["by"]) == ("I study sociology.", "isabella")
        # Only one question has an answer under each condition, the written one included.
        ranking = requested(isabella, survey, judge="people")
        assert ranking["conditions"] == [*CONDITIONS, "human"]
        assert (ranking["progress"]["total"], ranking["left_out"]) == (1, 5)
        (task,) = isabella.everything(f"{survey}/rankings/{ranking['id']}/tasks")
        assert "I study sociology." in [one["answer"] for one in task["answers"]]
        without = requested(isabella, survey, judge="people", conditions=CONDITIONS)
        assert without["progress"]["total"] == 6
        writers = RankingTaskRow.objects.filter(ranking=without["id"])
        assert {row.written_by for row in writers} == {""}

    def test_of_another_person_is_kept_beside_it(
        self, isabella: Caller, writer: Caller, survey: str, moment: int
    ) -> None:
        path = f"{survey}/written-answers"
        isabella.post(path, {"answers": [answer(moment, "work", "I study sociology.")]})
        assert (
            writer.post(
                path, {"answers": [answer(moment, "work", "I am a student.")]}
            ).status_code
            == 200
        )
        listed = isabella.everything(path, limit=1)
        assert isabella.everything(path, search="A Student") == listed[1:]
        assert [(one["by"], one["answer"]) for one in listed] == [
            ("isabella", "I study sociology."),
            ("klaus", "I am a student."),
        ]
        # A ranking compares one of them; which one, its seed decides, and it is told.
        by_seed = {
            seed: human_answers(requested(isabella, survey, judge="people", seed=seed))["work"]
            for seed in range(12)
        }
        assert set(by_seed.values()) == {
            ("I study sociology.", "isabella"),
            ("I am a student.", "klaus"),
        }
        again = requested(isabella, survey, judge="people", seed=5)
        assert human_answers(again)["work"] == by_seed[5]
        shown = f"{survey}/rankings/{again['id']}"
        (task,) = isabella.everything(f"{shown}/tasks")
        assert not {"isabella", "klaus"} & {str(value) for value in task.values()}
        ranks = {letter["letter"]: 1 for letter in task["answers"]}
        isabella.post(f"{shown}/tasks/{task['id']}/judgement", {"ranks": ranks})
        (judgement,) = isabella.everything(f"{shown}/judgements")
        assert judgement["written_by"] == by_seed[5][1]

    def test_is_of_the_person_who_answers_the_other_questions(
        self, isabella: Caller, writer: Caller, survey: str, moment: int
    ) -> None:
        path = f"{survey}/written-answers"
        for question in ("who", "work", "day"):
            isabella.post(
                path, {"answers": [answer(moment, question, f"Isabella on {question}.")]}
            )
        for question in ("who", "work"):
            writer.post(path, {"answers": [answer(moment, question, f"Klaus on {question}.")]})
        writers = [
            {
                question: by
                for question, (_, by) in human_answers(
                    requested(isabella, survey, judge="people", seed=seed)
                ).items()
            }
            for seed in range(12)
        ]
        of_isabella = dict.fromkeys(("who", "work", "day"), "isabella")
        of_klaus = of_isabella | {"who": "klaus", "work": "klaus"}
        assert all(one in (of_isabella, of_klaus) for one in writers)
        assert of_isabella in writers
        assert of_klaus in writers


class TestManyAnswers:
    def test_are_recorded_in_one_request(
        self, isabella: Caller, survey: str, moment: int
    ) -> None:
        path = f"{survey}/written-answers"
        isabella.post(path, {"answers": [answer(moment, "work", "I do not know.")]})
        sent = [
            answer(moment, "work", "I study sociology."),
            answer(moment, "day", "I will be in the library."),
        ]
        response = isabella.post(path, {"answers": sent})
        assert response.status_code == 200, response.content
        recorded = response.json()["answers"]
        assert [(one["question"], one["answer"]) for one in recorded] == [
            (one["question"], one["answer"]) for one in sent
        ]
        assert {one["by"] for one in recorded} == {"isabella"}
        kept = {one["question"]: one for one in isabella.everything(path)}
        assert kept == {one["question"]: one for one in recorded}

    def test_are_all_refused_if_one_cannot_be_used(
        self, isabella: Caller, survey: str, moment: int
    ) -> None:
        path = f"{survey}/written-answers"
        isabella.post(path, {"answers": [answer(moment, "who", "I am Klaus.")]})
        sent = [
            answer(moment, "who", "I am somebody else."),
            answer(moment, "hobby", "Chess."),
            answer(moment, "work", "I study sociology."),
            answer(moment, "work", "I study."),
            answer(moment - 1, "day", "I will be in the library."),
        ]
        refused = problem(isabella.post(path, {"answers": sent}), 422, "invalid-request")
        errors = {one["pointer"]: one for one in refused["errors"]}
        assert errors.keys() == {"/answers/1", "/answers/3", "/answers/4"}
        assert {one["code"] for one in errors.values()} == {"unusable-written-answer"}
        assert "answer 2 of this list" in errors["/answers/3"]["detail"]
        (kept,) = WrittenAnswerRow.objects.filter(agent=AGENT)
        assert (kept.question, kept.answer) == ("who", "I am Klaus.")

    def test_name_the_place_of_a_malformed_one(
        self, isabella: Caller, survey: str, moment: int
    ) -> None:
        path = f"{survey}/written-answers"
        malformed = answer(moment, "work", "I study sociology.") | {"answer": " "}
        sent = [answer(moment, "who", "I am Klaus."), malformed]
        refused = problem(isabella.post(path, {"answers": sent}), 422, "invalid-request")
        assert [one["pointer"] for one in refused["errors"]] == ["/answers/1/answer"]
        problem(isabella.post(path, {"answers": []}), 422, "invalid-request")
        assert not WrittenAnswerRow.objects.exists()
