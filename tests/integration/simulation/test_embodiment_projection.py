"""The rows of embodiments say who controls which agent, what was requested, and its outcome."""

from typing import Any

import pytest

from apps.simulation.embodiment.events import (
    EVENTS,
    ActionRequestAnswered,
    ActionRequested,
    EmbodimentBegan,
    EmbodimentEnded,
)
from apps.simulation.embodiment.models import EMBODIMENTS, AnswerRow, CallRow, EmbodimentRow
from tests.support.projected import ProjectedLog

pytestmark = pytest.mark.django_db

USER: dict[str, Any] = {"by": "a researcher", "reason": "a test", "agent": "ada"}
BEGAN = EmbodimentBegan(**USER, embodiment=1, is_visitor=False)
ENDED = EmbodimentEnded(
    by="an admin", reason="too long", agent="ada", embodiment=1, is_visitor=False
)


@pytest.fixture
def log() -> ProjectedLog:
    """Return a log in which a user controls Ada and a visitor is there."""
    log = ProjectedLog(EVENTS, [EMBODIMENTS])
    visitor = EmbodimentBegan(
        by="a guest", reason="", agent="vera", embodiment=2, is_visitor=True
    )
    log.append(5, "", BEGAN, visitor)
    return log


class TestEmbodiments:
    def test_are_written_whole(self, log: ProjectedLog) -> None:
        log.append(9, "", ENDED)
        assert log.row(EmbodimentRow, agent="ada") == {
            "number": 1,
            "agent": "ada",
            "is_visitor": False,
            "by": "a researcher",
            "reason": "a test",
            "from_tick": 5,
            "to_tick": 9,
            "ended_by": "an admin",
            "ended_reason": "too long",
        }
        assert log.row(EmbodimentRow, agent="vera") == {
            "number": 2,
            "agent": "vera",
            "is_visitor": True,
            "by": "a guest",
            "reason": "",
            "from_tick": 5,
            "to_tick": None,
            "ended_by": "",
            "ended_reason": "",
        }

    def test_of_another_simulation_go_on(self, log: ProjectedLog) -> None:
        elsewhere = ProjectedLog(EVENTS, [EMBODIMENTS])
        elsewhere.append(5, "", BEGAN)
        log.append(9, "", ENDED)
        assert elsewhere.row(EmbodimentRow)["to_tick"] is None


class TestActionRequests:
    @pytest.mark.parametrize(
        ("kind", "body"),
        [
            ("move", {"to": "", "tile": [3, 4]}),
            ("act", {"object": "stove", "doing": "cooking", "minutes": 5}),
        ],
    )
    def test_are_written_whole(
        self, log: ProjectedLog, kind: str, body: dict[str, Any]
    ) -> None:
        event = ActionRequested(**USER, embodiment=1, kind=kind, body=body)
        log.append(6, "", event)
        assert log.row(CallRow, tick=6) == {
            "event": "6/commands/0",
            "tick": 6,
            "ordinal": 0,
            "agent": "ada",
            "embodiment": 1,
            "kind": kind,
            "body": body,
            "by": "a researcher",
            "reason": "a test",
        }

    def test_are_also_the_beginning_and_the_end(self, log: ProjectedLog) -> None:
        log.append(9, "", ENDED)
        fields = ("tick", "ordinal", "agent", "kind", "body")
        assert log.rows(CallRow, *fields) == [
            (5, 0, "ada", "begin", {}),
            (5, 1, "vera", "begin", {}),
            (9, 0, "ada", "end", {}),
        ]


class TestAnswers:
    def test_are_written_whole(self, log: ProjectedLog) -> None:
        answer = ActionRequestAnswered(
            call="6/commands/0", outcome="refused", code="too-far", why="the stove is too far"
        )
        log.append(7, "ada", answer)
        assert log.row(AnswerRow) == {
            "agent": "ada",
            "call": "6/commands/0",
            "tick": 7,
            "outcome": "refused",
            "code": "too-far",
            "why": "the stove is too far",
        }


class TestRebuild:
    def test_gives_the_same_rows_in_either_order(self, log: ProjectedLog) -> None:
        log.append(9, "", ENDED)
        assert log.problems() == ()
