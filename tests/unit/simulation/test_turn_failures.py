"""What users read of a turn that failed: no paths, texts or data of an unforeseen error."""

import pytest

from apps.kernel.errors import DomainError
from apps.llm.port import ModelUnavailable
from apps.simulation.engine.turn_executors import ReadyTurn, TurnFailed, failure_reason


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (
            FileNotFoundError(2, "No such file", "/srv/worlds/mill/people.yaml"),
            "ada at tick 7: an error of the service (FileNotFoundError); "
            "its log has the details",
        ),
        (DomainError("the files have changed"), "ada at tick 7: the files have changed"),
        (TurnFailed("ada at tick 7: once told"), "ada at tick 7: once told"),
        (ModelUnavailable("no answer", setbacks=()), "no answer"),
    ],
)
def test_the_reason_of_a_pause(error: Exception, reason: str) -> None:
    assert failure_reason(ReadyTurn(7, "ada"), error) == reason
