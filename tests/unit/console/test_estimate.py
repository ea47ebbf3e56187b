"""`manage.py estimate`: the cost of game days, before a key, database or simulation."""

import os
import subprocess
import sys
from decimal import Decimal
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django import Settings

from apps.llm.prices import Price
from apps.llm.servers.configuration import Server, read_prices

TODAY = timezone.now().date()
ROOT = Path(__file__).parents[3]


def estimate(*arguments: str) -> str:
    told = StringIO()
    call_command("estimate", *arguments, stdout=told)
    return told.getvalue()


def test_an_error_on_the_command_line_is_its_message_alone() -> None:
    ended = subprocess.run(
        [sys.executable, "manage.py", "estimate", "--model", "gpt-4o-mini", "--days", "0"],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith("--days must lie between")


class TestEstimate:
    def test_tells_calls_tokens_money_and_what_they_rest_on(self) -> None:
        told = estimate("--model", "gpt-4.1-mini", "--agents", "3", "--days", "2")
        assert told.startswith("3 agents, 6.0 agent-days, model gpt-4.1-mini, estimate:")
        assert "0.4 prompt, 0.1 cached, 1.6 completion per million tokens" in told
        assert "as of 2026-06-01; check it before you rely on it" in told
        assert "price of text-embedding-3-small: 0.02 prompt" in told
        assert "measured on 20" in told
        assert "rule-based model and 25 agents" in told

    def test_says_that_the_rule_based_model_costs_nothing(self) -> None:
        told = estimate("--model", "offline", "--agents", "Isabella Rodriguez")
        assert told.startswith("1 agents")
        assert "cost 0.00\n" in told
        assert "nothing: it answers on this machine" in told

    def test_says_that_a_price_is_not_known(self, settings: Settings) -> None:
        own = Server(name="own", base_url="http://127.0.0.1:1/v1", chat_model="llama")
        settings.MODEL_SERVERS = {"own": own}
        told = estimate("--model", "own")
        assert "cost unknown: set MODEL_PRICES" in told
        assert "price of llama: unknown" in told

    def test_has_the_prices_of_the_operator_first(self, settings: Settings) -> None:
        settings.MODEL_PRICES = read_prices('{"gpt-4o-mini": {"prompt": 7}}')
        assert "7 prompt per million tokens (MODEL_PRICES)" in estimate("--model", "openai")

    def test_lists_prices_with_their_dates_and_those_that_are_old(
        self, settings: Settings
    ) -> None:
        settings.MODEL_PRICES = {"own:new": Price(prompt=Decimal(3), as_of=TODAY)}
        told = StringIO()
        call_command("list_prices", stdout=told)
        lines = told.getvalue().splitlines()
        [old] = [line for line in lines if line.startswith("openai:text-embedding-3-large\t")]
        assert old.split("\t")[4:] == [
            "2026-03-01",
            "https://developers.openai.com/api/docs/pricing",
            "older than 90 days",
        ]
        assert f"own:new\t3\tNone\t0\t{TODAY}" in lines
        told = StringIO()
        call_command("list_prices", "--old", stdout=told)
        assert told.getvalue().splitlines() == [line for line in lines if "older" in line]

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["--model", "nonsense"], "there are offline, gpt-4o-mini"),
            (["--model", "openai:nonsense"], "no|nor is a price of 'openai:nonsense' known"),
            (["--world", "nowhere"], "nowhere"),
            (["--days", "0"], "--days must lie between"),
            (["--agents", "Nobody"], "Nobody"),
        ],
    )
    def test_refuses_what_could_not_be_run(self, arguments: list[str], told: str) -> None:
        with pytest.raises(CommandError, match=told):
            estimate(*arguments)

    def test_starts_no_database(self, tmp_path: Path) -> None:
        unset = {"DATABASE_URL", "SMALLVILLE_DATABASE_IS_EMBEDDED", "OPENAI_API_KEY"}
        environment = {name: value for name, value in os.environ.items() if name not in unset}
        home = tmp_path / "home"
        subprocess.run(
            [sys.executable, "manage.py", "estimate", "--model", "gpt-4o-mini"],
            cwd=ROOT,
            env=environment | {"SMALLVILLE_HOME": str(home)},
            check=True,
            capture_output=True,
        )
        assert not home.exists()
