"""What holds for every test: its tier by its folder, the order of tiers, no network."""

import ipaddress
import os
import signal
import sys
from collections import Counter
from pathlib import Path

import pytest
from django.db import connection
from django.db.backends.base.creation import TEST_DATABASE_PREFIX
from django.test import TransactionTestCase
from hypothesis import HealthCheck, settings
from pytest_django.plugin import DjangoDbBlocker

# How long a machine takes to make an example says nothing about the code.
settings.register_profile(
    "smallville", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("smallville")

TESTS = Path(__file__).parent
TIERS = (
    "unit",
    "architecture",
    "contract",
    "integration",
    "acceptance",
    "simulation",
    "faults",
    "browser",  # the page in Chromium; by `make test-browser`
    "guides",  # every block of README and guides; by `make test-guides`
    "long",  # whole days and histories compared; by `make test-long`
    "llama",  # only by `make test-llama`: its file is named so that nothing else collects it
    "foreign",  # only by `make test-foreign`
    "generated_client",  # only by `make static`
)
MODULES_OF_MINUTES = frozenset(
    (
        *("test_a_whole_day", "test_presets", "test_replays", "test_kill"),
        *("test_guides", "test_guides_of_the_party"),
    )
)
"""Those that no process may begin last, since the others would wait for it."""
LOOPBACK_NAMES = {"localhost", ""}
IDS_OF_A_PROCESS = 10**8
KEPT_TABLES = {"auth_permission", "django_content_type"}
"""Tables whose rows the migrations write and no test changes."""


class NetworkRefused(RuntimeError):
    """A test tried to reach a host other than this one."""


def pytest_configure() -> None:
    """Have SIGINT interrupt this process and those that it starts, whatever started it.

    A shell lets the processes of a background job ignore it.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)


def tier_of(path: Path) -> str:
    """Return the folder under tests/ that a test lies in."""
    return path.relative_to(TESTS).parts[0]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test with its tier; keep the shuffled order within a tier.

    A single process runs cheap tiers first. Several take modules of minutes, then those of the
    dear tiers, first, so that they end at nearly the same time.
    """
    for item in items:
        tier = tier_of(item.path)
        if tier not in TIERS:
            raise pytest.UsageError(f"{item.path} lies in no tier: {', '.join(TIERS)}")
        item.add_marker(tier)
    is_one_of_several = bool(items) and hasattr(items[0].config, "workerinput")
    items.sort(key=lambda item: TIERS.index(tier_of(item.path)), reverse=is_one_of_several)
    if is_one_of_several:
        items.sort(key=lambda item: item.path.stem not in MODULES_OF_MINUTES)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Count ids from another number in each process, which write back one another's rows."""
    del django_db_setup
    if not str(connection.settings_dict["NAME"]).startswith(TEST_DATABASE_PREFIX):
        return  # Made later, where no test has the mark; a connection now would stay pooled.
    first = IDS_OF_A_PROCESS * int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) + 1
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT setval(format('%%I.%%I', schemaname, sequencename)::regclass, %s, false)"
            " FROM pg_sequences WHERE sequencename !~ '^(auth|django)_'",
            [first],
        )


def empty_tables(_case: TransactionTestCase) -> None:
    """Delete what a test with transactions of its own has committed.

    Django's way truncates every table and writes content types and permissions again, which
    takes longer than many tests.
    """
    tables = connection.introspection.django_table_names(only_existing=True)
    quoted = [connection.ops.quote_name(name) for name in set(tables) - KEPT_TABLES]
    with connection.cursor() as cursor:
        has_rows = " UNION ALL ".join(
            f"SELECT {number} WHERE EXISTS (SELECT FROM {table})"  # noqa: S608
            for number, table in enumerate(quoted)
        )
        cursor.execute(has_rows)
        used = [quoted[number] for (number,) in cursor.fetchall()]
        if used:
            cursor.execute(f"TRUNCATE {', '.join(used)} CASCADE")


TransactionTestCase._fixture_teardown = empty_tables  # type: ignore[attr-defined]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """End with a line for each tier: how many of its tests ran, how many were skipped."""
    ran = outcomes_by_tier(terminalreporter, ("passed", "failed", "error", "xfailed"))
    skipped = outcomes_by_tier(terminalreporter, ("skipped",))
    for tier in TIERS:
        if ran[tier] or skipped[tier]:
            terminalreporter.write_line(
                f"tier {tier}: {ran[tier]} ran, {skipped[tier]} skipped"
            )


def outcomes_by_tier(
    reporter: pytest.TerminalReporter, outcomes: tuple[str, ...]
) -> Counter[str]:
    """Count the tests of each tier that ended in one of the outcomes."""
    reports = [report for outcome in outcomes for report in reporter.stats.get(outcome, [])]
    tests = {report.nodeid for report in reports if isinstance(report, pytest.TestReport)}
    return Counter(tier_of_node(test) for test in tests)


def tier_of_node(node: str) -> str:
    """Return the tier in a test's id, "tests/unit/world/test_map.py::TestMap::test_x"."""
    parts = Path(node.partition("::")[0]).parts
    return next((part for part in parts if part in TIERS), "")


def is_loopback(host: object) -> bool:
    """Say whether an address stays on this machine."""
    if isinstance(host, bytes):
        host = host.decode()
    if host is None or host in LOOPBACK_NAMES:
        return True
    try:
        return ipaddress.ip_address(str(host)).is_loopback
    except ValueError:
        return False


class NetworkGuard:
    """Refuses connections to other hosts while it is on; an audit hook sees all of Python's."""

    on = False

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        """Look at what the interpreter is about to do."""
        if not self.on or not event.startswith("socket."):
            return
        if event in {"socket.connect", "socket.sendto"}:
            address = arguments[1]
            host = address[0] if isinstance(address, tuple) else None
        elif event == "socket.getaddrinfo":
            host = arguments[0]
        else:
            return
        if not is_loopback(host):
            raise NetworkRefused(f"a test must not reach {host}")


_GUARD = NetworkGuard()
sys.addaudithook(_GUARD)


@pytest.fixture(autouse=True, scope="session")
def _no_network() -> None:
    """Refuse every connection that would leave this machine."""
    _GUARD.on = True
