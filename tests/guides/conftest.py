"""A served home for the guides of a file, and the option that writes outputs into them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.embedded_postgres.database import stop_server
from tests.faults.console.test_serve import Served, free_port

FOLDER = Path(__file__).parent
MORNING = "It is morning"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--record`."""
    parser.addoption(
        "--record",
        action="store_true",
        help="write the outputs of README and guides as they are now; holes are kept",
    )


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Have the guides in the order of the list: outputs show what earlier ones have made."""
    places = [at for at, item in enumerate(items) if item.path.parent == FOLDER]
    in_order = sorted((items[at] for at in places), key=lambda item: item.location)
    for at, item in zip(places, in_order, strict=True):
        items[at] = item


@pytest.fixture
def is_recording(request: pytest.FixtureRequest) -> bool:
    """Return whether outputs are written in place of compared."""
    return bool(request.config.getoption("--record", default=False))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a fresh home as `make run` does, up to its first morning."""
    home = tmp_path_factory.mktemp("home") / ".smallville"
    served = Served(home, free_port())
    try:
        served.read_greeting()
        assert served.process.stdout is not None
        for line in served.process.stdout:
            if MORNING in line:
                break
        yield served
        served.stop()
    finally:
        served.end()
        stop_server(home)
