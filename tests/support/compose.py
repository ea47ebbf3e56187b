"""What docker-compose.yml says, resolved as Docker Compose resolves it, without Docker."""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
VARIABLE = re.compile(r"\$(?:(\$)|\{(\w+)(?::([-?])([^}]*))?\})")
COPY = re.compile(r"^COPY (?!--from)(.+)$", re.MULTILINE)


class VariableMissing(Exception):
    """A variable that the file requires has no value."""


def read_compose(*names: str) -> dict[str, Any]:
    """Return the file, with what further files say of a service's environment put over it."""
    first, *others = (yaml.safe_load((ROOT / name).read_text()) for name in names)
    for other in others:
        for name, service in other["services"].items():
            known = first["services"].setdefault(name, {})
            environment = {**known.get("environment", {}), **service.get("environment", {})}
            known.update({**service, "environment": environment})
    return dict(first)


def interpolated(text: str, variables: Mapping[str, str]) -> str:
    """Return a text with its variables replaced.

    :raises VariableMissing: if one is required and has no value.
    """

    def value(found: re.Match[str]) -> str:
        dollar, name, kind, other = found.groups()
        if dollar:
            return "$"
        if variables.get(name):
            return variables[name]
        if kind == "?":
            raise VariableMissing(f"{name}: {other}")
        return other or ""

    return VARIABLE.sub(value, text)


def environment_of(service: Mapping[str, Any], variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that a container of the service has, given those of .env."""
    from_file = dict(variables) if service.get("env_file") == ".env" else {}
    own = {
        name: interpolated(str(value), variables)
        for name, value in service.get("environment", {}).items()
    }
    return from_file | own


def copied_by_dockerfile() -> list[str]:
    """Return the paths that the image holds of this project."""
    lines = COPY.findall((ROOT / "Dockerfile").read_text())
    return [path for line in lines for path in line.split()[:-1]]


def copy_as_image(folder: Path) -> None:
    """Fill a folder with what the image holds of this project, and its compiled modules."""
    for name in copied_by_dockerfile():
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name)
        else:
            shutil.copy(ROOT / name, folder / name)
