"""The database and secrets as the environment gives them."""

from pathlib import Path

import pytest
from pgmq.base import PGMQConfig
from psycopg.conninfo import conninfo_to_dict

from apps.embedded_postgres.environment import (
    SECRETS,
    SecretUnreadable,
    assemble_database_url,
    pgmq_connection,
    read_secret_files,
)

PASSWORDS = ["p@ss:/?#[]%&' \"x", "$HOME", "100%", "%41", "a+b c", "пароль", "\\"]


class TestDatabaseUrl:
    @pytest.mark.parametrize("password", PASSWORDS)
    def test_holds_a_password_of_any_characters(self, password: str) -> None:
        environment = {"DATABASE_HOST": "db", "DATABASE_PASSWORD": password}
        assemble_database_url(environment)
        assert conninfo_to_dict(environment["DATABASE_URL"]) == {
            "host": "db",
            "port": "5432",
            "dbname": "smallville",
            "user": "smallville",
            "password": password,
        }

    def test_holds_an_address_of_any_kind(self) -> None:
        environment = {"DATABASE_HOST": "::1", "DATABASE_PORT": "5433", "DATABASE_NAME": "a b"}
        assemble_database_url(environment)
        parts = conninfo_to_dict(environment["DATABASE_URL"])
        assert (parts["host"], parts["port"], parts["dbname"]) == ("::1", "5433", "a b")

    def test_that_is_given_wins(self) -> None:
        environment = {"DATABASE_HOST": "db", "DATABASE_URL": "postgresql://other"}
        assemble_database_url(environment)
        assert environment["DATABASE_URL"] == "postgresql://other"

    @pytest.mark.parametrize("environment", [{}, {"DATABASE_HOST": ""}])
    def test_is_not_made_of_nothing(self, environment: dict[str, str]) -> None:
        assemble_database_url(environment)
        assert "DATABASE_URL" not in environment


class TestPgmqConnection:
    @pytest.mark.parametrize("password", [*PASSWORDS, "plain"])
    def test_comes_out_of_pgmq_as_it_was_meant(self, password: str) -> None:
        environment = {"DATABASE_HOST": "db", "DATABASE_PASSWORD": password}
        assemble_database_url(environment)
        url = environment["DATABASE_URL"]
        asked = PGMQConfig(conn_string=pgmq_connection(url))
        assert conninfo_to_dict(asked.dsn) == conninfo_to_dict(url)


class TestSecretFiles:
    @pytest.mark.parametrize("name", SECRETS)
    def test_give_what_is_in_them(self, name: str, tmp_path: Path) -> None:
        (tmp_path / "secret").write_text(" $a secret \n")
        environment = {f"{name}_FILE": str(tmp_path / "secret")}
        read_secret_files(environment)
        assert environment[name] == " $a secret "

    def test_give_way_to_the_variable(self, tmp_path: Path) -> None:
        environment = {"SECRET_KEY_FILE": str(tmp_path / "none"), "SECRET_KEY": "given"}
        read_secret_files(environment)
        assert environment["SECRET_KEY"] == "given"

    def test_that_cannot_be_read_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(SecretUnreadable, match=r"SECRET_KEY_FILE names .*none"):
            read_secret_files({"SECRET_KEY_FILE": str(tmp_path / "none")})
