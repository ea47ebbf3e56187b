"""A process that forks a simulation and waits before it commits, to be killed meanwhile."""

import sys
import time
from uuid import UUID

import django

django.setup()

from django.db import transaction  # noqa: E402  # Django comes first

from apps import wiring  # noqa: E402
from apps.simulation.engine.forks import ForkSpec, fork_simulation  # noqa: E402

spec = ForkSpec(name="half a branch", at_tick=0, seed=8)
with transaction.atomic():
    fork_simulation(wiring.ports(), UUID(sys.argv[1]), spec)
    print("forked", flush=True)  # noqa: T201 (for the test)
    time.sleep(60)
