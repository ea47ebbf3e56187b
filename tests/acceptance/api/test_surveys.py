"""Questionnaires and surveys over HTTP: asked of agents at past moments."""

from collections import Counter
from typing import Any

import pytest
from django.utils import timezone

from apps import wiring
from apps.evaluation.models import SurveyRow
from apps.evaluation.surveys.commands import SURVEYS
from apps.eventlog.store import log_sha256
from apps.interaction.models import InterviewRow
from apps.llm.models import ModelCallRow
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, accepted, problem
from tests.acceptance.api.ranking import downloaded
from tests.support.lost import lose_process

pytestmark = pytest.mark.django_db

MOOD = {
    "name": "mood",
    "title": "Mood and news",
    "questions": [
        {
            "name": "mood",
            "text": "How do you feel today?",
            "answer": {"kind": "scale", "minimum": 1, "maximum": 7, "high": "very good"},
        },
        {
            "name": "party",
            "text": "Is there a Valentine's Day party?",
            "answer": {"kind": "choice", "options": ["yes", "no"]},
        },
        {"name": "age", "text": "How old are you?", "answer": {"kind": "number"}},
        {"name": "self", "category": "open", "text": "Who are you?"},
    ],
}


@pytest.fixture
def surveys(town: str) -> str:
    """Return the address of the simulation's surveys."""
    return f"{town}/surveys"


@pytest.fixture
def mood(isabella: Caller) -> str:
    """Add a questionnaire of Isabella's; return its name."""
    assert isabella.post("/questionnaires", MOOD).status_code == 201
    return "mood"


def work() -> None:
    """Do what workers do with the surveys that wait."""
    for survey_id in SURVEYS.ids():
        SURVEYS.carry_out(wiring.ports(), survey_id)


def requested(caller: Caller, surveys: str, **body: Any) -> dict[str, Any]:
    """Request a survey; return it as it was accepted."""
    return accepted(caller.post(surveys, body))


class TestQuestionnaire:
    def test_of_the_paper_ships_with_25_questions_in_five_categories(
        self, isabella: Caller
    ) -> None:
        paper = isabella.get("/questionnaires/paper").json()
        categories = [question["category"] for question in paper["questions"]]
        assert paper["is_shipped"]
        assert {name: categories.count(name) for name in categories} == {
            "self-knowledge": 5,
            "memory": 5,
            "plans": 5,
            "reactions": 5,
            "reflections": 5,
        }

    def test_of_a_user_is_its_own(self, isabella: Caller, klaus: Caller, mood: str) -> None:
        listed = isabella.everything("/questionnaires")
        assert [one["name"] for one in listed] == ["mood", "news", "paper"]
        shown = isabella.get(f"/questionnaires/{mood}").json()
        assert shown["questions"][0]["answer"] == MOOD["questions"][0]["answer"]  # type: ignore[index]
        problem(klaus.get(f"/questionnaires/{mood}"), 404, "questionnaire-unknown")
        problem(isabella.post("/questionnaires", MOOD), 409, "questionnaire-exists")
        assert isabella.delete(f"/questionnaires/{mood}").status_code == 204
        problem(isabella.delete(f"/questionnaires/{mood}"), 404, "questionnaire-unknown")

    @pytest.mark.parametrize(
        ("change", "pointer"),
        [
            ({"name": "Two Words"}, "/name"),
            ({"questions": []}, "/questions"),
            ({"questions": [{"name": "one", "text": "Who is {nobody}?"}]}, "/questions/0/text"),
            ({"questions": [{"name": "one", "text": "Who?"}] * 2}, "/questions"),
            (
                {"questions": [{"name": "a", "text": "A?", "answer": {"kind": "choice"}}]},
                "/questions/0/answer",
            ),
        ],
    )
    def test_with_a_fault_is_refused(
        self, isabella: Caller, change: dict[str, Any], pointer: str
    ) -> None:
        response = isabella.post("/questionnaires", MOOD | change)
        told = problem(response, 422, "invalid-request")
        assert [one["pointer"] for one in told["errors"]] == [pointer]


class TestSurvey:
    def test_asks_each_question_at_each_moment_under_each_condition(
        self, isabella: Caller, lived: SimulationRow, surveys: str, mood: str
    ) -> None:
        before = log_sha256(lived.pk)
        asked = requested(
            isabella,
            surveys,
            questionnaire=mood,
            agents=["isabella-rodriguez", "klaus-mueller"],
            moments=["2023-02-13T06:30:00", "2023-02-13T08:00:00"],
            conditions=["full", "observation+dialogue", "plan"],
        )
        assert asked["state"] == "pending"
        assert asked["progress"]["total"] == 2 * 2 * 3 * 4
        # Two names of one set of kinds are one condition.
        assert asked["conditions"] == ["full", "no-reflection-no-planning", "plan"]
        work()
        shown = isabella.get(f"{surveys}/{asked['id']}").json()
        assert (shown["state"], shown["problem"]) == ("done", None)
        assert shown["progress"]["answered"] == 48
        assert (shown["progress"]["failed"], shown["progress"]["invalid"]) == (0, 0)
        assert shown["tokens"] > 48 * 100
        # Nothing of the history has changed.
        assert log_sha256(lived.pk) == before
        [listed] = isabella.get(surveys).json()["results"]
        assert listed == shown

    def test_stores_values_answers_and_memories(
        self, isabella: Caller, surveys: str, mood: str
    ) -> None:
        asked = requested(
            isabella,
            surveys,
            questionnaire=mood,
            agents=["isabella-rodriguez"],
            conditions=["full", "reflection"],
        )
        work()
        path = f"{surveys}/{asked['id']}/interviews"
        [party] = isabella.everything(path, question="party", conditions="full")
        assert (party["value"], party["parse_error"]) == ("yes", None)
        assert party["answer"].startswith("Yes.")
        assert any("party" in memory["description"] for memory in party["memories"])
        assert party["model_calls"][-1].split("/")[2] == "interview.choice"
        [mood_value] = isabella.everything(path, question="mood", conditions="full")
        assert (mood_value["value"], mood_value["no_value"]) == (None, "form-not-answered")
        assert mood_value["answer_form"]["kind"] == "scale"
        [age] = isabella.everything(path, question="age", conditions="full")
        assert (age["value"], age["no_value"]) == (34, None)
        [who] = isabella.everything(path, question="self", conditions="full")
        assert (who["value"], who["category"]) == (None, "open")
        # A download has all of them, or those that are asked for, one a line.
        everything = isabella.everything(path)
        assert len(everything) == 2 * len(MOOD["questions"])
        assert downloaded(isabella, path) == everything
        assert downloaded(isabella, path, question="party", conditions="full") == [party]
        # Under a condition, no memory of another kind is in a prompt.
        under = isabella.everything(path, conditions="reflection")
        assert {memory["kind"] for one in under for memory in one["memories"]} <= {"reflection"}
        [unaware] = (one for one in under if one["question_name"] == "party")
        assert (unaware["value"], unaware["no_value"]) == (None, "not-supported")
        progress = isabella.get(f"{surveys}/{asked['id']}").json()["progress"]
        assert progress["without_value"] == {"form-not-answered": 2, "not-supported": 1}

    def test_understands_it_as_the_subject_of_the_question_before(
        self, isabella: Caller, surveys: str
    ) -> None:
        told = {"name": "told", "text": "Who told you of it?"}
        for name, before in (("both", MOOD["questions"][1]), ("alone", None)):
            questions = [one for one in (before, told) if one]
            body = {"name": name, "title": name, "questions": questions}
            assert isabella.post("/questionnaires", body).status_code == 201
            asked = requested(
                isabella, surveys, questionnaire=name, agents=["isabella-rodriguez"]
            )
            work()
            path = f"{surveys}/{asked['id']}/interviews"
            [answer] = isabella.everything(path, question="told")
            assert ("Valentine's Day party" in answer["answer"]) == bool(before)
            [call] = answer["model_calls"]
            prompt = isabella.get(f"{surveys.removesuffix('/surveys')}/model-calls/{call}")
            assert ("Is there a Valentine" in prompt.content.decode()) == bool(before)

    def test_fills_in_names_of_acquaintances(
        self, isabella: Caller, surveys: str, lived: SimulationRow
    ) -> None:
        asked = requested(
            isabella, surveys, questionnaire="paper", agents=["isabella-rodriguez"]
        )
        rows = InterviewRow.objects.filter(surveyinterviewrow__survey_id=asked["id"])
        assert rows.count() == 25
        for row in rows:
            is_unknown = row.problem_code == "nobody-known"
            assert ("{" in row.question) == is_unknown
            assert row.state == ("failed" if is_unknown else "pending")
            assert (row.finished_at is not None) == is_unknown

    def test_goes_on_after_its_worker_is_lost_and_pays_no_call_again(
        self, isabella: Caller, surveys: str, mood: str
    ) -> None:
        asked = requested(isabella, surveys, questionnaire=mood, agents=["isabella-rodriguez"])
        work()
        calls = ModelCallRow.objects.filter(task__startswith="interview.")
        paid = calls.count()
        answers = isabella.everything(f"{surveys}/{asked['id']}/interviews")
        # As a kill leaves it: two were recorded, one was at the model, one had not begun.
        rows = InterviewRow.objects.filter(surveyinterviewrow__survey_id=asked["id"])
        numbers = sorted(rows.values_list("number", flat=True))
        rows.filter(number=numbers[2]).update(state="running")
        rows.filter(number=numbers[3]).update(state="pending")
        survey = SurveyRow.objects.filter(pk=asked["id"])
        survey.update(state="running", seen_at=timezone.now())
        assert SURVEYS.ids() == []
        lose_process(survey)
        work()
        again = isabella.everything(f"{surveys}/{asked['id']}/interviews")
        assert [one["answer"] for one in again] == [one["answer"] for one in answers]
        assert {one["state"] for one in again} == {"done"}
        assert calls.count() == paid

    def test_leaves_a_call_to_the_process_that_makes_it_as_long_as_it_lives(
        self, isabella: Caller, surveys: str, mood: str
    ) -> None:
        asked = requested(isabella, surveys, questionnaire=mood, agents=["isabella-rodriguez"])
        rows = InterviewRow.objects.filter(surveyinterviewrow__survey_id=asked["id"])
        first = rows.order_by("number")[0]
        InterviewRow.objects.filter(pk=first.pk).update(state="running", seen_at=timezone.now())
        work()
        path = f"{surveys}/{asked['id']}"
        shown = isabella.get(path).json()
        assert (shown["state"], shown["progress"]["answered"]) == ("pending", 3)
        assert shown["waits_for"] == "a worker"
        lose_process(InterviewRow.objects.filter(pk=first.pk))
        work()
        shown = isabella.get(path).json()
        assert (shown["state"], shown["progress"]["answered"]) == ("done", 4)

    def test_pauses_at_its_limit_and_is_resumed(
        self, isabella: Caller, surveys: str, mood: str
    ) -> None:
        asked = requested(
            isabella,
            surveys,
            questionnaire=mood,
            agents=["isabella-rodriguez"],
            tokens_max=1,
        )
        path = f"{surveys}/{asked['id']}"
        problem(isabella.post(f"{path}/resume", {}), 409, "work-not-paused")
        work()
        paused = isabella.get(path).json()
        assert (paused["state"], paused["progress"]["answered"]) == ("paused", 1)
        assert paused["problem"]["code"] == "token-limit-reached"
        resumed = isabella.post(f"{path}/resume", {"tokens_max": 1_000_000})
        assert (resumed.status_code, resumed.json()["problem"]) == (202, None)
        work()
        assert isabella.get(path).json()["progress"]["answered"] == 4

    def test_is_estimated_before(self, isabella: Caller, surveys: str, mood: str) -> None:
        body = {
            "questionnaire": mood,
            "agents": ["isabella-rodriguez"],
            "conditions": ["full", "no-reflection"],
        }
        estimate = isabella.post(f"{surveys}/estimate", body).json()
        assert not isabella.get(surveys).json()["results"]
        requested(isabella, surveys, **body)
        work()
        ids = [call for row in InterviewRow.objects.all() for call in row.model_calls]
        made = ModelCallRow.objects.filter(call_id__in=ids)
        assert estimate["interviews"] == 8
        assert estimate["calls"] == made.count() == 8 + 1
        assert {line["rests_on"] for line in estimate["by_task"]} <= {
            "figures",
            "figures, with own tokens a call",
        }
        # The figures are of the right size: between half and twice what is used.
        used = sum(made.values_list("prompt_tokens", flat=True))
        assert used / 2 < estimate["prompt_tokens"] < used * 2

    def test_is_bounded_alike_when_it_is_estimated(
        self, isabella: Caller, surveys: str, mood: str
    ) -> None:
        body = {
            "questionnaire": mood,
            "moments": list(range(1_000)),
            "conditions": [
                "full",
                "observation",
                "reflection",
                "plan",
                "dialogue",
                "no-reflection",
            ],
        }
        for path in (surveys, f"{surveys}/estimate"):
            refused = problem(isabella.post(path, body), 422, "unusable-survey")
            assert "24,000 questions; ask 1 to 20,000" in refused["detail"]

    def test_makes_a_summary_once_for_an_agent_a_moment_and_a_condition(
        self, isabella: Caller, surveys: str, mood: str
    ) -> None:
        body = {
            "questionnaire": mood,
            "agents": ["isabella-rodriguez", "klaus-mueller"],
            "moments": ["2023-02-13T07:00:00", "2023-02-13T08:00:00"],
            "conditions": ["full", "no-reflection", "no-reflection-no-planning"],
        }
        estimate = isabella.post(f"{surveys}/estimate", body).json()
        asked = requested(isabella, surveys, **body)
        work()
        made = ModelCallRow.objects.filter(
            task="self_summary.summaries",
            call_id__in=[call for row in self.interviews_of(asked) for call in row.model_calls],
        )
        by_task = {line["task"]: line["calls"] for line in estimate["by_task"]}
        assert made.count() == by_task["self_summary.summaries"] == 2 * 2 * 2
        # Each interview tells the call behind its prompt, and the survey counts it once.
        behind = [row.model_calls[0] for row in self.interviews_of(asked, but="full")]
        assert Counter(behind) == dict.fromkeys(made.values_list("call_id", flat=True), 4)
        shown = isabella.get(f"{surveys}/{asked['id']}").json()
        ids = {call for row in self.interviews_of(asked) for call in row.model_calls}
        used = ModelCallRow.objects.filter(call_id__in=ids)
        assert shown["tokens"] == sum(one.prompt_tokens + one.completion_tokens for one in used)

    def interviews_of(self, asked: dict[str, Any], *, but: str = "") -> list[InterviewRow]:
        """Return the interviews of a survey, without those under a condition."""
        rows = InterviewRow.objects.filter(surveyinterviewrow__survey_id=asked["id"])
        return list(rows.exclude(conditions=but))

    def test_makes_the_summary_of_another_survey_anew(
        self, isabella: Caller, surveys: str, mood: str
    ) -> None:
        body = {
            "questionnaire": mood,
            "agents": ["isabella-rodriguez"],
            "conditions": ["no-reflection"],
        }
        both = [requested(isabella, surveys, **body) for _ in range(2)]
        work()
        first, second = (
            {row.model_calls[0] for row in self.interviews_of(asked)} for asked in both
        )
        assert len(first) == len(second) == 1
        assert first != second

    def test_has_its_claims_compared_with_memories(
        self, isabella: Caller, surveys: str
    ) -> None:
        asked = requested(
            isabella,
            surveys,
            questionnaire="news",
            agents=["isabella-rodriguez"],
            conditions=["full", "reflection"],
        )
        work()
        path = f"{surveys}/{asked['id']}/claims"
        party = {
            "question": "party",
            "values": ["yes"],
            "topic": ["party"],
            "about": ["Isabella", "Valentine", "Hobbs Cafe"],
        }
        found = isabella.post(path, party).json()
        verdicts = {claim["conditions"]: claim["verdict"] for claim in found["claims"]}
        # Without her observations she cannot know what she has planned.
        assert verdicts == {"full": "supported", "reflection": "forgotten"}
        # A planted claim: an answer that no memory supports.
        eclipse = party | {"topic": ["eclipse"], "about": []}
        planted = isabella.post(path, eclipse).json()
        assert planted["counts"] == {
            "supported": 0,
            "unsupported": 1,
            "unaware": 1,
            "forgotten": 0,
            "no_value": 0,
            "unverified": 0,
        }
        assert planted["unsupported_share"] == 1
        problem(isabella.post(path, party | {"question": "none"}), 422, "invalid-request")

    @pytest.mark.parametrize(
        ("change", "status", "code"),
        [
            ({"questionnaire": "none-such"}, 404, "questionnaire-unknown"),
            ({"conditions": ["some"]}, 422, "invalid-request"),
            ({"moments": ["2023-03-13T08:00:00"]}, 422, "invalid-request"),
            ({"agents": ["nobody"]}, 404, "agent-unknown"),
            ({"agents": []}, 422, "unusable-survey"),
        ],
    )
    def test_that_cannot_be_asked_is_refused(
        self,
        isabella: Caller,
        surveys: str,
        change: dict[str, Any],
        status: int,
        code: str,
    ) -> None:
        problem(isabella.post(surveys, {"questionnaire": "news"} | change), status, code)

    def test_that_was_deleted_leaves_its_calls_and_their_ids(
        self, isabella: Caller, surveys: str, mood: str
    ) -> None:
        deleted = requested(isabella, surveys, questionnaire=mood)
        work()
        before = set(ModelCallRow.objects.values_list("call_id", flat=True))
        numbers = set(InterviewRow.objects.values_list("number", flat=True))
        assert isabella.delete(f"{surveys}/{deleted['id']}").status_code == 204
        assert not InterviewRow.objects.exists()
        requested(isabella, surveys, questionnaire="news")
        work()
        later = InterviewRow.objects.all()
        assert later
        assert numbers.isdisjoint(later.values_list("number", flat=True))
        assert before.isdisjoint(call for row in later for call in row.model_calls)
