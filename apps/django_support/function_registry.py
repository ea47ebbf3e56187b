"""Registries of functions that other packages extend (`docs/how_to/write_a_plug_in.md`).

A package names a module in its entry points of the group `smallville`; the module registers its
functions when it is imported. The functions of the service are registered in the same way.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Protocol, TypeVar

from django.conf import settings

from apps.kernel.errors import DomainError
from apps.kernel.names import names_there_are

GROUP = "smallville"
"""The group of entry points."""

log = logging.getLogger(__name__)


class Registered(Protocol):
    """What a registry holds: a function with its name and what users read of it."""

    @property
    def name(self) -> str:
        """The name, unique in its registry."""

    @property
    def description(self) -> str:
        """What the function does, in a sentence or less."""


Item = TypeVar("Item", bound=Registered)
Function = TypeVar("Function", bound=Callable[..., Any])


class Registry(Mapping[str, Item]):
    """The functions of one kind by name, in the order of their registration.

    :param kind: what a function of it is called: "measure".
    :param item: makes the registered value of `name`, `function` and what else it takes.
    :param unknown: the error that there is no such function.
    :param built_in: the modules that register those of the service.
    """

    def __init__(
        self,
        kind: str,
        item: Callable[..., Item],
        *built_in: str,
        unknown: type[DomainError],
    ) -> None:
        self.kind = kind
        self._item, self._unknown, self._built_in = item, unknown, built_in
        self._items: dict[str, Item] = {}
        self._is_loaded = False

    def register(self, name: str, **described: Any) -> Callable[[Function], Function]:
        """Return the decorator that registers a function under a name.

        :raises ValueError: if the name is taken.
        """

        def add(function: Function) -> Function:
            if function.__module__ not in self._built_in:
                self._load_built_in()  # their names are taken, whichever is loaded first
            if name in self._items:
                raise ValueError(f"there is a {self.kind} {name!r} already")
            self._items[name] = self._item(name=name, function=function, **described)
            return function

        return add

    def item(self, name: str) -> Item:
        """Return the registered value of the name; raise the error of the registry without."""
        if name not in self:
            raise self._unknown(
                f"there is no {self.kind} {name[:60]!r}; {names_there_are(self, name)}"
            )
        return self[name]

    def __getitem__(self, name: str) -> Item:
        return self._loaded()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._loaded())

    def __len__(self) -> int:
        return len(self._loaded())

    def _loaded(self) -> dict[str, Item]:
        if not self._is_loaded:
            self._load_built_in()
            load_plug_ins()
            self._is_loaded = True  # not before: another thread would find a part of them
        return self._items

    def _load_built_in(self) -> None:
        for module in self._built_in:
            import_module(module)


@cache
def load_plug_ins() -> None:
    """Import the plug-ins of the settings, and those of installed packages.

    A plug-in that cannot be imported is logged, and the service does without it.
    """
    installed = (point.module for point in entry_points(group=GROUP))
    for module in (*settings.PLUG_INS, *installed):
        try:
            import_module(module)
        except Exception:
            log.exception("the plug-in %s cannot be loaded", module)
