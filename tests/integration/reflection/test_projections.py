"""The rows of reflections hold the whole event."""

import pytest

from apps.reflection.dealings import Claim, ClaimKind, Frequency
from apps.reflection.events import EVENTS, DroppedInsight, DropReason, Insight, Reflected
from apps.reflection.models import REFLECTIONS, ReflectionRow
from tests.support.projected import ProjectedLog

pytestmark = pytest.mark.django_db


class TestReflected:
    def test_is_written_whole(self) -> None:
        log = ProjectedLog(EVENTS, [REFLECTIONS])
        kept = Insight(
            question=1,
            memory=9,
            statement="Ada likes flour",
            evidence=(3, 1),
            replaces=4,
            claim=Claim(about="ben", kind=ClaimKind.TALKS, frequency=Frequency.ONCE, counted=2),
        )
        dropped = DroppedInsight(
            question=0, statement="Ada is late", cited=(7,), reason=DropReason.WITHOUT_EVIDENCE
        )
        reflected = Reflected(
            importance=151, questions=("Why?", "Who?"), insights=(kept,), dropped=(dropped,)
        )
        log.append(7, "ada", reflected)
        assert log.row(ReflectionRow) == {
            "agent": "ada",
            "tick": 7,
            "ordinal": 0,
            "importance": 151,
            "questions": ["Why?", "Who?"],
            "insights": [
                {
                    "question": 1,
                    "memory": 9,
                    "statement": "Ada likes flour",
                    "evidence": [3, 1],
                    "importance": 0,
                    "not_offered": [],
                    "replaces": 4,
                    "changes": None,
                    "claim": {
                        "about": "ben",
                        "kind": "talks",
                        "frequency": "once",
                        "counted": 2,
                    },
                }
            ],
            "dropped": [
                {
                    "question": 0,
                    "statement": "Ada is late",
                    "cited": [7],
                    "reason": "without-evidence",
                    "claim": None,
                }
            ],
            "kind": "insights",
        }
        assert log.problems() == ()
