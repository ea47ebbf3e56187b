"""Experiments over HTTP: requested, carried out by workers, read, controlled, deleted."""

from contextlib import suppress
from itertools import product
from typing import Any
from uuid import UUID

import pytest
from django.db.utils import ProgrammingError

from apps import wiring
from apps.evaluation.news_searches.commands import NEWS_SEARCHES
from apps.evaluation.news_searches.llm_tasks import (
    NEWS_VERIFICATION,
    NewsVerification,
)
from apps.evaluation.surveys.commands import SURVEYS
from apps.experiments.commands import EXPERIMENTS
from apps.experiments.event_table import rebuild_row
from apps.experiments.in_process_experiments import InProcessOptions, run_experiment
from apps.experiments.models import ExperimentEventRow, ExperimentRow
from apps.experiments.progress import ExperimentProgress
from apps.interaction.answer_forms import NoValue
from apps.interaction.inputs import TypedQuestionInput
from apps.interaction.llm_tasks import NUMBER, NumberAnswer
from apps.lineage.branches import parents_of
from apps.llm.port import BudgetSpent
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.models import SimulationRow, Status
from apps.work.rows import WorkState
from tests.acceptance.api.calling import Caller, problem
from tests.model_server.random_answers import random_answer
from tests.model_server.server import ModelServer
from tests.support.news import NO_SUCH_MEMORY
from tests.support.towns import answering

pytestmark = pytest.mark.django_db(transaction=True)  # leases are renewed by threads

SMALL: dict[str, Any] = {
    "name": "two-seeds",
    "agents": ["Isabella Rodriguez", "Maria Lopez"],
    "seeds": [1, 2],
    "interventions": {
        "none": {},
        "tired": {
            "at": 30,
            "commands": [
                {"kind": "inner-voice", "agent": "Maria Lopez", "text": "You are tired"}
            ],
        },
    },
    "moments": [20, 60],
    "measures": ["network.remembered.density", "quality.memories_per_agent_day"],
}
ONE_RUN: dict[str, Any] = {"seeds": [1], "interventions": {"none": {}}}
MOOD_SURVEY = {"survey": {"questionnaire": "mood"}}
PARTY = {
    "attendance": {
        "name": "party",
        "topic": ["party"],
        "place": "Hobbs Cafe",
        "from": 30,
        "to": 60,
    }
}
PARTY_NEWS = {"diffusion": {"name": "party", "news": "Isabella Rodriguez is having a party"}}


def work(rounds: int = 20) -> None:
    """Do what workers and schedulers do, until nothing is left to do."""
    for _ in range(rounds):
        for experiment in EXPERIMENTS.ids():
            EXPERIMENTS.carry_out(wiring.ports(), experiment)
        for row in SimulationRow.objects.filter(status__in=[Status.RUNNING, Status.PAUSING]):
            run_until_rest(wiring.ports(), row.pk, RunOptions())


def requested(caller: Caller, **changes: Any) -> dict[str, Any]:
    """Request an experiment; return it as it was accepted."""
    response = caller.post("/experiments", SMALL | changes)
    assert response.status_code == 202, response.content
    shown: dict[str, Any] = response.json()
    assert response["Location"] == shown["status_url"]
    return shown


def add_mood_questionnaire(caller: Caller, questions: list[dict[str, Any]]) -> None:
    """Add the questionnaire that `MOOD_SURVEY` names."""
    asked = {"name": "mood", "title": "Mood", "questions": questions}
    assert caller.post("/questionnaires", asked).status_code == 201


def requested_with_survey_and_search(caller: Caller) -> dict[str, Any]:
    """Request one run with a survey of one question and a news search at tick 20."""
    add_mood_questionnaire(caller, [{"name": "mood", "text": "How do you feel?"}])
    return requested(caller, **ONE_RUN, moments=[20], measures=[MOOD_SURVEY, PARTY_NEWS])


def path_of(shown: dict[str, Any]) -> str:
    return f"/experiments/{shown['id']}"


class TestExperiment:
    def test_is_carried_out_measured_and_compared(self, isabella: Caller) -> None:
        shown = requested(isabella, reason="a question of sleep")
        assert (shown["state"], shown["progress"]["total"], shown["progress"]["done"]) == (
            "running",
            4,
            0,
        )
        work()
        shown = isabella.get(path_of(shown)).json()
        assert (shown["state"], shown["progress"]["done"]) == ("done", 4)
        assert shown["reason"] == "a question of sleep"
        values = isabella.get(f"{path_of(shown)}/results?limit=500").json()["results"]
        assert len(values) == 2 * 2 * 2 * 2  # conditions, seeds, moments, measures
        assert [one["number"] for one in values] == list(range(1, 17))
        before = {
            (one["intervention"], one["seed"], one["measure"]): one["value"]
            for one in values
            if one["tick"] == 20
        }
        # Before the intervention a branch has the values of its base.
        assert all(
            value == before["none", seed, measure]
            for (_, seed, measure), value in before.items()
        )
        [tired] = [
            one
            for one in isabella.get(f"{path_of(shown)}/summary?limit=500").json()["results"]
            if (one["intervention"], one["tick"]) == ("tired", 60)
            and one["measure"] == "quality.memories_per_agent_day"
        ]
        assert (tired["runs"], tired["pairs"], tired["is_baseline"]) == (2, 2, False)
        assert tired["difference"] > 0, "the voice is a memory of Maria's"

    def test_forks_share_the_past_that_ran_once(self, isabella: Caller) -> None:
        shown = requested(isabella)
        work()
        runs = isabella.get(f"{path_of(shown)}/runs").json()["results"]
        by_key = {run["key"]: run for run in runs}
        base, branch = (
            by_key[f"smallville/standard/default/{level}/2"] for level in ("none", "tired")
        )
        assert (branch["parent"], branch["fork_tick"]) == (base["simulation"], 30)
        [share] = parents_of([branch["simulation"]]).values()
        assert str(share.simulation_id) == base["simulation"]
        assert {run["state"] for run in runs} == {"done"}
        owned = isabella.get("/simulations").json()["results"]
        assert {one["id"] for one in owned} == {run["simulation"] for run in runs}

    def test_without_an_untouched_condition_runs_a_past_that_is_not_measured(
        self, isabella: Caller
    ) -> None:
        tired = SMALL["interventions"]["tired"]
        shown = requested(isabella, seeds=[1], interventions={"a": tired, "b": tired})
        work()
        runs = isabella.get(f"{path_of(shown)}/runs").json()["results"]
        assert [(run["intervention"], run["is_measured"]) for run in runs] == [
            ("-", False),
            ("a", True),
            ("b", True),
        ]
        assert runs[0]["committed_tick"] == 30
        values = isabella.get(f"{path_of(shown)}/results").json()["results"]
        assert {one["intervention"] for one in values} == {"a", "b"}

    def test_gives_its_tables_and_its_report(self, isabella: Caller) -> None:
        shown = requested(isabella)
        work()
        table = isabella.get(f"{path_of(shown)}/results?format=csv").content.decode()
        head, first, *_ = table.splitlines()
        assert head == (
            "world,settings,model,intervention,experiment,seed,moment,tick,measure,value"
        )
        assert first.startswith("smallville,standard,default,none,two-seeds,1,2023-02-13T")
        assert isabella.get(f"{path_of(shown)}/summary?format=csv").status_code == 200
        runs = isabella.get(f"{path_of(shown)}/runs?format=csv").content.decode().splitlines()
        assert runs[0].startswith(
            "world,settings,model,intervention,key,seed,is_measured,state"
        )
        assert [line.split(",")[4] for line in runs[1:]] == [
            one["key"] for one in isabella.everything(f"{path_of(shown)}/runs")
        ]
        markdown = isabella.get(f"{path_of(shown)}/report?format=markdown").content.decode()
        assert "| quality.memories_per_agent_day | tired | 2 |" in markdown
        assert "The same in all runs: network.remembered.density 1." in markdown
        assert "network.remembered.density (always 1)" in markdown
        page = isabella.get(f"{path_of(shown)}/report")
        assert b"<svg " in page.content
        assert page["Content-Type"].startswith("text/html")

    def test_shows_nothing_to_others(self, isabella: Caller, klaus: Caller) -> None:
        shown = requested(isabella)
        assert klaus.get("/experiments").json()["results"] == []
        tables = [
            f"/{name}?format={form}"
            for name, form in product(("results", "summary", "runs"), ("csv", "parquet"))
        ]
        figure = "/plots/network.remembered.density.svg"
        for rest in ("", "/runs", "/events", "/results", "/summary", figure, *tables):
            problem(klaus.get(f"{path_of(shown)}{rest}"), 404, "work-unknown")
        problem(klaus.post(f"{path_of(shown)}/pause", {}), 404, "work-unknown")

    def test_has_runs_that_are_listed_apart_from_other_simulations(
        self, isabella: Caller, klaus: Caller
    ) -> None:
        one, other = requested(isabella, **ONE_RUN), requested(isabella, **ONE_RUN)
        work()
        own = isabella.post("/simulations", {"name": "own", "agents": 1}).json()["id"]

        def listed(caller: Caller, wanted: str) -> dict[str, Any]:
            found = caller.get(f"/simulations?experiment={wanted}").json()["results"]
            return {each["id"]: each["experiment"] for each in found}

        assert listed(isabella, "none") == {own: None}
        [(run, shown)] = listed(isabella, one["id"]).items()
        assert shown == {"id": one["id"], "name": one["name"]}
        assert not {run, own} & listed(isabella, other["id"]).keys()
        # A guest of a run reads the run, and nothing of the experiment of another user.
        isabella.post(f"/simulations/{run}/members", {"username": "klaus", "role": "guest"})
        assert listed(klaus, "none") == {run: None}
        problem(klaus.get(f"/simulations?experiment={one['id']}"), 404, "work-unknown")
        problem(isabella.get("/simulations?experiment=all"), 422, "invalid-request")
        # Without its experiment a run is a simulation like others.
        assert isabella.delete(path_of(one)).status_code == 204
        assert listed(isabella, "none") == {run: None, own: None}

    def test_is_found_by_its_name(self, isabella: Caller) -> None:
        requested(isabella, name="first")
        requested(isabella, name="second")
        names = [one["name"] for one in isabella.get("/experiments").json()["results"]]
        assert names == ["second", "first"]
        found = isabella.get("/experiments?search=FIR").json()["results"]
        assert [one["name"] for one in found] == ["first"]


class TestControl:
    def test_pauses_resumes_and_ends_with_the_same_values(self, isabella: Caller) -> None:
        undisturbed = requested(isabella)
        work()
        shown = requested(isabella)
        for experiment in EXPERIMENTS.ids():
            EXPERIMENTS.carry_out(wiring.ports(), experiment)
        paused = isabella.post(f"{path_of(shown)}/pause", {"reason": "lunch"}).json()
        assert (paused["state"], paused["problem"]["detail"]) == ("paused", "lunch")
        work()
        assert not SimulationRow.objects.filter(status=Status.RUNNING).exists()
        assert isabella.get(path_of(shown)).json()["progress"]["done"] == 0
        again = isabella.post(f"{path_of(shown)}/pause", {"reason": "dinner"}).json()
        assert again["problem"]["detail"] == "lunch", "it is paused already"
        assert isabella.post(f"{path_of(shown)}/resume", {}).json()["state"] == "running"
        work()
        tables = [
            isabella.get(f"{path_of(one)}/results?format=csv").content
            for one in (undisturbed, shown)
        ]
        assert tables[0] == tables[1]
        events = isabella.get(f"{path_of(shown)}/events").json()["results"]
        by = {one["type"]: one["by"] for one in events}
        assert by["experiment.paused.v1"] == by["experiment.resumed.v1"] == "isabella"
        assert by["experiment.finished.v1"] is None

    def test_cancels_and_keeps_what_is_measured(self, isabella: Caller) -> None:
        shown = requested(isabella, runs_at_once=1)
        work(rounds=2)
        cancelled = isabella.post(f"{path_of(shown)}/cancel", {}).json()
        assert cancelled["state"] == "cancelled"
        work()
        assert isabella.get(path_of(shown)).json()["progress"]["done"] < 4
        assert isabella.get(f"{path_of(shown)}/results").json()["results"]
        problem(isabella.post(f"{path_of(shown)}/resume", {}), 409, "work-not-paused")
        problem(isabella.post(f"{path_of(shown)}/cancel", {}), 409, "work-over")

    def test_pauses_at_its_budget_and_goes_on_with_a_higher_one(self, isabella: Caller) -> None:
        shown = requested(isabella, budget={"tokens": 100}, runs_at_once=1)
        work()
        paused = isabella.get(path_of(shown)).json()
        assert (paused["state"], paused["problem"]["code"]) == ("paused", "budget-spent")
        assert paused["used"]["tokens"] >= 100
        isabella.post(f"{path_of(shown)}/resume", {"budget": {"tokens": 10_000_000}})
        work()
        shown = isabella.get(path_of(shown)).json()
        assert shown["state"] == "done"

    def test_waits_while_a_user_has_paused_a_run(self, isabella: Caller) -> None:
        shown = requested(isabella, **ONE_RUN)
        for experiment in EXPERIMENTS.ids():
            EXPERIMENTS.carry_out(wiring.ports(), experiment)
        [row] = SimulationRow.objects.all()
        isabella.post(f"/simulations/{row.pk}/pause", {"reason": "a look at Maria"})
        work(rounds=3)
        shown = isabella.get(path_of(shown)).json()
        assert (shown["state"], shown["problem"]["code"]) == ("paused", "runs-held")
        assert "a look at Maria" in shown["problem"]["detail"]

    def test_goes_on_if_a_simulation_is_deleted(self, isabella: Caller) -> None:
        shown = requested(isabella, interventions={"none": {}})
        for experiment in EXPERIMENTS.ids():
            EXPERIMENTS.carry_out(wiring.ports(), experiment)
        row = SimulationRow.objects.order_by("created_at").first()
        assert row is not None
        SimulationRow.objects.filter(pk=row.pk).update(status=Status.PAUSED, lease_until=None)
        assert isabella.delete(f"/simulations/{row.pk}").status_code == 204
        work()
        states = [
            run["state"] for run in isabella.get(f"{path_of(shown)}/runs").json()["results"]
        ]
        assert sorted(states) == ["done", "failed"]
        assert isabella.get(path_of(shown)).json()["state"] == "done"

    def test_is_deleted_without_its_simulations(self, isabella: Caller) -> None:
        shown = requested(isabella, **ONE_RUN)
        for experiment in EXPERIMENTS.ids():
            EXPERIMENTS.carry_out(wiring.ports(), experiment)
        assert isabella.delete(path_of(shown)).status_code == 204
        assert isabella.get(path_of(shown)).status_code == 404
        [run] = SimulationRow.objects.all()
        assert run.status in {Status.PAUSING, Status.PAUSED}


class TestEvents:
    def test_are_never_edited_and_give_the_row_again(self, isabella: Caller) -> None:
        shown = requested(isabella)
        work()
        before = ExperimentRow.objects.values().get(pk=shown["id"])
        ExperimentRow.objects.filter(pk=shown["id"]).update(
            state="paused", finished_runs=0, name="lost", finished_at=None
        )
        rebuild_row(before["id"])
        assert ExperimentRow.objects.values().get(pk=shown["id"]) == before
        with pytest.raises(ProgrammingError, match="never edited"):
            ExperimentEventRow.objects.filter(experiment=shown["id"]).update(by="nobody")


class TestValidation:
    @pytest.mark.parametrize(
        ("changes", "code", "words"),
        [
            ({"measures": ["density"]}, "measure-unknown", "network.remembered.density"),
            (
                {
                    "measures": [
                        PARTY | {"attendance": PARTY["attendance"] | {"hosts": ["ada"]}}
                    ]
                },
                "unusable-experiment",
                "isabella-rodriguez, maria-lopez",
            ),
            ({"worlds": ["atlantis"]}, "unknown-world", "smallville"),
            ({"settings": {"a": {"visions": 3}}}, "unusable-settings", "vision"),
            ({"baseline": {"intervention": "loud"}}, "invalid-request", "none, tired"),
            ({"moments": ["2023-02-12T00:00:00"]}, "unusable-experiment", "begins at"),
            ({"moments": [20]}, "unusable-experiment", "not before the last moment"),
            (
                {"moments": [0, "2023-02-13T00:00:00", 60]},
                "unusable-experiment",
                "the moments 0 and 2023-02-13 00:00:00 are both tick 0",
            ),
            ({"seeds": [1, 1]}, "invalid-request", "twice"),
            ({"seeds": {"from": 1, "to": 600}}, "invalid-request", "1,000 at most"),
            (
                {"references": {"density": 1}},
                "invalid-request",
                "network.remembered.density",
            ),
            (
                {"measures": [{"survey": {"questionnaire": "moods"}}]},
                "invalid-request",
                "moods",
            ),
        ],
    )
    def test_names_what_is_wrong(
        self, isabella: Caller, changes: dict[str, Any], code: str, words: str
    ) -> None:
        for path in ("/experiments", "/experiments/estimate"):
            response = isabella.post(path, SMALL | changes)
            assert response.status_code == 422, response.content
            assert (response.json()["code"], words in response.json()["detail"]) == (code, True)
        assert not ExperimentRow.objects.exists()

    def test_estimates_without_creating(self, isabella: Caller) -> None:
        found = isabella.post("/experiments/estimate", SMALL).json()
        assert (found["conditions"], found["runs"]) == (2, 4)
        assert (found["ticks"], found["shared_ticks"]) == (2 * 60 + 2 * 30, 2 * 30)
        assert not ExperimentRow.objects.exists()
        day = isabella.post("/experiments/estimate", SMALL | {"moments": [8_640]}).json()
        assert day["total"]["calls"] > 100
        assert day["total"]["tokens"] > 1_000 * day["total"]["calls"]

    def test_estimates_a_summary_for_each_agent_and_moment_of_a_survey(
        self, isabella: Caller
    ) -> None:
        calls = []
        for condition in ("full", "no-reflection"):
            survey = {"questionnaire": "news", "condition": condition}
            asked = SMALL | {"measures": [{"survey": survey}]}
            found = isabella.post("/experiments/estimate", asked).json()
            calls.append(found["total"]["calls"])
        agents, moments = len(SMALL["agents"]), len(SMALL["moments"])
        assert calls[1] - calls[0] == found["runs"] * agents * moments

    def test_lists_the_measures(self, isabella: Caller) -> None:
        found = isabella.get("/measures?search=density").json()["results"]
        assert "network.related.density" in [one["name"] for one in found]


class TestSurvey:
    def test_of_each_moment_gives_values(self, isabella: Caller) -> None:
        questions = [
            {
                "name": "mood",
                "text": "How do you feel?",
                "answer": {"kind": "scale", "minimum": 1, "maximum": 7},
            },
            {
                "name": "party",
                "text": "Is there a party?",
                "answer": {"kind": "choice", "options": ["yes", "no"]},
            },
        ]
        add_mood_questionnaire(isabella, questions)
        shown = requested(isabella, **ONE_RUN, measures=[MOOD_SURVEY])

        for _ in range(4):
            work(rounds=3)
            for survey in SURVEYS.ids():
                SURVEYS.carry_out(wiring.ports(), survey)
        shown = isabella.get(path_of(shown)).json()
        assert shown["state"] == "done"
        values = isabella.get(f"{path_of(shown)}/results").json()["results"]
        assert [one["measure"] for one in values if one["tick"] == 60] == [
            "survey.mood.mood.answered_share",
            "survey.mood.mood.valued_share",
            *(f"survey.mood.mood.without_value.{reason}" for reason in NoValue),
            "survey.mood.mood.mean",
            "survey.mood.party.answered_share",
            "survey.mood.party.valued_share",
            *(f"survey.mood.party.without_value.{reason}" for reason in NoValue),
            "survey.mood.party.share.yes",
            "survey.mood.party.share.no",
        ]
        assert values[0]["value"] == 1.0

    def test_shows_how_many_answers_have_no_value(self, isabella: Caller) -> None:
        """Only Isabella gives a number; Maria answers in words, and counts as answered."""
        scale = {"kind": "scale", "minimum": 1, "maximum": 7}
        mood = {"name": "mood", "text": "How do you feel?", "answer": scale}
        add_mood_questionnaire(isabella, [mood])
        shown = requested(isabella, **ONE_RUN, moments=[20], measures=[MOOD_SURVEY])
        work(rounds=3)
        [survey] = SURVEYS.ids()

        def only_isabella(inputs: TypedQuestionInput, _chance: object) -> NumberAnswer:
            has_value = inputs.interview.agent_name == "Isabella Rodriguez"
            return NumberAnswer(answer="So so.", number=6 if has_value else None)

        SURVEYS.carry_out(answering({NUMBER.name: only_isabella}), survey)
        work(rounds=3)
        values = isabella.get(f"{path_of(shown)}/results").json()["results"]
        counted = {one["measure"]: one["value"] for one in values}
        without = {
            reason: counted.pop(f"survey.mood.mood.without_value.{reason}")
            for reason in NoValue
        }
        assert {reason for reason, count in without.items() if count} == {
            NoValue.FORM_NOT_ANSWERED
        }
        assert counted == {
            "survey.mood.mood.answered_share": 1.0,
            "survey.mood.mood.valued_share": 0.5,
            "survey.mood.mood.mean": 6.0,
        }


class TestInOneProcess:
    def test_surveys_are_answered_and_news_is_searched(self, isabella: Caller) -> None:
        shown = requested_with_survey_and_search(isabella)
        progress = run_experiment(wiring.ports(), UUID(shown["id"]), InProcessOptions())
        assert progress.state == WorkState.DONE
        [run] = progress.runs.values()
        assert run.values[20]["survey.mood.mood.answered_share"] == 1
        assert run.values[20]["diffusion.party.knowers"] == 1

    def test_surveys_wait_for_batches_of_their_server(
        self, isabella: Caller, settings: Any
    ) -> None:
        add_mood_questionnaire(isabella, [{"name": "mood", "text": "How do you feel?"}])
        with ModelServer(random_answer) as server:
            own = server.as_server(name="own", batches=True, batch_look_seconds=0.1)
            settings.MODEL_SERVERS = {"own": own}
            model = {"server": "offline", "tasks": {"interview.*": "own", "self_*": "own"}}
            shown = requested(
                isabella,
                **ONE_RUN,
                models={"waits": model},
                moments=[20],
                measures=[MOOD_SURVEY],
            )
            server.batches.looks = 3
            steps: list[ExperimentProgress] = []
            options = InProcessOptions(on_step=steps.append)
            progress = run_experiment(wiring.ports(), UUID(shown["id"]), options)
            assert server.answered == [], "nothing is asked outside of batches"
            assert server.batches.lines
        [run] = progress.runs.values()
        assert run.values[20]["survey.mood.mood.answered_share"] == 1
        assert len(steps) < 60, "it sleeps between two looks"

    def test_an_interruption_leaves_an_experiment_that_another_process_has_paused(
        self, isabella: Caller
    ) -> None:
        experiment = UUID(requested(isabella, **ONE_RUN, moments=[20])["id"])
        interruptions = iter([KeyboardInterrupt("interrupted by SIGTERM")])

        def interrupt(_: ExperimentProgress) -> None:
            for interruption in interruptions:
                EXPERIMENTS.pause(experiment, by="the other process", reason="interrupted too")
                raise interruption

        options = InProcessOptions(on_step=interrupt)
        progress = run_experiment(wiring.ports(), experiment, options)
        assert progress.state == WorkState.PAUSED
        assert ExperimentRow.objects.get().problem == "interrupted too"
        rested = {Status.PAUSED}
        assert set(SimulationRow.objects.values_list("status", flat=True)) <= rested


class TestBudgetOfMeasurements:
    def test_a_news_search_beyond_it_holds_the_run_until_it_is_raised(
        self, isabella: Caller
    ) -> None:
        without = requested(isabella, **ONE_RUN, moments=[20])
        work(rounds=3)
        used = isabella.get(path_of(without)).json()["used"]["tokens"]
        shown = requested(
            isabella,
            **ONE_RUN,
            moments=[20],
            measures=[PARTY_NEWS],
            budget={"tokens": used + 1},
        )

        def search() -> None:
            work(rounds=3)
            for search_id in NEWS_SEARCHES.ids():
                with suppress(BudgetSpent):
                    NEWS_SEARCHES.carry_out(wiring.ports(), search_id)
            work(rounds=3)

        search()
        paused = isabella.get(path_of(shown)).json()
        assert (paused["state"], paused["progress"]["done"]) == ("paused", 0)
        isabella.post(f"{path_of(shown)}/resume", {"budget": {"tokens": 10_000_000}})
        search()
        done = isabella.get(path_of(shown)).json()
        assert (done["state"], done["progress"]["done"]) == ("done", 1), done["problem"]


class TestDeletedMeasurement:
    def test_is_requested_again(self, isabella: Caller) -> None:
        shown = requested_with_survey_and_search(isabella)
        work(rounds=3)
        [simulation] = SimulationRow.objects.all()
        for kind in ("surveys", "news-searches"):
            path = f"/simulations/{simulation.pk}/{kind}"
            [under_way] = isabella.get(path).json()["results"]
            assert isabella.delete(f"{path}/{under_way['id']}").status_code == 204

        work(rounds=2)
        for survey in SURVEYS.ids():
            SURVEYS.carry_out(wiring.ports(), survey)
        for search in NEWS_SEARCHES.ids():
            NEWS_SEARCHES.carry_out(wiring.ports(), search)
        work(rounds=2)
        shown = isabella.get(path_of(shown)).json()
        assert (shown["state"], shown["progress"]["done"]) == ("done", 1)
        kinds = [one["type"] for one in isabella.everything(f"{path_of(shown)}/events")]
        assert kinds.count("experiment.measurement-started.v1") == 4
        assert "experiment.run-failed.v1" not in kinds


class TestNews:
    def test_of_a_model_that_never_obeys_the_schema_is_counted_as_unverified(
        self, isabella: Caller
    ) -> None:
        def disobedient(_inputs: object, _chance: object) -> NewsVerification:
            return NO_SUCH_MEMORY

        ports = answering({NEWS_VERIFICATION.name: disobedient})
        measures = [{"diffusion": {"name": "party", "news": "Isabella has a party"}}]
        shown = requested(isabella, **ONE_RUN, moments=[20], measures=measures)
        work(rounds=3)
        for search in NEWS_SEARCHES.ids():
            NEWS_SEARCHES.carry_out(ports, search)
        work(rounds=2)
        values = isabella.get(f"{path_of(shown)}/results").json()["results"]
        found = {one["measure"]: one["value"] for one in values}
        assert found["diffusion.party.unverified"] == len(SMALL["agents"])
        assert (found["diffusion.party.knowers"], found["diffusion.party.share"]) == (0, 0)

    def test_told_by_a_sentence_is_searched_and_counted(self, isabella: Caller) -> None:
        news = "Isabella Rodriguez is having a Valentine's Day party at Hobbs Cafe"
        by_words = {"name": "words", "topic": ["party"], "about": ["Isabella", "Valentine"]}
        measures = [
            {"diffusion": {"name": "party", "news": news}},
            {"diffusion": by_words},
        ]
        shown = requested(isabella, **ONE_RUN, measures=measures)
        for _ in range(4):
            work(rounds=3)
            for search in NEWS_SEARCHES.ids():
                NEWS_SEARCHES.carry_out(wiring.ports(), search)
        assert isabella.get(path_of(shown)).json()["state"] == "done"
        values = isabella.get(f"{path_of(shown)}/results").json()["results"]
        found = {one["measure"]: one["value"] for one in values if one["tick"] == 60}
        assert found["diffusion.party.knowers"] == found["diffusion.words.knowers"] > 0
        assert found["diffusion.party.share"] == found["diffusion.words.share"]
        assert (
            found["diffusion.party.unexplained"],
            found["diffusion.party.hallucinated"],
        ) == (
            0,
            0,
        )
        kinds = [one["type"] for one in isabella.everything(f"{path_of(shown)}/events")]
        assert "experiment.measurement-started.v1" in kinds
