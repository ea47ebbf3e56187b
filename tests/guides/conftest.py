"""The option that writes the outputs of a run into the guides."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--record`."""
    parser.addoption(
        "--record",
        action="store_true",
        help="write the outputs of README and guides as they are now; holes are kept",
    )
