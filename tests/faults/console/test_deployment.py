"""What Django itself would warn of before the service goes into production."""

import os
import secrets
from pathlib import Path

import pytest

from tests.faults.console.test_refusals import manage

CHECK = ("check", "--deploy", "--fail-level", "WARNING")
PRODUCTION = {
    "ALLOWED_HOSTS": "town.example.org",
    "CSRF_TRUSTED_ORIGINS": "https://town.example.org",
    "CORS_ORIGINS": "https://town.example.org",
    "BEHIND_TLS": "true",
    "PROXIES": "1",
}

UNSAFE = {
    ("BEHIND_TLS", "false"): "security.W012",
    ("HSTS_SECONDS", "0"): "security.W004",
    ("DEBUG", "true"): "security.W018",
    ("SECRET_KEY", "short"): "security.W009",
    ("FOUNDING_RATE_MAX", "many"): "smallville.E001",
    ("CORS_ORIGINS", "town.example.org"): "corsheaders.E013",
}
"""Settings, each with the warning that it causes."""


@pytest.fixture
def production() -> dict[str, str]:
    """Return the environment of a service in production."""
    return {
        "DATABASE_URL": os.environ["DATABASE_URL"],
        "SECRET_KEY": secrets.token_urlsafe(50),
        **PRODUCTION,
    }


class TestProduction:
    def test_gives_no_cause_for_a_warning(
        self, tmp_path: Path, production: dict[str, str]
    ) -> None:
        ended = manage(*CHECK, home=tmp_path, environment=production)
        assert ended.returncode == 0, ended.stderr
        assert "no issues" in ended.stdout

    def test_that_is_not_safe_is_warned_of(
        self, tmp_path: Path, production: dict[str, str]
    ) -> None:
        # One process for all of them: starting it takes longer than the checks.
        changed, codes = zip(*UNSAFE.items(), strict=True)
        ended = manage(*CHECK, home=tmp_path, environment=production | dict(changed))
        assert ended.returncode == 1
        for code in codes:
            assert code in ended.stderr
