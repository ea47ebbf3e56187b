"""Tokens as an operator makes, lists and revokes them: in the admin and by commands."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from apps.access.membership import add_member
from apps.access.models import ApiToken
from apps.access.queries import token_row, user_of
from apps.access.rights import Role
from apps.console.management.commands import create_user
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller

ISSUE = "/admin/access/apitoken/issue/"
LIST = "/admin/access/apitoken/"


@pytest.fixture
def operator(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("operator"))
    return client


def token_in(page: bytes) -> str:
    """Return the token that a page shows; empty if it shows none."""
    return page.decode().partition('id="token">')[2].partition("<")[0]


class TestIssuing:
    def test_shows_the_token_once(self, operator: Client) -> None:
        assert ISSUE in operator.get(LIST).content.decode()
        klaus = User.objects.create_user("klaus")
        form = {"user": klaus.pk, "name": "a laptop", "days": "", "reads_only": ""}
        page = operator.post(ISSUE, form)
        token = token_in(page.content)
        assert user_of(token) == klaus
        assert "no-store" in page["Cache-Control"]
        for path in (ISSUE, LIST):
            assert token not in operator.get(path).content.decode()

    def test_makes_one_that_ends_and_only_reads(self, operator: Client) -> None:
        klaus = User.objects.create_user("klaus")
        form = {"user": klaus.pk, "name": "a page", "days": "7", "reads_only": "on"}
        row = token_row(token_in(operator.post(ISSUE, form).content))
        assert row is not None
        assert row.reads_only
        assert row.expires_at is not None
        assert timedelta(days=6) < row.expires_at - timezone.now() <= timedelta(days=7)

    @pytest.mark.parametrize(
        "changed", [{"days": "0"}, {"days": "x"}, {"name": ""}, {"user": "0"}], ids=repr
    )
    def test_makes_none_of_what_cannot_be(self, operator: Client, changed: Any) -> None:
        klaus = User.objects.create_user("klaus")
        form = {"user": klaus.pk, "name": "a page", "days": ""} | changed
        assert not token_in(operator.post(ISSUE, form).content)
        assert not ApiToken.objects.exists()

    def test_makes_nobody_an_administrator(self, operator: Client) -> None:
        # Of the staff, who may add tokens at all makes their own only.
        helper, browser = User.objects.create_user("helper", is_staff=True), Client()
        browser.force_login(helper)
        assert browser.get(ISSUE).status_code == 403
        helper.user_permissions.add(Permission.objects.get(codename="add_apitoken"))
        browser.force_login(User.objects.get(pk=helper.pk))
        of = {"name": "mine", "days": ""}
        above = User.objects.get(username="operator").pk
        assert not token_in(browser.post(ISSUE, of | {"user": above}).content)
        assert token_in(browser.post(ISSUE, of | {"user": helper.pk}).content)

    def test_wants_a_login(self, db: None, client: Client) -> None:
        assert client.get(ISSUE).status_code == 302


class TestRevoking:
    def test_ends_the_chosen_tokens(self, operator: Client, isabella: Caller) -> None:
        chosen = {"action": "revoke", "_selected_action": [ApiToken.objects.get().pk]}
        assert operator.post(LIST, chosen).status_code == 302
        assert user_of(isabella.token) is None


class TestCommands:
    def ask(self, *words: str) -> str:
        out = StringIO()
        call_command(*words, stdout=out)
        return out.getvalue().strip()

    def test_issue_list_and_revoke(self, db: None) -> None:
        User.objects.create_user("isabella")
        token = self.ask("issue_token", "isabella", "a page", "--days", "7", "--read-only")
        row = token_row(token)
        assert row is not None
        assert row.reads_only
        number, user, name, rights, state = self.ask("list_tokens", "isabella").split("\t")
        assert (user, name, rights) == ("isabella", "a page", "reads only")
        assert state.startswith("valid until ")
        assert token not in self.ask("list_tokens")
        self.ask("list_tokens", "--revoke", number)
        assert token_row(token) is None
        assert "\trevoked " in self.ask("list_tokens")

    def test_create_a_user_whom_tokens_let_in(self, db: None) -> None:
        told = self.ask("create_user", "isabella")
        assert "manage.py issue_token isabella" in told
        assert '"username": "isabella"' in told
        user = User.objects.get(username="isabella")
        assert not user.has_usable_password()
        assert not user.is_staff
        assert not user.is_superuser
        caller = Caller(self.ask("issue_token", "isabella", "laptop"))
        assert caller.get("/simulations").json()["results"] == []

    def test_create_a_user_with_a_token_for_programs(self, db: None) -> None:
        told = StringIO()
        out = StringIO()
        call_command("create_user", "isabella", "--token", "laptop", stdout=out, stderr=told)
        row = token_row(out.getvalue().rstrip("\n"))
        assert row is not None
        assert (row.user.get_username(), row.name) == ("isabella", "laptop")
        assert "isabella" in told.getvalue()

    def test_create_a_user_with_a_password(
        self, db: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        typed = iter(["a long password", "a long password", "one", "another", "short", "short"])
        monkeypatch.setattr(create_user, "getpass", lambda _prompt: next(typed))
        assert "only tokens" not in self.ask("create_user", "isabella", "--password")
        assert User.objects.get(username="isabella").check_password("a long password")
        for why in ("differ", "too short"):
            with pytest.raises(CommandError, match=why):
                self.ask("create_user", "klaus", "--password")
        assert not User.objects.filter(username="klaus").exists()

    @pytest.mark.parametrize(
        ("name", "mend"),
        [
            ("isabella", "already; issue_token"),
            ("klaus mueller", "may contain only letters"),
            ("", "cannot be blank"),
            ("k" * 151, "at most 150 characters"),
        ],
    )
    def test_create_nobody_who_cannot_be(self, db: None, name: str, mend: str) -> None:
        User.objects.create_user("isabella")
        with pytest.raises(CommandError, match=mend):
            self.ask("create_user", name)
        assert User.objects.count() == 1

    @pytest.mark.parametrize(
        "words",
        [
            ("issue_token", "nobody", "laptop"),
            ("issue_token", "isabella", "laptop", "--days", "0"),
            ("list_tokens", "nobody"),
            ("list_tokens", "--revoke", "7000"),
        ],
    )
    def test_refuse_what_there_is_not(self, db: None, words: tuple[str, ...]) -> None:
        User.objects.create_user("isabella")
        with pytest.raises(CommandError):
            self.ask(*words)


class TestMembers:
    def test_are_shown_to_operators(self, town: str, operator: Client, klaus: Caller) -> None:
        simulation_id = SimulationRow.objects.get(pk=town.rpartition("/")[2]).pk
        add_member(simulation_id, "klaus", Role.GUEST, by="isabella")
        page = operator.get("/admin/access/membershiprow/").content.decode()
        assert str(simulation_id) in page
        assert "klaus" in page
        assert "guest" in page
