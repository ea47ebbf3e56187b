"""A registry is complete for every reader, and its built-in names come first."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from apps.django_support.function_registry import Registry
from apps.kernel.errors import NotFound

HOME = "registry_under_test"
REGISTERS = f"""
import {HOME}

@{HOME}.registry.register("usual")
def usual() -> None: ...
"""


@dataclass(frozen=True)
class Named:
    """A registered function."""

    name: str
    function: Any
    description: str = ""


class Home:
    """What the built-in module imports its registry from, and does as it is loaded."""

    def __init__(self) -> None:
        self.registry = Registry("thing", Named, "built_in_under_test", unknown=NotFound)
        self.found: list[list[str]] = []
        self.reading = Event()

    def read(self) -> None:
        """Note the names of the registry as another thread finds them."""
        self.reading.set()
        self.found.append(list(self.registry))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    """Return the home of a registry whose built-in module has not been loaded."""
    found = Home()
    monkeypatch.setitem(sys.modules, HOME, found)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "built_in_under_test.py").write_text(REGISTERS)
    yield found
    sys.modules.pop("built_in_under_test", None)


def test_the_name_of_a_built_in_function_is_taken_before_that_is_loaded(home: Home) -> None:
    with pytest.raises(ValueError, match="there is a thing 'usual' already"):
        home.registry.register("usual")(lambda: None)
    assert list(home.registry) == ["usual"]


def test_a_thread_that_reads_during_the_loading_finds_all(home: Home, tmp_path: Path) -> None:
    waits = f"import {HOME}\n{HOME}.other.start()\nassert {HOME}.reading.wait(60)\n"
    (tmp_path / "built_in_under_test.py").write_text(waits + REGISTERS)
    other = Thread(target=home.read)
    home.other = other  # type: ignore[attr-defined]
    assert list(home.registry) == ["usual"]
    other.join(60)
    assert home.found == [["usual"]]
