"""The rows of summaries: one at the end of any tick, whole, and the agent's own."""

from dataclasses import replace

import pytest

from apps.memory.events import EVENTS
from apps.memory.models import SelfSummaryRow
from apps.memory.projections import SELF_SUMMARIES
from tests.support.builders import summarised
from tests.support.projected import ProjectedLog

pytestmark = pytest.mark.django_db

SUMMARY = summarised(
    "Ada is patient",
    occupation="Ada grinds flour",
    feeling="Ada is content",
    text="Ada is patient. Ada grinds flour. Ada is content.",
    due_tick=90,
)
VALIDITY = ("agent", "core", "from_tick", "to_tick")


class TestSelfSummarised:
    def test_is_written_whole(self) -> None:
        log = ProjectedLog(EVENTS, [SELF_SUMMARIES])
        log.append(5, "ada", SUMMARY)
        assert log.row(SelfSummaryRow) == {
            "agent": "ada",
            "core": "Ada is patient",
            "occupation": "Ada grinds flour",
            "feeling": "Ada is content",
            "text": "Ada is patient. Ada grinds flour. Ada is content.",
            "due_tick": 90,
            "from_tick": 5,
            "to_tick": None,
        }

    def test_replaces_the_one_before_of_that_agent_and_simulation(self) -> None:
        here, elsewhere = (ProjectedLog(EVENTS, [SELF_SUMMARIES]) for _ in range(2))
        for log in (here, elsewhere):
            log.append(5, "ada", SUMMARY)
            log.append(9, "ben", SUMMARY)
        here.append(9, "ada", replace(SUMMARY, core="first"), replace(SUMMARY, core="second"))
        here.append(12, "ada", replace(SUMMARY, core="third"))
        assert here.rows(SelfSummaryRow, *VALIDITY) == [
            ("ada", "Ada is patient", 5, 9),
            ("ada", "second", 9, 12),
            ("ada", "third", 12, None),
            ("ben", "Ada is patient", 9, None),
        ]
        assert elsewhere.rows(SelfSummaryRow, "to_tick") == [(None,), (None,)]
        assert here.problems() == ()
