"""Clients that do not read their responses: they hold no connection, and are cut off."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from apps.access.commands import issue_token, revoke_token
from apps.access.models import ApiToken
from apps.simulation.models import SimulationRow
from tests.support.long_logs import a_long_log
from tests.support.processes import wait_until
from tests.support.serving import Service, served
from tests.support.sockets import Wire

pytestmark = pytest.mark.django_db(transaction=True)

PER_USER_MAX = 4
EVENTS = 2_500
"""More bytes than the kernel keeps for a client that does not read."""
CUT_OFF_SECONDS = 30.0


@pytest.fixture
def service(tmp_path: Path, token: str) -> Iterator[Service]:
    """Serve with fewer connections to the database than there are clients that do not read."""
    with served(
        tmp_path,
        token,
        DATABASE_POOL_MAX="2",
        DATABASE_POOL_WAIT_SECONDS="20",  # less than an unread response may stall
        DOWNLOADS_PER_USER_MAX=str(PER_USER_MAX),
        STREAM_CHECK_SECONDS="0",
    ) as service:
        yield service


def address_of(row: SimulationRow) -> str:
    return f"/api/v1/simulations/{row.pk}"


def ask(service: Service, stack: ExitStack, path: str) -> Wire:
    """Ask on a connection that leaves its response unread."""
    wire = stack.enter_context(Wire(service.port, reads_little=True))
    wire.ask("GET", path, Authorization=service.headers["Authorization"])
    return wire


class TestUnreadResponse:
    def test_holds_no_connection_to_the_database(self, service: Service) -> None:
        town = address_of(a_long_log(EVENTS))
        for path in (
            f"{town}/events?format=jsonl",
            f"{town}/events?format=csv",
            f"{town}/stream?until=committed&after=beginning",
            f"{town}/events?limit=500",  # a page of five megabytes
        ):
            with ExitStack() as stack:
                unread = [ask(service, stack, path) for _ in range(PER_USER_MAX)]
                assert [wire.status() for wire in unread] == [200] * PER_USER_MAX
                response, document = service.ask("GET", town)
                assert response.status == 200, (path, document)
                if "limit" in path:
                    continue
                # One more is one too many, until another is over.
                answer = ask(service, stack, path).answer()
                assert (answer.status, answer.document["code"]) == (429, "too-many-downloads")
                assert int(answer.headers["Retry-After"]) > 0
                unread[0].socket.close()

                def is_free(path: str = path, stack: ExitStack = stack) -> bool:
                    return ask(service, stack, path).status() == 200

                wait_until(is_free, seconds=CUT_OFF_SECONDS, told=lambda: "no slot is free")

    def test_is_cut_off(self, tmp_path: Path, token: str) -> None:
        path = f"{address_of(a_long_log(EVENTS))}/events?format=jsonl"
        with (
            served(
                tmp_path, token, RESPONSE_STALL_SECONDS="1", DOWNLOADS_PER_USER_MAX="1"
            ) as service,
            ExitStack() as stack,
        ):
            unread = ask(service, stack, path)
            assert unread.status() == 200
            assert ask(service, stack, path).status() == 429

            def is_cut_off() -> bool:
                return "response not read by its client" in service.log()

            wait_until(is_cut_off, seconds=CUT_OFF_SECONDS, told=service.log)
            assert not is_complete(unread.rest())
            assert ask(service, stack, path).status() == 200

    def test_breaks_off_when_it_may_not_go_on(self, service: Service) -> None:
        town = address_of(a_long_log(EVENTS))
        path = f"{town}/events?format=jsonl"
        other = issue_token(User.objects.get(), "another")
        with ExitStack() as stack:
            revoked, deleted = ask(service, stack, path), Wire(service.port, reads_little=True)
            stack.enter_context(deleted)
            deleted.ask("GET", path, Authorization=f"Bearer {other}")
            assert (revoked.status(), deleted.status()) == (200, 200)
            revoke_token(ApiToken.objects.get(name="a test").pk)
            assert not is_complete(revoked.rest())
            shown = {"Authorization": f"Bearer {other}"}
            assert service.ask("DELETE", town, **shown)[0].status == 204
            assert not is_complete(deleted.rest())


def is_complete(rest: bytes) -> bool:
    """Whether a response in chunks ends as it should."""
    return rest.endswith(b"0\r\n\r\n")
