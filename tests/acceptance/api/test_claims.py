"""Claims in the answers of a survey, whose values are set by hand so that each is known."""

from typing import Any

import pytest

from apps import wiring
from apps.evaluation.models import NewsFindingRow
from apps.evaluation.news_searches.commands import NEWS_SEARCHES
from apps.interaction.models import InterviewRow
from tests.acceptance.api.calling import Caller, problem
from tests.acceptance.api.test_surveys import MOOD, requested, work

pytestmark = pytest.mark.django_db

ISABELLA, KLAUS = "isabella-rodriguez", "klaus-mueller"
PARTY: dict[str, Any] = {
    "question": "party",
    "values": ["yes"],
    "topic": ["party"],
    "about": ["Isabella", "Valentine", "Hobbs Cafe"],
}
# (value, parse error) by agent and condition. Isabella has a memory of the party, Klaus none.
ANSWERS = {
    (ISABELLA, "full"): ("yes", ""),
    (ISABELLA, "plan"): ("no", ""),
    (ISABELLA, "reflection"): (None, ""),
    (KLAUS, "full"): ("yes", ""),
    (KLAUS, "plan"): ("no", ""),
    (KLAUS, "reflection"): ("no", "the answer is no option"),
}


@pytest.fixture
def claims(isabella: Caller, town: str) -> str:
    """Return the address of the claims of a survey with the answers."""
    assert isabella.post("/questionnaires", MOOD).status_code == 201
    asked = requested(
        isabella,
        f"{town}/surveys",
        questionnaire="mood",
        agents=[ISABELLA, KLAUS],
        conditions=["full", "plan", "reflection"],
    )
    work()
    rows = InterviewRow.objects.filter(
        surveyinterviewrow__survey_id=asked["id"], surveyinterviewrow__question="party"
    )
    for (agent, conditions), (value, parse_error) in ANSWERS.items():
        row = rows.get(agent=agent, conditions=conditions)
        row.value, row.parse_error = value, parse_error
        row.save()
    return f"{town}/surveys/{asked['id']}/claims"


def test_have_a_verdict_of_their_own_without_a_valid_value(
    isabella: Caller, claims: str
) -> None:
    found = isabella.post(claims, PARTY).json()
    verdicts = {
        (claim["agent"], claim["conditions"]): claim["verdict"] for claim in found["claims"]
    }
    assert verdicts == {
        (ISABELLA, "full"): "supported",
        (ISABELLA, "plan"): "forgotten",
        (ISABELLA, "reflection"): "no-value",
        (KLAUS, "full"): "unsupported",
        (KLAUS, "plan"): "unaware",
        (KLAUS, "reflection"): "no-value",
    }
    assert found["counts"] == {
        "supported": 1, "unsupported": 1, "unaware": 1, "forgotten": 1, "no_value": 2,
        "unverified": 0,
    }  # fmt: skip
    assert found["unsupported_share"] == 0.5


def test_are_those_of_the_options_that_claim(isabella: Caller, claims: str) -> None:
    found = isabella.post(claims, PARTY | {"values": ["no"]}).json()
    assert found["counts"] == {
        "supported": 1, "unsupported": 1, "unaware": 1, "forgotten": 1, "no_value": 2,
        "unverified": 0,
    }  # fmt: skip
    claiming = {
        (one["agent"], one["conditions"])
        for one in found["claims"]
        if one["verdict"] in {"supported", "unsupported"}
    }
    assert claiming == {(ISABELLA, "plan"), (KLAUS, "plan")}


def test_are_compared_with_the_memories_of_a_news_search(
    isabella: Caller, town: str, claims: str
) -> None:
    news = "Isabella Rodriguez is having a Valentine's Day party at Hobbs Cafe on February 14"
    asked = isabella.post(f"{town}/news-searches", {"news": news}).json()
    for search_id in NEWS_SEARCHES.ids():
        NEWS_SEARCHES.carry_out(wiring.ports(), search_id)
    body = {"question": "party", "values": ["yes"], "search": asked["id"]}
    by_words, found = (isabella.post(claims, one).json() for one in (PARTY, body))
    assert found["counts"] == by_words["counts"]
    # The model gave no valid answer for Klaus: whether he can know it is unknown.
    NewsFindingRow.objects.filter(agent=KLAUS).update(parse_error="no answer")
    found = isabella.post(claims, body).json()
    assert found["counts"] == {
        "supported": 1, "unsupported": 0, "unaware": 0, "forgotten": 1, "no_value": 2,
        "unverified": 2,
    }  # fmt: skip
    NewsFindingRow.objects.filter(agent=KLAUS).delete()
    refused = problem(isabella.post(claims, body), 422, "invalid-request")
    assert f"left out {KLAUS}" in refused["detail"]


@pytest.mark.parametrize(
    ("change", "pointer", "words"),
    [
        ({"values": ["Yes"]}, "/values/0", "it has: yes, no"),
        ({"values": ["yes", "maybe"]}, "/values/1", "it has: yes, no"),
        ({"question": "self"}, "/question", "self is an open question"),
        ({"question": "mood"}, "/question", "mood is a scale"),
        ({"question": "age"}, "/question", "choices of the survey: party"),
        ({"question": "none"}, "/question", "it has: age, mood, party, self"),
    ],
)
def test_of_what_the_survey_does_not_have_are_refused(
    isabella: Caller, claims: str, change: dict[str, Any], pointer: str, words: str
) -> None:
    response = isabella.post(claims, PARTY | change)
    problem(response, 422, "invalid-request")
    [error] = response.json()["errors"]
    assert (error["pointer"], words in error["detail"]) == (pointer, True)
