"""`manage.py list_prices`: the prices of models, with their dates."""

from decimal import Decimal
from io import StringIO

from django.core.management import call_command
from django.utils import timezone
from pytest_django import Settings

from apps.llm.prices import Price

TODAY = timezone.now().date()


def test_lists_prices_with_their_dates_and_those_that_are_old(settings: Settings) -> None:
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
