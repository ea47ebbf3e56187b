"""One word, one meaning: classes and modules of different packages do not share a name.

The exceptions are conventions, by rule, and single cases with a reason.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

APPS = Path(__file__).parents[2] / "apps"

# What every package may have: Django's modules, and those of an event-sourced app.
CONVENTIONAL_MODULES = frozenset(
    (
        "admin",
        "apps",
        "checks",
        "commands",
        "decisions",
        "errors",
        "events",
        "inputs",
        "llm_tasks",
        "models",
        "presentation",
        "problems",
        "projections",
        "queries",
        "query_texts",
        "requests",
        "rules",
        "views",
    )
)
# Django looks a command up by this class; a row's choices and a form's options are its own.
CONVENTIONAL_CLASSES = frozenset({"Command", "Meta", "State"})
# These packages name their parts after what they show, answer or tell of.
MIRRORS = {
    "api": "a serializer or a view has the name of what it shows, as in the OpenAPI document",
    "inspection": "a page has the name of what it shows",
    "rule_model": "a rule has the name of the LLM task that it answers, or of what it reads",
    "console": "a story has the sightings, plans and thoughts of a day; a command has its name",
    "worker": "a management command and a Celery module have the names that these look for",
}
SHARED = {
    "Problem": "a problem of a world file, and a problem document of HTTP: RFC 9457's word",
    "Server": "a model server and a database server",
    "Status": "of a simulation, and of the service",
    "Use": "the use of an object, and the request to use one",
    "Talk": "a conversation as one agent has it",
    "own_thought": "a task and the faculty that uses it",
    "interventions": "the events that a turn reads, and the commands that append them",
    "locks": "of rows, and of files",
    "statements": "of SQL, by app",
    "tokens": "of access, and of language models",
    "context": "what a step decides on",
}


def _sources() -> Iterator[tuple[str, Path]]:
    for path in sorted(APPS.rglob("*.py")):
        yield path.relative_to(APPS).parts[0], path


def _classes() -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for app, path in _sources():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].add(app)
    return found


def _modules() -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for app, path in _sources():
        if path.stem != "__init__":
            found[path.stem].add(app)
    return found


def _homonyms(found: dict[str, set[str]], conventional: frozenset[str]) -> dict[str, set[str]]:
    """Return the names that several apps share, without the conventions."""
    return {
        name: apps
        for name, apps in found.items()
        if len(apps - MIRRORS.keys()) > 1 and name not in conventional
    }


class TestHomonyms:
    def test_of_classes_have_a_reason(self) -> None:
        unexplained = _homonyms(_classes(), CONVENTIONAL_CLASSES).keys() - SHARED.keys()
        assert not unexplained, "rename one of the classes, or give the reason in SHARED"

    def test_of_modules_have_a_reason(self) -> None:
        unexplained = _homonyms(_modules(), CONVENTIONAL_MODULES).keys() - SHARED.keys()
        assert not unexplained, "rename one of the modules, or give the reason in SHARED"

    def test_exceptions_are_still_needed(self) -> None:
        shared = {
            name
            for found in (_classes(), _modules())
            for name, apps in found.items()
            if len(apps) > 1
        }
        assert SHARED.keys() <= shared
