"""Waits before a request of a counterfactual commits, to be killed meanwhile."""

import sys
import time
from uuid import UUID

import django

django.setup()

from django.db import transaction  # noqa: E402  # Django comes first

from apps import wiring  # noqa: E402
from apps.counterfactuals import commands  # noqa: E402
from apps.simulation.commands.branch_interventions import BranchIntervention  # noqa: E402
from apps.simulation.engine.forks import ForkSpec  # noqa: E402

spec = commands.CounterfactualSpec(
    fork=ForkSpec(name="half a branch", at_tick=0),
    until_tick=10,
    interventions=(
        BranchIntervention(kind="inner-voice", agent="maria-lopez", text="You are tired"),
    ),
)
with transaction.atomic():
    commands.request_counterfactual(wiring.ports(), UUID(sys.argv[1]), spec, by="a tester")
    print("waiting", flush=True)  # noqa: T201 (for the test)
    time.sleep(60)
