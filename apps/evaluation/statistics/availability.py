"""Whether the optional packages for statistics and plots are installed."""

from importlib.util import find_spec

from apps.kernel.errors import DomainError


class StatisticsUnavailable(DomainError):
    """Statistical tests need the package scipy; install requirements-evaluation.txt."""


def is_scipy_installed() -> bool:
    """Return whether statistical tests can be computed."""
    return find_spec("scipy") is not None


def ensure_statistics_available() -> None:
    """Check that the optional package is installed.

    :raises StatisticsUnavailable: if it is not.
    """
    if not is_scipy_installed():
        raise StatisticsUnavailable
