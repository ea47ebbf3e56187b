"""Processes agree on a history, whatever their hash seed and what they executed before (V2)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes import ROOT, database_url
from tests.support.street import write_street

pytestmark = pytest.mark.django_db(transaction=True)

# A day from getting up to bed, of a few hours: what would follow has happened by then.
SEED, BED_TIME, UNTIL = "7", "09:30", "2024-06-03T10:00"


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
        worlds = write_street(tmp_path, sleep=BED_TIME)
        processes = [
            start(worlds, hash_seed="0"),
            start(worlds, "--after-others", hash_seed="1"),
        ]
        hashes = [hash_printed_by(process) for process in processes]
        assert hashes == [hashes[0]] * len(processes)
        assert len(hashes[0]) == 64
