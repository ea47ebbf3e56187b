"""Processes agree on a history, whatever their hash seed and what they executed before (V2)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes import ROOT, database_url
from tests.support.street import write_street

pytestmark = pytest.mark.django_db(transaction=True)

SEED, UNTIL = "7", "2024-06-03T22:30"
HASH_SEEDS = ("0", "1", "2")


def start(worlds: Path, *options: str, hash_seed: str) -> subprocess.Popen[str]:
    """Start a process that executes a day of the street on the test's database."""
    environment = os.environ | {"DATABASE_URL": database_url(), "PYTHONHASHSEED": hash_seed}
    return subprocess.Popen(
        [
            sys.executable,
            "-m",
            "tests.support.street_history",
            str(worlds),
            SEED,
            UNTIL,
            *options,
        ],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )


def hash_printed_by(process: subprocess.Popen[str]) -> str:
    printed, _ = process.communicate()
    assert process.returncode == 0
    return printed.strip()


class TestHistoryOfADay:
    def test_is_the_same_under_every_hash_seed_and_after_other_simulations(
        self, tmp_path: Path
    ) -> None:
        worlds = write_street(tmp_path)
        fresh = [start(worlds, hash_seed=seed) for seed in HASH_SEEDS]
        hashes = [hash_printed_by(process) for process in fresh]
        assert hashes == [hashes[0]] * len(HASH_SEEDS)
        assert len(hashes[0]) == 64
        after_others = start(worlds, "--after-others", hash_seed=HASH_SEEDS[0])
        assert hash_printed_by(after_others) == hashes[0]
