"""The guides that read a simulation of two days run as pasted, as they are shown."""

from pathlib import Path

import pytest

from tests.faults.console.test_serve import Served
from tests.guides.pages import OF_THE_PARTY, check_page


@pytest.mark.parametrize("page", OF_THE_PARTY, ids=lambda page: page.stem)
def test_runs_as_pasted(page: Path, served: Served, *, is_recording: bool) -> None:
    check_page(page, served, is_recording=is_recording)
