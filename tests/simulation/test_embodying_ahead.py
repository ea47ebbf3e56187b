"""A user acts for somebody who is behind the tick at which that begins (U4, T4)."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import F

from apps import wiring
from apps.llm.port import ModelUnavailable
from apps.rule_model.model import Chance
from apps.simulation import queries
from apps.simulation.commands.command_log import Issuer
from apps.simulation.commands.embodiments import request_embodiment
from apps.simulation.engine.in_process import run_until_rest
from apps.simulation.engine.lifecycle import request_run
from apps.simulation.models import ClockRow, CommandRow
from apps.simulation.ports import Ports
from tests.support.hands import FAST, User, tick_of
from tests.support.rules import TASK_RULES
from tests.support.towns import ONE_BY_ONE, answering, found

pytestmark = pytest.mark.django_db(transaction=True)

PAIR = ("Isabella Rodriguez", "Klaus Mueller")
ISABELLA = "isabella-rodriguez"


def without_a_model_for(name: str) -> Ports:
    """Return ports whose model stays away whenever it is asked about somebody's plans."""

    def away(task: str) -> Any:
        def answer(inputs: Any, chance: Chance) -> Any:
            if name in str(inputs):
                raise ModelUnavailable("the model stays away")
            return TASK_RULES[task](inputs, chance)

        return answer

    tasks = [task for task in TASK_RULES if task.startswith("planning.")]
    return answering({task: away(task) for task in tasks})


def walks(user: User) -> CommandRow:
    return user.move("Hobbs Cafe: cafe")


@pytest.mark.parametrize("asks", [walks, User.hand_back])
def test_heeds_nothing_before_the_embodiment_has_begun(
    asks: Callable[[User], CommandRow],
) -> None:
    row = found(agents=PAIR)
    request_run(row.pk, until_tick=tick_of(row, "2023-02-13T12:00"))
    run_until_rest(without_a_model_for(PAIR[0]), row.pk, ONE_BY_ONE)
    # She stands still, Klaus is ahead; the embodiment is for where he is.
    klaus = ClockRow.objects.filter(simulation_id=row.pk).exclude(agent=ISABELLA)
    assert klaus.update(clock=F("clock") + 10) == 1
    clocks = queries.clocks_of(row.pk)
    ahead = max(clocks.values())
    assert clocks[ISABELLA] < ahead
    begin = request_embodiment(
        row.pk, ISABELLA, issuer=Issuer(by="a researcher", at_tick=ahead)
    )
    asked = asks(User(row, number=begin.body["embodiment"]))
    request_run(row.pk, until_tick=ahead + 20, pace=FAST)
    run_until_rest(wiring.ports(), row.pk, ONE_BY_ONE)
    for one in (row, begin, asked):
        one.refresh_from_db()
    assert begin.effective_tick == ahead
    assert asked.effective_tick is not None, (
        asked.state,
        asked.refusal,
        begin.state,
        begin.effective_tick,
        ahead,
        clocks,
    )
    assert asked.effective_tick >= ahead
    assert row.committed_tick == ahead + 20, row.reason
