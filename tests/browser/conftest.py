"""The page in a real browser: Chromium, a web process, a worker and a scheduler."""

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.backends.base.creation import TEST_DATABASE_PREFIX
from django.test.utils import setup_databases, teardown_databases
from playwright.sync_api import Browser, sync_playwright
from pytest_django.plugin import DjangoDbBlocker

from apps.access.commands import issue_token
from tests.browser.town import TownServer, found_town
from tests.browser.visits import Visit, open_visit
from tests.conftest import empty_tables
from tests.support.processes import stack

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def server(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[TownServer]:
    """Serve a town that has lived its first morning; all tests share it and none changes it."""
    del django_db_setup
    folder = tmp_path_factory.mktemp("browser")
    with django_db_blocker.unblock():
        # pytest-django makes the database only for tests with its mark, whose transactions
        # would be opened while Playwright's event loop runs.
        is_there = str(connection.settings_dict["NAME"]).startswith(TEST_DATABASE_PREFIX)
        made = [] if is_there else setup_databases(verbosity=0, interactive=False)
        token = issue_token(User.objects.create_user("isabella"), "a browser")
        with stack(folder, CORS_ORIGINS=TownServer.other_origin()) as processes:
            newcomer = issue_token(User.objects.create_user("newcomer"), "a browser")
            server = TownServer(processes=processes, token=token, newcomer=newcomer)
            server.start_web()
            processes.start_worker("worker")
            processes.start_scheduler()
            server.town = found_town(server)
            yield server
        empty_tables(None)  # type: ignore[arg-type]
        teardown_databases(made, verbosity=0)


@pytest.fixture(scope="session")
def browser(server: TownServer) -> Iterator[Browser]:
    """Start the Chromium of this machine; no browser is ever downloaded."""
    del server  # The database is used before and after Playwright's event loop runs.
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        pytest.fail("install Chromium to test the page; on Debian: apt-get install chromium")
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=sandbox)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Browser, server: TownServer) -> Iterator[Callable[..., Visit]]:
    """Give a function that opens the page; after the test, nothing may have failed in it."""
    visits: list[Visit] = []

    def opened(**options: object) -> Visit:
        visits.append(open_visit(browser, server, **options))  # type: ignore[arg-type]
        return visits[-1]

    yield opened
    for each in visits:
        problems = each.problems
        each.page.context.close()
        assert problems == [], problems
