"""Who may do what: every method of every route, asked for by everybody there could be."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from apps.access.commands import issue_token, revoke_token
from apps.access.membership import add_member
from apps.access.models import ApiToken
from apps.access.rights import Right, Role
from apps.api.urls import urlpatterns
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, caller_of

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


class Needs(Enum):
    """What somebody needs for a request to be let in."""

    NOTHING = "open to everybody"
    TOKEN = "any user's token"
    READ = Right.READ
    COMMAND = Right.COMMAND
    OWN = Right.OWN


# Every route, by its name in apps/api/urls.py and its method.
NEEDS = {
    ("health", "GET"): Needs.NOTHING,
    ("metrics", "GET"): Needs.NOTHING,  # from this machine, which is where tests call from
    ("schema", "GET"): Needs.NOTHING,
    ("docs", "GET"): Needs.NOTHING,
    ("worlds", "GET"): Needs.TOKEN,
    ("models", "GET"): Needs.TOKEN,
    ("estimate-of-days", "GET"): Needs.TOKEN,
    ("simulations", "GET"): Needs.TOKEN,
    ("simulations", "POST"): Needs.TOKEN,
    ("imports", "POST"): Needs.TOKEN,
    ("export", "GET"): Needs.READ,
    ("simulation", "GET"): Needs.READ,
    ("simulation", "PATCH"): Needs.OWN,
    ("simulation", "DELETE"): Needs.OWN,
    ("run", "POST"): Needs.COMMAND,
    ("pause", "POST"): Needs.COMMAND,
    ("settings", "GET"): Needs.READ,
    ("members", "GET"): Needs.READ,
    ("members", "POST"): Needs.OWN,
    ("member", "PATCH"): Needs.OWN,
    ("member", "DELETE"): Needs.OWN,
    ("state", "GET"): Needs.READ,
    ("world", "GET"): Needs.READ,
    ("map", "GET"): Needs.READ,
    ("asset", "GET"): Needs.READ,
    ("agents", "GET"): Needs.READ,
    ("agents", "POST"): Needs.COMMAND,
    ("agent", "GET"): Needs.READ,
    ("agent", "DELETE"): Needs.COMMAND,
    ("summary", "GET"): Needs.READ,
    ("known-places", "GET"): Needs.READ,
    ("timeline", "GET"): Needs.READ,
    ("plan", "GET"): Needs.READ,
    ("memories", "GET"): Needs.READ,
    ("memory", "GET"): Needs.READ,
    ("all-memories", "GET"): Needs.READ,
    ("utterances", "GET"): Needs.READ,
    ("reflections", "GET"): Needs.READ,
    ("facts", "GET"): Needs.READ,
    ("retrievals", "POST"): Needs.READ,
    ("ask", "POST"): Needs.COMMAND,
    ("inner-voice", "POST"): Needs.COMMAND,
    ("observations", "POST"): Needs.COMMAND,
    ("embody", "POST"): Needs.COMMAND,
    ("interviews", "GET"): Needs.READ,
    ("interview", "GET"): Needs.READ,
    ("object-state", "POST"): Needs.COMMAND,
    ("embodiments", "GET"): Needs.READ,
    ("embodiment", "GET"): Needs.READ,
    ("embodiment", "DELETE"): Needs.COMMAND,
    ("embodied-actions", "POST"): Needs.COMMAND,
    ("visitors", "POST"): Needs.COMMAND,
    ("events", "GET"): Needs.READ,
    ("event", "GET"): Needs.READ,
    ("model-calls", "GET"): Needs.READ,
    ("model-call", "GET"): Needs.READ,
    ("model-call-outcomes", "GET"): Needs.READ,
    ("provenance", "GET"): Needs.READ,
    ("conversations", "GET"): Needs.READ,
    ("conversation", "GET"): Needs.READ,
    ("relationships", "GET"): Needs.READ,
    ("stream", "GET"): Needs.READ,
    ("comparison", "GET"): Needs.READ,
    ("forks", "GET"): Needs.READ,
    ("forks", "POST"): Needs.READ,
    ("counterfactuals", "GET"): Needs.READ,
    ("counterfactuals", "POST"): Needs.READ,
    ("counterfactual-estimate", "POST"): Needs.READ,
    ("counterfactual", "GET"): Needs.READ,
    ("counterfactual", "DELETE"): Needs.COMMAND,
    ("counterfactual-resume", "POST"): Needs.READ,
    ("replays", "GET"): Needs.READ,
    ("replays", "POST"): Needs.COMMAND,
    ("replay", "GET"): Needs.READ,
    ("replay", "DELETE"): Needs.COMMAND,
    ("replay-resume", "POST"): Needs.COMMAND,
    ("questionnaires", "GET"): Needs.TOKEN,
    ("questionnaires", "POST"): Needs.TOKEN,
    ("questionnaire", "GET"): Needs.TOKEN,
    ("questionnaire", "DELETE"): Needs.TOKEN,
    ("measures", "GET"): Needs.TOKEN,
    ("exporters", "GET"): Needs.TOKEN,
    ("judges", "GET"): Needs.TOKEN,
    ("verifiers", "GET"): Needs.TOKEN,
    ("experiments", "GET"): Needs.TOKEN,
    ("experiments", "POST"): Needs.TOKEN,
    ("experiment-estimate", "POST"): Needs.TOKEN,
    ("experiment", "GET"): Needs.TOKEN,
    ("experiment", "DELETE"): Needs.TOKEN,
    ("experiment-pause", "POST"): Needs.TOKEN,
    ("experiment-resume", "POST"): Needs.TOKEN,
    ("experiment-cancel", "POST"): Needs.TOKEN,
    ("experiment-runs", "GET"): Needs.TOKEN,
    ("experiment-events", "GET"): Needs.TOKEN,
    ("experiment-results", "GET"): Needs.TOKEN,
    ("experiment-summary", "GET"): Needs.TOKEN,
    ("experiment-results-table", "GET"): Needs.TOKEN,
    ("experiment-summary-table", "GET"): Needs.TOKEN,
    ("experiment-runs-table", "GET"): Needs.TOKEN,
    ("experiment-results-parquet", "GET"): Needs.TOKEN,
    ("experiment-summary-parquet", "GET"): Needs.TOKEN,
    ("experiment-runs-parquet", "GET"): Needs.TOKEN,
    ("experiment-figure", "GET"): Needs.TOKEN,
    ("experiment-figures", "GET"): Needs.TOKEN,
    ("experiment-report", "GET"): Needs.TOKEN,
    ("experiment-report-text", "GET"): Needs.TOKEN,
    ("quality", "GET"): Needs.READ,
    ("quality-badge", "GET"): Needs.READ,
    ("social", "GET"): Needs.READ,
    ("diffusion", "POST"): Needs.READ,
    ("attendance", "POST"): Needs.READ,
    ("routines", "GET"): Needs.READ,
    ("plots", "GET"): Needs.READ,
    ("plot", "GET"): Needs.READ,
    ("recording", "GET"): Needs.READ,
    ("survey-claims", "POST"): Needs.READ,
    ("news-searches", "GET"): Needs.READ,
    ("news-searches", "POST"): Needs.COMMAND,
    ("news-search-estimate", "POST"): Needs.READ,
    ("news-search", "GET"): Needs.READ,
    ("news-search", "DELETE"): Needs.COMMAND,
    ("news-search-resume", "POST"): Needs.COMMAND,
    ("verified-diffusion", "GET"): Needs.READ,
    ("surveys", "GET"): Needs.READ,
    ("surveys", "POST"): Needs.COMMAND,
    ("survey-estimate", "POST"): Needs.READ,
    ("survey", "GET"): Needs.READ,
    ("survey", "DELETE"): Needs.COMMAND,
    ("survey-interviews", "GET"): Needs.READ,
    ("survey-resume", "POST"): Needs.COMMAND,
    ("written-answers", "GET"): Needs.READ,
    ("written-answers", "POST"): Needs.COMMAND,
    ("written-answer-batch", "POST"): Needs.COMMAND,
    ("rankings", "GET"): Needs.READ,
    ("rankings", "POST"): Needs.COMMAND,
    ("ranking", "GET"): Needs.READ,
    ("ranking", "DELETE"): Needs.COMMAND,
    ("ranking-estimate", "POST"): Needs.READ,
    ("ranking-resume", "POST"): Needs.COMMAND,
    ("ranking-tasks", "GET"): Needs.READ,
    ("ranking-next-task", "GET"): Needs.READ,
    ("ranking-judgement", "POST"): Needs.READ,
    ("ranking-judgements", "GET"): Needs.READ,
    ("ranking-report", "GET"): Needs.READ,
    ("ranking-figure", "GET"): Needs.READ,
    ("commands", "GET"): Needs.READ,
    ("command", "GET"): Needs.READ,
    ("costs", "GET"): Needs.READ,
    ("cost-estimate", "GET"): Needs.READ,
}
# Of the parameters of addresses; what is not named here is "1", which need not be anything.
EXAMPLES = {"agent": "isabella-rodriguez", "username": "isabella", "file": "tileset.png"}


@dataclass(frozen=True)
class Route:
    """A method of an address."""

    name: str
    method: str
    parameters: tuple[str, ...]

    def address(self, town: str) -> str:
        """Return the address below the town's."""
        values = EXAMPLES | {"simulation": town.rpartition("/")[2]}
        return reverse(
            self.name, kwargs={name: values.get(name, "1") for name in self.parameters}
        )


def routes(patterns: Any = urlpatterns, above: tuple[str, ...] = ()) -> Iterator[Route]:
    """Yield every method of every view that is routed, but for the page of the front-end."""
    for pattern in patterns:
        parameters = (*above, *pattern.pattern.converters)
        if hasattr(pattern, "url_patterns"):
            yield from routes(pattern.url_patterns, parameters)
        elif hasattr(pattern.callback, "cls"):
            for method in METHODS:
                if hasattr(pattern.callback.cls, method.lower()):
                    yield Route(pattern.name, method, parameters)


ROUTES = list(routes())
KNOWN = [route for route in ROUTES if (route.name, route.method) in NEEDS]


class TestTable:
    def test_says_of_every_route_what_it_needs(self) -> None:
        missing = sorted({(route.name, route.method) for route in ROUTES} - set(NEEDS))
        assert not missing, (
            f"say in NEEDS what these routes need, as {missing[0]}: Needs.COMMAND; a view that "
            "needs another right than reading for GET and commanding for the rest declares it, "
            f"as rights = {{'POST': Right.READ}}: {missing}"
        )

    def test_names_no_route_that_there_is_not(self) -> None:
        assert not set(NEEDS) - {(route.name, route.method) for route in ROUTES}


@pytest.fixture
def callers(town: str, isabella: Caller, klaus: Caller, administrator: Caller) -> Any:
    """Return a caller for each role in Isabella's town, by role; Klaus has none in it."""
    simulation_id = SimulationRow.objects.get(pk=town.rpartition("/")[2]).pk
    found: dict[Any, Caller] = {None: klaus, "founder": isabella, "admin": administrator}
    for role in Role:
        user = User.objects.create_user(f"the-{role}")
        add_member(simulation_id, user.username, role, by="isabella")
        found[role] = caller_of(user)
    return found


def is_let_in(caller: Caller, route: Route, town: str) -> tuple[bool, int, str]:
    """Return whether the request passes the door, with the answer; it leaves no trace."""
    with transaction.atomic():
        response = caller.client.generic(
            route.method,
            route.address(town),
            b"" if route.method == "GET" else b"{}",
            content_type="application/json",
            headers=caller.headers,
        )
        transaction.set_rollback(True)
    is_problem = response.headers.get("Content-Type") == "application/problem+json"
    code = response.json()["code"] if is_problem else ""
    # A stream is let in and then told that this test has no server that keeps it open.
    assert response.status_code < 500 or code == "streams-need-asgi", response.content
    turned_away = response.status_code in {401, 403} or code == "simulation-unknown"
    return not turned_away, response.status_code, code


@pytest.mark.parametrize("route", KNOWN, ids=lambda route: f"{route.method} {route.name}")
class TestEveryRoute:
    def test_turns_away_whoever_shows_no_valid_token(
        self, route: Route, town: str, isabella: Caller
    ) -> None:
        user = User.objects.get(username="isabella")
        revoked, ended = (
            Caller(issue_token(user, "revoked")),
            Caller(
                issue_token(user, "ended", expires_at=timezone.now() - timedelta(seconds=1))
            ),
        )
        revoke_token(ApiToken.objects.get(name="revoked").pk)
        if NEEDS[route.name, route.method] is Needs.NOTHING:
            assert is_let_in(Caller(), route, town)[0]
            return
        assert is_let_in(Caller(), route, town)[1:] == (401, "token-missing")
        for caller in (Caller("sv_wrong"), revoked, ended):
            assert is_let_in(caller, route, town)[1:] == (401, "token-invalid")

    def test_lets_in_whom_the_table_says(
        self, route: Route, town: str, callers: dict[Any, Caller]
    ) -> None:
        needs = NEEDS[route.name, route.method]
        rights = {Role.GUEST: 1, Role.COLLABORATOR: 2, Role.OWNER: 3, "founder": 3, "admin": 3}
        for role, caller in callers.items():
            let_in, status, code = is_let_in(caller, route, town)
            if not isinstance(needs.value, Right):
                assert let_in, (role, status, code)
            elif role is None:
                assert (status, code) == (404, "simulation-unknown")
            elif rights[role] >= needs.value:
                assert let_in, (role, status, code)
            else:
                assert (status, code) == (403, "not-allowed"), role

    def test_lets_a_token_that_only_reads_do_no_more(
        self, route: Route, town: str, isabella: Caller
    ) -> None:
        needs = NEEDS[route.name, route.method]
        founds = needs is Needs.TOKEN and route.method != "GET"
        founds &= route.name != "experiment-estimate"  # which creates nothing
        # A branch is a simulation of the reader.
        founds |= route.method == "POST" and route.name in {"forks", "counterfactuals"}
        user = User.objects.get(username="isabella")
        reader = Caller(issue_token(user, "a page", reads_only=True))
        let_in, status, code = is_let_in(reader, route, town)
        if needs in {Needs.COMMAND, Needs.OWN} or founds:
            assert (status, code) == (403, "not-allowed")
        else:
            assert let_in, (status, code)
