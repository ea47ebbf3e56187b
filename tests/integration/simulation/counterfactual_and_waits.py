"""A process that waits in the middle of a counterfactual, to be killed meanwhile.

`request PARENT` waits before the request commits; `advance COUNTERFACTUAL` waits where the two
histories are compared.
"""

import sys
import time
from unittest.mock import patch
from uuid import UUID

import django

django.setup()

from django.db import transaction  # noqa: E402  # Django comes first

from apps import wiring  # noqa: E402
from apps.counterfactuals import commands  # noqa: E402
from apps.simulation.commands.branch_interventions import BranchIntervention  # noqa: E402
from apps.simulation.engine.forks import ForkSpec  # noqa: E402

step, named = sys.argv[1], UUID(sys.argv[2])


def wait(*_arguments: object, **_named: object) -> None:
    print("waiting", flush=True)  # noqa: T201 (for the test)
    time.sleep(60)


if step == "request":
    spec = commands.CounterfactualSpec(
        fork=ForkSpec(name="half a branch", at_tick=0),
        until_tick=10,
        interventions=(
            BranchIntervention(kind="inner-voice", agent="maria-lopez", text="You are tired"),
        ),
    )
    with transaction.atomic():
        commands.request_counterfactual(wiring.ports(), named, spec, by="a tester")
        wait()
else:
    with patch("apps.counterfactuals.commands.compare", wait):
        commands.COUNTERFACTUALS.carry_out(wiring.ports(), named)
