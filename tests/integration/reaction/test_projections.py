"""The rows of reactions say what was decided about each subject."""

import pytest

from apps.reaction.events import EVENTS, ReactionDecided
from apps.reaction.models import REACTIONS, WeighedRow
from tests.support.projected import ProjectedLog

pytestmark = pytest.mark.django_db

STOVE = "Mill Cottage: kitchen: stove"


class TestWeighed:
    def test_writes_each_subject_once_and_marks_the_decisive_one(self) -> None:
        log = ProjectedLog(EVENTS, [REACTIONS])
        decided = ReactionDecided(
            subjects=("ben", STOVE, "ben"), choice="act", about=STOVE, what="turn off the stove"
        )
        log.append(7, "ada", decided)
        common = {"agent": "ada", "tick": 7, "choice": "act", "event": "7/ada/0"}
        assert log.row(WeighedRow, subject=STOVE) == {
            **common,
            "subject": STOVE,
            "decisive": True,
            "what": "turn off the stove",
        }
        assert log.row(WeighedRow, subject="ben") == {
            **common,
            "subject": "ben",
            "decisive": False,
            "what": "",
        }
        assert log.problems() == ()
