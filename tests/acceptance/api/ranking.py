"""A survey whose answers are ranked, and what workers do with it."""

from typing import Any

from apps import wiring
from apps.evaluation.rankings.commands import judge_ranking, waiting_rankings
from apps.evaluation.surveys.commands import answer_survey, waiting_surveys
from tests.acceptance.api.calling import Caller

QUESTIONS = {
    "name": "self",
    "title": "Two questions",
    "questions": [
        {"name": "who", "category": "self", "text": "Give an introduction of yourself."},
        {"name": "work", "category": "self", "text": "What is your occupation?"},
        {"name": "day", "category": "plans", "text": "What will you be doing at 6pm today?"},
    ],
}
CONDITIONS = ["full", "no-reflection", "no-observation-no-reflection-no-planning"]


def work() -> None:
    """Do what workers do with the surveys and rankings that wait."""
    for survey_id in waiting_surveys():
        answer_survey(wiring.ports(), survey_id)
    for ranking_id in waiting_rankings():
        judge_ranking(wiring.ports(), ranking_id)


def requested(caller: Caller, survey: str, **body: Any) -> dict[str, Any]:
    """Request a ranking; return it as it was accepted."""
    response = caller.post(f"{survey}/rankings", body)
    assert response.status_code == 202, response.content
    assert response["Location"] == response.json()["status_url"]
    shown: dict[str, Any] = response.json()
    return shown
