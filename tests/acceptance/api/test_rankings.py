"""Rankings over HTTP: answers of a survey by condition, ranked by people and by rule."""

import csv
import io
import re
from urllib.parse import urljoin

import pytest
from django.contrib.auth.models import User

from apps.access.commands import issue_token
from apps.access.membership import add_member
from apps.access.rights import Role
from apps.evaluation.rankings.llm_tasks import RANKING
from apps.eventlog.store import log_sha256
from apps.llm.models import ModelCallRow
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, problem
from tests.acceptance.api.ranking import CONDITIONS, downloaded, requested, work

pytestmark = pytest.mark.django_db


class TestByPeople:
    def test_is_blind_in_an_order_of_its_own_for_each_person(
        self, isabella: Caller, town: str, survey: str
    ) -> None:
        ranking = requested(isabella, survey, judge="people", seed=3)
        assert (ranking["state"], ranking["progress"]["total"]) == ("running", 6)
        path = f"{survey}/rankings/{ranking['id']}"
        tasks = isabella.everything(f"{path}/tasks")
        assert [one["letter"] for one in tasks[0]["answers"]] == ["A", "B", "C"]
        assert not any(name in str(tasks) for name in CONDITIONS[1:])
        assert isabella.everything(f"{path}/tasks") == tasks
        guest = User.objects.create_user("a guest")
        simulation_id = SimulationRow.objects.get(pk=town.rpartition("/")[2]).pk
        add_member(simulation_id, guest.username, Role.GUEST, by="isabella")
        others = Caller(issue_token(guest, "ranks")).everything(f"{path}/tasks")
        assert [one["id"] for one in others] == [one["id"] for one in tasks]
        assert [one["answers"] for one in others] != [one["answers"] for one in tasks]

    def test_counts_the_ranks_of_each_person_once_with_ties(
        self, isabella: Caller, town: str, survey: str
    ) -> None:
        ranking = requested(isabella, survey, judge="people")
        path = f"{survey}/rankings/{ranking['id']}"
        task = isabella.get(f"{path}/tasks").json()["results"][0]
        submit = f"{path}/tasks/{task['id']}/judgement"
        problem(isabella.post(submit, {"ranks": {"A": 1}}), 422, "unusable-ranks")
        isabella.post(submit, {"ranks": {"A": 3, "B": 2, "C": 1}})
        shown = isabella.post(submit, {"ranks": {"A": 1, "B": 1, "C": 2}, "reason": "why not"})
        assert shown.status_code == 200
        assert shown.json()["your_ranks"] == {"A": 1.5, "B": 1.5, "C": 3}
        [listed] = isabella.everything(f"{path}/tasks", is_ranked=True)
        assert listed["your_reason"] == shown.json()["your_reason"] == "why not"
        (judgement,) = isabella.everything(f"{path}/judgements")
        assert sorted(judgement["ranks"].values()) == [1.5, 1.5, 3]
        assert judgement["ranks"].keys() == set(CONDITIONS)
        assert (judgement["evaluator"], judgement["reason"]) == ("isabella", "why not")
        left = isabella.everything(f"{path}/tasks", is_ranked=False)
        assert task["id"] not in [one["id"] for one in left]
        assert len(left) == 5
        problem(
            isabella.post(f"{path}/tasks/{ranking['id']}/judgement", {"ranks": {"A": 1}}),
            404,
            "ranking-task-unknown",
        )
        reader = Caller(
            issue_token(User.objects.get(username="isabella"), "r", reads_only=True)
        )
        problem(reader.post(submit, {"ranks": {"A": 1}}), 403, "not-allowed")

    def test_gives_the_next_task_without_conditions(
        self, isabella: Caller, survey: str
    ) -> None:
        ranking = requested(isabella, survey, judge="people", questions_per_category=1)
        assert ranking["progress"]["total"] == 4
        path = f"{survey}/rankings/{ranking['id']}"
        shown = isabella.get(f"{path}/next-task")
        assert not any(name in shown.content.decode() for name in CONDITIONS[1:])
        first = shown.json()
        assert (first["ranked"], first["tasks"]) == (0, 4)
        assert first["task"] == isabella.get(f"{path}/tasks").json()["results"][0]
        assert first["agent_name"] in {"Isabella Rodriguez", "Klaus Mueller"}
        for done in range(1, 5):
            task = isabella.get(f"{path}/next-task").json()["task"]
            isabella.post(
                f"{path}/tasks/{task['id']}/judgement", {"ranks": {"A": 1, "B": 2, "C": 2}}
            )
            left = isabella.get(f"{path}/next-task").json()
            assert left["ranked"] == done
        assert (left["task"], left["agent_name"]) == (None, None)
        by_rule = requested(isabella, survey, judge="rule")
        refused = isabella.get(f"{survey}/rankings/{by_rule['id']}/next-task")
        problem(refused, 409, "not-ranked-by-people")


class TestByRule:
    def test_ranks_all_answers_and_changes_no_history(
        self, isabella: Caller, lived: SimulationRow, survey: str
    ) -> None:
        before = log_sha256(lived.pk)
        ranking = requested(isabella, survey, judge="rule", seed=5)
        assert ranking["state"] == "pending"
        work()
        path = f"{survey}/rankings/{ranking['id']}"
        shown = isabella.get(path).json()
        assert (shown["state"], shown["progress"]["done"]) == ("done", 6)
        assert shown["progress"]["invalid"] == 0
        assert log_sha256(lived.pk) == before
        judgements = isabella.everything(f"{path}/judgements", limit=4)
        assert judgements == isabella.everything(f"{path}/judgements")
        assert isabella.everything(f"{path}/judgements", search="WORK", limit=1) == [
            one for one in judgements if one["question"] == "work"
        ]
        assert {one["evaluator"] for one in judgements} == {
            "rule judge (evidence, not believability)"
        }
        calls = [call for one in judgements for call in one["model_calls"]]
        made = ModelCallRow.objects.filter(simulation_id=lived.pk, call_id__in=calls)
        assert {call.task for call in made} == {"interview.ranking"}
        # What an agent says of its occupation is in its memories; without any it cannot say it.
        of_work = [one["ranks"] for one in judgements if one["question"] == "work"]
        assert all(ranks[CONDITIONS[0]] <= ranks[CONDITIONS[2]] for ranks in of_work)
        assert any(ranks[CONDITIONS[0]] < ranks[CONDITIONS[2]] for ranks in of_work)
        assert downloaded(isabella, f"{path}/judgements") == judgements
        task = isabella.get(f"{path}/tasks").json()["results"][0]
        ranks = {"ranks": {"A": 1, "B": 2, "C": 3}}
        submit = f"{path}/tasks/{task['id']}/judgement"
        problem(isabella.post(submit, ranks), 409, "not-ranked-by-people")

    def test_has_a_report_in_each_format(self, isabella: Caller, survey: str) -> None:
        ranking = requested(isabella, survey, judge="rule", seed=5)
        work()
        path = f"{survey}/rankings/{ranking['id']}/report"
        report = isabella.get(path).json()
        assert (report["rankings"], report["evaluators"], report["tasks"]) == (6, 1, 6)
        ratings = [one["mu"] for one in report["conditions"]]
        assert ratings == sorted(ratings, reverse=True)
        assert {one["condition"] for one in report["conditions"]} == set(CONDITIONS)
        assert len(report["pairs"]) == 3
        assert {one["category"] for one in report["by_category"]} == {"self", "plans"}
        assert isabella.get(path).json() == report
        figure = isabella.get(path, format="svg")
        assert figure["Content-Type"] == "image/svg+xml; charset=utf-8"
        assert figure.content == isabella.get(path, format="svg").content
        assert ">full<" in figure.text
        for form in ("html", "markdown"):
            page = isabella.get(path, format=form).text
            assert "Kruskal-Wallis" in page
            assert all(name in page for name in CONDITIONS)
        assert "<svg" in isabella.get(path, format="html").text
        text = isabella.get(path, format="markdown").text
        # The paper's ratings are no measure of other questions, and a title is no markup.
        assert {one["paper_mu"] for one in report["conditions"]} == {None}
        assert "the paper" not in text + figure.text
        assert text.count("script") == text.count(r"script\>") == 2
        assert "rule-based model" in text
        [link] = re.findall(r"\]\(([^)]*)\)", text)
        linked = isabella.get(urljoin(path, link))
        assert (linked.status_code, linked.content) == (200, figure.content)
        assert linked["Content-Type"] == "image/svg+xml; charset=utf-8"
        problem(isabella.get(path, format="pdf"), 422, "invalid-request")

    def test_has_a_report_in_two_tables(self, isabella: Caller, survey: str) -> None:
        ranking = requested(isabella, survey, judge="rule", seed=5)
        work()
        path = f"{survey}/rankings/{ranking['id']}/report"
        report = isabella.get(path).json()
        lines = list(csv.DictReader(io.StringIO(isabella.get(path, format="csv").text)))
        assert [float(line["mu"]) for line in lines] == [
            one["mu"] for one in report["conditions"]
        ]
        pairs = isabella.get(path, format="csv", table="pairs").text
        of_pairs = list(csv.DictReader(io.StringIO(pairs)))
        assert [
            {name: float(line[name]) for name in ("dunn_p", "nemenyi_p", "d")}
            for line in of_pairs
        ] == [
            {name: pair[name] for name in ("dunn_p", "nemenyi_p", "d")}
            for pair in report["pairs"]
        ]
        assert {(line["one"], line["other"]) for line in of_pairs} == {
            (pair["one"], pair["other"]) for pair in report["pairs"]
        }
        refused = problem(isabella.get(path, table="pairs"), 422, "invalid-request")
        assert refused["errors"][0]["parameter"] == "table"

    @pytest.mark.parametrize(
        "conditions", [["full", "human"], ["full", "none"], ["full", "full"]]
    )
    def test_of_conditions_that_are_not_there_is_refused(
        self, isabella: Caller, survey: str, conditions: list[str]
    ) -> None:
        body = {"judge": "rule", "conditions": conditions}
        problem(isabella.post(f"{survey}/rankings", body), 422, "unusable-ranking")

    def test_that_was_deleted_leaves_its_calls_and_their_ids(
        self, isabella: Caller, survey: str
    ) -> None:
        def calls() -> set[str]:
            rows = ModelCallRow.objects.filter(task=RANKING.name)
            return set(rows.values_list("call_id", flat=True))

        deleted = requested(isabella, survey, judge="rule")
        work()
        before = calls()
        assert isabella.delete(f"{survey}/rankings/{deleted['id']}").status_code == 204
        requested(isabella, survey, judge="rule", seed=9)
        work()
        assert len(calls()) == 2 * len(before) > 0
