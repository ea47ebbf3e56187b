"""Executes a day of Smallville in processes with different hash seeds and compares the logs.

    .venv/bin/python -m benchmarks.hash_seeds 0 1 2 [--seed 7] [--until 2023-02-14T03:00]
        [--agents 25]

Prints a row for each hash seed; the exit status is 1 unless all logs have the same hash.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def main() -> None:
    """Execute the day once for each hash seed that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("hash_seeds", nargs="*", type=int, default=[0, 1, 2])
    parser.add_argument("--seed", type=int, default=7, help="the simulation's seed")
    parser.add_argument("--until", default="2023-02-14T03:00", help="game time of the end")
    parser.add_argument("--agents", type=int, default=25, help="keep the first agents only")
    asked = parser.parse_args()
    print("| hash seed | log_sha256 | events | seconds |\n|---|---|---|---|")
    hashes = set()
    for hash_seed in asked.hash_seeds:
        summary = summary_of_day(
            hash_seed, seed=asked.seed, until=asked.until, agents=asked.agents
        )
        hashes.add(summary["log_sha256"])
        seconds = f"{summary['wall_seconds']:.0f}"
        print(
            f"| {hash_seed} | {summary['log_sha256']} | {summary['events']} | {seconds} |",
            flush=True,
        )
    sys.exit(0 if len(hashes) == 1 else 1)


def summary_of_day(hash_seed: int, *, seed: int, until: str, agents: int) -> dict[str, object]:
    """Return the summary that `manage.py simulate` prints as its last line."""
    command = [
        sys.executable, "manage.py", "simulate", "--world", "smallville",
        "--seed", str(seed), "--until", until, "--agents", str(agents),
    ]  # fmt: skip
    environment = os.environ | {"PYTHONHASHSEED": str(hash_seed)}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    summary: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return summary


if __name__ == "__main__":
    main()
