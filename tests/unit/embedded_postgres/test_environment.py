"""The database and secrets as the environment gives them."""

from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

from apps.embedded_postgres.environment import (
    SECRETS,
    EnvironmentFileUnreadable,
    PortInvalid,
    SecretUnreadable,
    assemble_database_url,
    read_database_url,
    read_environment_file,
    read_secret_files,
)
from apps.embedded_postgres.errors import DatabaseUnreachable

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

    def test_names_the_cause_of_a_port_that_is_none(self) -> None:
        environment = {"DATABASE_HOST": "10.0.0.5", "DATABASE_PORT": "tcp://10.96.0.1:5432"}
        with pytest.raises(PortInvalid) as refused:
            assemble_database_url(environment)
        for word in ("DATABASE_PORT", "tcp://10.96.0.1:5432", "enableServiceLinks: false"):
            assert word in refused.value.message
        assert "DATABASE_URL" not in refused.value.message


class TestReadDatabaseUrl:
    @pytest.mark.parametrize(
        ("url", "parameters"),
        [
            ("postgres://u:p@h:5432/db", {"host": "h", "port": "5432"}),
            ("postgresql://u:p@/db?host=/cloudsql/a:b:c", {"host": "/cloudsql/a:b:c"}),
            ("postgresql://u:p@%2Ftmp%2Fsocket/db", {"host": "/tmp/socket"}),  # noqa: S108
            ("postgresql://u:p@[::1]:5432/db", {"host": "::1", "port": "5432"}),
            (
                "postgresql://u:p@h/db?sslmode=verify-full&sslrootcert=/rds.pem",
                {"host": "h", "sslmode": "verify-full", "sslrootcert": "/rds.pem"},
            ),
            (
                "postgresql://u:p@h/db?options=-c%20search_path%3Dpublic,extensions",
                {"host": "h", "options": "-c search_path=public,extensions"},
            ),
        ],
    )
    def test_gives_all_parameters(self, url: str, parameters: dict[str, str]) -> None:
        user = {"user": "u", "password": "p", "dbname": "db"}
        assert read_database_url(url) == user | parameters

    @pytest.mark.parametrize(
        ("url", "word"),
        [
            ("postgresql+psycopg://u:SECRET@h/db", "postgresql://USER"),
            ("postgresql://u:SECRET@h/db?pgbouncer=true", '"pgbouncer"'),
            ("postgresql://u:%zzSECRET@h/db", "percent-encode"),
            ("postgresql://u:SECRET/x@h/db", "percent-encode"),
            ("postgresql://u:p@SECRET@h/db", "percent-encode"),
            ("postgresql://u:SECRET@h", "names no database"),
        ],
    )
    def test_refuses_without_the_password(self, url: str, word: str) -> None:
        with pytest.raises(DatabaseUnreachable) as refused:
            read_database_url(url)
        assert word in refused.value.message
        assert "SECRET" not in refused.value.message


class TestEnvironmentFile:
    def test_is_read_as_docker_compose_reads_it(self, tmp_path: Path) -> None:
        lines = [
            "\ufeffFIRST=1",
            "",
            "# a comment",
            "export MODEL=m1 # my model",
            "  URL=postgresql://u:pa#ss@h/db  ",
            """LITERAL='a # \\\\ $x "b"' # behind it""",
            'ESCAPED="a # \\" \\\\ \\$x \'b\'"',
            "EMPTY=",
            "NONE= # a comment",
            'JSON={"m": {"prompt": "0.15"}}',
        ]
        (tmp_path / ".env").write_bytes("\r\n".join(lines).encode())
        assert read_environment_file(tmp_path / ".env") == {
            "FIRST": "1",
            "MODEL": "m1",
            "URL": "postgresql://u:pa#ss@h/db",
            "LITERAL": """a # \\\\ $x "b\"""",
            "ESCAPED": "a # \" \\ $x 'b'",
            "EMPTY": "",
            "NONE": "",
            "JSON": '{"m": {"prompt": "0.15"}}',
        }

    @pytest.mark.parametrize("line", ["OPENAI_API_KEY sk-1", 'KEY="sk-1', "KEY='a'b'", "=sk-1"])
    def test_names_the_line_that_is_no_setting(self, line: str, tmp_path: Path) -> None:
        (tmp_path / ".env").write_text(f"FIRST=1\n{line}\n")
        with pytest.raises(EnvironmentFileUnreadable, match=r"\.env, line 2,") as refused:
            read_environment_file(tmp_path / ".env")
        assert "sk-1" not in refused.value.message

    def test_of_another_encoding_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / ".env").write_text("FIRST=1\n", encoding="utf-16")
        with pytest.raises(EnvironmentFileUnreadable, match="save it as UTF-8"):
            read_environment_file(tmp_path / ".env")


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
