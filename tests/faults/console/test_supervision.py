"""Children that die are started again, and none outlives its parent."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from apps.console.supervision import Program, Supervisor, back_off_seconds, describe_exit

PATIENCE_SECONDS = 30.0
ROOT = Path(__file__).resolve().parents[3]
SLEEPER = Program("sleeper", ("-c", "import time; print('awake', flush=True); time.sleep(600)"))
FAILING = Program("failing", ("-c", "raise SystemExit('it cannot be')"))
STUBBORN = Program(
    "stubborn",
    (
        "-c",
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "print('deaf', flush=True); time.sleep(600)",
    ),
)
PARENT = """
import os, sys, time
from pathlib import Path
import django
os.environ["DJANGO_SETTINGS_MODULE"] = "smallville_api.settings"
django.setup()
from apps.console.supervision import Program, Supervisor
here = Path(sys.argv[1])
child = Program("sleeper", ("-c", "import time; time.sleep(600)"))
supervisor = Supervisor([child], folder=here, logs=here, announce=print)
supervisor.poll()
print(supervisor.children[0].process_id, flush=True)
time.sleep(600)
"""


def until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < deadline, "patience is at its end"
        time.sleep(0.01)


def is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


class Household:
    """A supervisor whose announcements are kept."""

    def __init__(self, program: Program, folder: Path) -> None:
        self.said: list[str] = []
        self.supervisor = Supervisor(
            [program], folder=folder, logs=folder, announce=self.said.append
        )
        self.child = self.supervisor.children[0]

    def polls_until(self, is_so: Callable[[], bool]) -> None:
        def look() -> bool:
            self.supervisor.poll()
            return is_so()

        until(look)


@pytest.fixture
def household(tmp_path: Path) -> Iterator[Callable[[Program], Household]]:
    made: list[Household] = []

    def make(program: Program) -> Household:
        made.append(Household(program, tmp_path))
        return made[-1]

    yield make
    for one in made:
        one.supervisor.stop()


Make = Callable[[Program], Household]


class TestSupervisor:
    def test_starts_again_what_was_killed_and_says_so(self, household: Make) -> None:
        house = household(SLEEPER)
        house.polls_until(lambda: "awake" in house.child.last_lines())
        killed = house.child.process_id
        os.kill(killed, signal.SIGKILL)
        house.polls_until(lambda: house.child.process_id not in {0, killed})
        assert "The sleeper process ended (signal SIGKILL)" in house.said[0]

    def test_tells_the_last_words_of_what_failed(self, household: Make) -> None:
        house = household(FAILING)
        house.polls_until(lambda: bool(house.said))
        assert "(status 1)" in house.said[0]
        assert "it cannot be" in house.said[0]

    def test_ends_what_does_not_listen(self, household: Make) -> None:
        house = household(STUBBORN)
        house.polls_until(lambda: "deaf" in house.child.last_lines())
        process = house.child.process_id
        house.child.terminate()
        house.child.wait_or_kill(until=time.monotonic())
        assert not is_alive(process)

    def test_leaves_no_child_behind_when_it_is_killed_itself(self, tmp_path: Path) -> None:
        with subprocess.Popen(
            [sys.executable, "-c", PARENT, str(tmp_path)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        ) as parent:
            assert parent.stdout is not None
            child = int(parent.stdout.readline())
            assert is_alive(child)
            parent.kill()
        until(lambda: not is_alive(child))


class TestBackOff:
    def test_grows_with_every_death_and_is_bounded(self) -> None:
        waits = [back_off_seconds(exits) for exits in range(1, 1_000)]
        assert waits == sorted(waits)
        assert (waits[0], waits[-1]) == (0.5, 10.0)


class TestDescribeExit:
    @pytest.mark.parametrize(
        ("status", "words"), [(3, "status 3"), (-9, "signal SIGKILL"), (-99, "signal 99")]
    )
    def test_names_status_or_signal(self, status: int, words: str) -> None:
        assert describe_exit(status) == words
