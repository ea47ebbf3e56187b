"""Research reads histories by `apps.history`; what it imports of the core besides is counted.

`python -m tests.architecture.test_history` prints the counts.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

APPS = Path(__file__).parents[2] / "apps"
RESEARCH = (
    "archives",
    "comparisons",
    "counterfactuals",
    "evaluation",
    "experiments",
    "replays",
)
OPEN = frozenset((*RESEARCH, "history", "work", "reports", "kernel", "django_support"))
# They fall only; trials of models and records of embeddings have raised them. Of the names,
# a third asks models, a third creates and runs simulations, and the others write archives and
# take turns again (the contract in pyproject.toml). Types of events and of their fields are
# counted apart.
CORE_NAMES_MAX = 152
CORE_MODULES_MAX = 70
ROW_CLASSES_MAX = 6
PUBLIC_NAMES_MAX = 59


def imported_names(app: str) -> Iterator[tuple[str, str]]:
    """Yield each module of the core that the app imports from, with the name."""
    for path in sorted((APPS / app).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.ImportFrom) or node.module is None:
                continue
            parts = node.module.split(".")
            if parts[0] == "apps" and len(parts) > 1 and parts[1] not in OPEN:
                yield from ((node.module, alias.name) for alias in node.names)


def core_names(apps: tuple[str, ...] = RESEARCH) -> Mapping[str, set[str]]:
    """Return the names of the core that the apps import, by module."""
    found: dict[str, set[str]] = defaultdict(set)
    for app in apps:
        for module, name in imported_names(app):
            found[module].add(name)
    return found


def row_classes(names: Mapping[str, set[str]]) -> set[str]:
    """Return the classes of rows among the names."""
    return {name for found in names.values() for name in found if name.endswith("Row")}


def public_names() -> list[str]:
    """Return the names of the read API."""
    tree = ast.parse((APPS / "history" / "__init__.py").read_text("utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    return sorted(alias.name for node in imports for alias in node.names)


def counts() -> dict[str, int]:
    """Return how much of the core research imports, and how many names the API has."""
    names = core_names()
    events = {module for module in names if module.endswith(".events")}
    of_core = {module: found for module, found in names.items() if module not in events}
    return {
        "types of events and of their fields": sum(len(names[module]) for module in events),
        "other names of the core": sum(map(len, of_core.values())),
        "other modules of the core": len(of_core),
        "classes of rows": len(row_classes(of_core)),
        "public names of apps.history": len(public_names()),
    }


def test_research_imports_less_of_the_core_each_time() -> None:
    found = counts()
    assert found["other names of the core"] <= CORE_NAMES_MAX
    assert found["other modules of the core"] <= CORE_MODULES_MAX
    assert found["classes of rows"] <= ROW_CLASSES_MAX


def test_the_read_api_is_small_and_used() -> None:
    public = public_names()
    assert len(public) <= PUBLIC_NAMES_MAX
    sources = [*APPS.rglob("*.py"), *(APPS.parent / "tools").rglob("*.py")]
    used: set[str] = set()
    for node in (node for path in sources for node in ast.walk(ast.parse(path.read_text()))):
        if isinstance(node, ast.ImportFrom) and node.module == "apps.history":
            used |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            used |= {node.attr} if node.value.id == "history" else set()
    assert set(public) <= used, "a name that nobody reads by is no part of the API"


if __name__ == "__main__":
    for what, count in counts().items():
        print(f"{count:>5}  {what}")  # noqa: T201
