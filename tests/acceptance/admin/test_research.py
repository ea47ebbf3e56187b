"""Surveys, rankings, news searches and experiments in the admin: found by links, in words."""

from django.contrib.auth.models import User
from django.test import Client

from apps import wiring
from apps.evaluation.news_searches.commands import NEWS_SEARCHES
from apps.evaluation.rankings.commands import RANKINGS
from apps.evaluation.surveys.commands import SURVEYS
from apps.experiments.models import ExperimentRow
from tests.acceptance.admin.conftest import Staff
from tests.acceptance.admin.reading import Page

NEWS = "Isabella Rodriguez is planning a Valentine's Day party"
HOSTILE = "<script>alert(1)</script>"
DESIGN = {
    "name": "tired-host",
    "title": HOSTILE,
    "agents": ["Isabella Rodriguez"],
    "seeds": [1],
    "moments": [20],
    "measures": ["conversations"],
}


def request_work(client: Client, path: str, **body: object) -> str:
    """Request work over HTTP and return its id."""
    response = client.post(f"/api/v1{path}", body, content_type="application/json")
    assert response.status_code == 202, response.content
    return str(response.json()["id"])


class TestResearch:
    def test_is_read_from_the_overview_to_each_answer(self, operator: Staff) -> None:
        ports, simulation = wiring.ports(), f"/simulations/{operator.simulation.pk}"
        survey = request_work(
            operator.client,
            f"{simulation}/surveys",
            questionnaire="news",
            agents=["isabella-rodriguez", "klaus-mueller"],
            conditions=["full", "no-reflection"],
        )
        for waiting in SURVEYS.ids():
            SURVEYS.carry_out(ports, waiting)
        request_work(operator.client, f"{simulation}/surveys/{survey}/rankings", judge="rule")
        for waiting in RANKINGS.ids():
            RANKINGS.carry_out(ports, waiting)
        request_work(operator.client, f"{simulation}/news-searches", news=NEWS, verifier="rule")
        for waiting in NEWS_SEARCHES.ids():
            NEWS_SEARCHES.carry_out(ports, waiting)
        research = Page(operator.page(Page(operator.page()).to("/research/", "Research")))
        survey_page = operator.page(research.to(r"/surveys/[0-9a-f-]+/$"))
        assert "Klaus Mueller" in survey_page
        assert "Interview with" in operator.page(Page(survey_page).to("/interviews/"))
        ranking_page = operator.page(Page(survey_page).to("/rankings/"))
        assert "TrueSkill mu" in ranking_page
        search_page = operator.page(research.to("/news-searches/"))
        assert Page(search_page).to("/agents/isabella-rodriguez/memories/")

    def test_of_an_experiment_names_its_runs(self, operator: Staff) -> None:
        request_work(operator.client, "/experiments", **DESIGN)
        index = operator.page("/admin/")
        assert HOSTILE not in index
        page = operator.page(Page(index).to(r"/admin/experiments/[0-9a-f-]+/"))
        assert HOSTILE not in page
        assert "0 of 1 over" in page
        assert "conversations" in page.lower()
        row = ExperimentRow.objects.get()
        other = Client()
        other.force_login(User.objects.create_superuser("another"))
        assert other.get(f"/admin/experiments/{row.pk}/").status_code == 404
