"""How long `manage.py serve` takes from its start to agents that move, with memories.

    .venv/bin/python -m benchmarks.first_start [--runs 3]

Each run uses a new folder and a free port, with the dependencies installed. The phases are seen
from outside, over HTTP; the quietest run is the one with the shortest total.
"""

import argparse
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PATIENCE_SECONDS = 180.0
POLL_SECONDS = 0.05
OURS = ("DATABASE_URL", "SMALLVILLE_", "SECRET_KEY", "BROKER_URL", "PORT", "DJANGO_")
AGENT = "isabella-rodriguez"
CPU = "CPU, all but PostgreSQL"


class Start:
    """One start of the service in a folder of its own."""

    def __init__(self, home: Path, port: int) -> None:
        """Start the process; the time counts from here."""
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(OURS)}
        self._home, self._port = home, port
        self._began = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "serve"],
            cwd=ROOT,
            env={**inherited, "SMALLVILLE_HOME": str(home), "PORT": str(port)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def until(self, reached: Callable[[], bool]) -> float:
        """Return the seconds from the start until something is the case."""
        while not reached():
            seconds = time.monotonic() - self._began
            if seconds > PATIENCE_SECONDS or self.process.poll() is not None:
                raise SystemExit(f"not reached within {seconds:.0f} s")
            time.sleep(POLL_SECONDS)
        return time.monotonic() - self._began

    def get(self, path: str, body: object = None) -> Any:
        """Return the document at a path below the simulation, None while there is none."""
        try:
            token = (self._home / "token").read_text().strip()
            simulation = (self._home / "simulation").read_text().strip()
            request = urllib.request.Request(
                f"http://127.0.0.1:{self._port}/api/v1/simulations/{simulation}{path}",
                data=None if body is None else json.dumps(body).encode(),
                headers={
                    "Authorization": f"Bearer {token}",
                    "Content-Type": "application/json",
                },
            )
            with urllib.request.urlopen(request, timeout=10) as response:  # noqa: S310
                return json.load(response)
        except (OSError, urllib.error.URLError):
            return None

    def answers(self) -> bool:
        """Return whether /health says that all is well."""
        try:
            address = f"http://127.0.0.1:{self._port}/health"
            with urllib.request.urlopen(address, timeout=10) as response:
                return bool(response.status == 200)
        except (OSError, urllib.error.URLError):
            return False

    def remembers(self) -> bool:
        """Return whether a retrieval finds memories."""
        found = self.get(f"/agents/{AGENT}/retrievals", {"query": "the party", "limit": 1})
        return bool(found and found["results"])

    def moves(self) -> bool:
        """Return whether an agent is up."""
        state = self.get("/state")
        return bool(state and not all(agent["asleep"] for agent in state["agents"]))

    def is_morning(self) -> bool:
        """Return whether the first night is over."""
        about = self.get("")
        return bool(about and about["clock"]["time"] >= "2023-02-13T06:55:00")

    def stop(self) -> None:
        """End the service, its children too."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait()


def measure() -> dict[str, float]:
    """Return the seconds from the start to each phase."""
    with tempfile.TemporaryDirectory() as folder, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
        free.close()
        start = Start(Path(folder), port)
        used = _cpu_seconds()
        try:
            phases = {
                "/health answers 200": start.until(start.answers),
                "a retrieval finds memories": start.until(start.remembers),
                "an agent is up": start.until(start.moves),
                "06:55, all as in the morning": start.until(start.is_morning),
            }
        finally:
            start.stop()
        return phases | {CPU: _cpu_seconds() - used}


def _cpu_seconds() -> float:
    """Return the CPU seconds of the processes that have ended, their children included."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Measure some starts and show the quietest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    runs = [measure() for _ in range(parser.parse_args().runs)]
    quietest = min(runs, key=lambda run: sum(run.values()))
    load = os.getloadavg()[0]
    sys.stdout.write(f"{len(runs)} starts, load {load:.1f}; the quietest, in seconds:\n")
    for phase, seconds in quietest.items():
        sys.stdout.write(f"  {phase:<32} {seconds:6.1f}\n")


if __name__ == "__main__":
    main()
