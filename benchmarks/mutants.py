"""Mutation tests: makes small changes to a module and counts those that its tests notice.

    .venv/bin/python -m benchmarks.mutants MODULE TESTS... [--functions NAME...]
        [--sample 60] [--seed 7] [--only 12 57]

pytest collects the tests and runs them once; then each mutant (mutation_operators.py) is a
forked process that changes the module in memory and runs the tests in the order given until one
fails. All of them share one PostgreSQL with the test database. Prints a line for each mutant,
with the test that killed it, and the totals. `--functions` changes only these, `--sample` takes
as many mutants at random, `--only` those with the numbers.
The results are in docs/reference/mutation_tests.md.
"""

import argparse
import ast
import importlib
import os
import random
import resource
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import pytest
from django.db import connections
from hypothesis import Phase, settings

from benchmarks.mutation_operators import Mutant, mutants_of

SECONDS_MAX = 120
BYTES_MAX = 8 * 2**30  # a loop that no longer ends may fill a list
PYTEST = (
    *("-s", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=7"),
    *("-p", "pytest_django.plugin", "-p", "_hypothesis_pytestplugin"),
)
PLAIN = (bool, int, float, str, tuple, frozenset)
SURVIVED, KILLED, TIMED_OUT = "survived", "killed", "timed out"


def install(module: ModuleType, statement: ast.stmt) -> None:
    """Execute a changed statement of the module again, in place of what it defined before."""
    namespace = dict(module.__dict__)
    code = ast.fix_missing_locations(ast.Module(body=[statement], type_ignores=[]))
    exec(compile(code, str(module.__file__), "exec"), namespace)  # noqa: S102
    for name, new in namespace.items():
        old = module.__dict__.get(name)
        if new is old or name == "__builtins__" or replace_in_place(old, new):
            continue
        for other in list(sys.modules.values()):
            if other is module or getattr(other, "__dict__", {}).get(name) is old:
                setattr(other, name, new)


def replace_in_place(old: Any, new: Any) -> bool:
    """Give an object the code or the fields of the new one; False for a plain value."""
    if isinstance(old, FunctionType):
        replace_function(old, new)
    elif isinstance(old, type):
        replace_members(old, new)
    elif isinstance(old, property):
        replace_in_place(old.fget, new.fget)
    elif hasattr(old, "__wrapped__"):
        replace_in_place(old.__wrapped__, new.__wrapped__)
        getattr(old, "cache_clear", int)()
    elif is_dataclass(old):
        for field in fields(old):
            object.__setattr__(old, field.name, getattr(new, field.name))
    else:
        return False
    return True


def replace_members(old: type, new: type) -> None:
    """Give a class the methods and the plain attributes of the new one."""
    for name, member in vars(new).items():
        if name not in vars(old) or replace_in_place(vars(old)[name], member):
            continue
        if isinstance(member, PLAIN) and not name.startswith("__"):
            setattr(old, name, member)


def replace_function(old: FunctionType, new: FunctionType) -> None:
    """Give a function the code and the defaults of the new one."""
    old.__code__ = new.__code__
    old.__defaults__, old.__kwdefaults__ = new.__defaults__, new.__kwdefaults__
    for cell, changed in zip(old.__closure__ or (), new.__closure__ or (), strict=True):
        if not isinstance(changed.cell_contents, type):
            cell.cell_contents = changed.cell_contents


class MutantRunner:
    """The pytest plugin that runs the tests on every mutant in place of the session's loop."""

    def __init__(self, path: Path, mutants: dict[int, tuple[ast.stmt, Mutant]]) -> None:
        """Take the module's file and the mutants by number, each with its statement."""
        self.name = ".".join(path.with_suffix("").parts)
        self.mutants = mutants
        self.totals: Counter[str] = Counter()
        self.failed = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember which test failed."""
        if report.failed:
            self.failed = self.failed or report.nodeid

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests without a change, then on every mutant."""
        self.run_until_failure(session)
        if self.failed:
            raise pytest.UsageError(f"{self.failed} fails without a mutant")
        for connection in connections.all(initialized_only=True):
            connection.close()
            connection.close_pool()  # type: ignore[attr-defined] # no socket for two processes
        module = importlib.import_module(self.name)
        *_, seconds = self.outcome_of(session, module, None, 10 * SECONDS_MAX)
        for number, (statement, mutant) in self.mutants.items():
            limit = round(3 + 2 * seconds)
            outcome, by, _ = self.outcome_of(session, module, (statement, mutant), limit)
            self.totals[outcome] += 1
            print(f"\n{outcome} {number} line {mutant.line}: {mutant.description} {by}", end="")
        return True

    def run_until_failure(self, session: pytest.Session) -> None:
        """Run the tests in their order until one fails; fixtures of the session stay."""
        for item in session.items:
            rest = SimpleNamespace(listchain=lambda: [session])
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=rest)
            if self.failed:
                return

    def outcome_of(
        self,
        session: pytest.Session,
        module: ModuleType,
        change: tuple[ast.stmt, Mutant] | None,
        cpu_seconds: int,
    ) -> tuple[str, str, float]:
        """Run the tests in a forked process; return outcome, failed test and CPU seconds."""
        sys.stdout.flush()
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                signal.alarm(SECONDS_MAX)
                resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 5))
                resource.setrlimit(resource.RLIMIT_AS, (BYTES_MAX, BYTES_MAX))
                with Path(os.devnull).open("w") as nowhere:
                    os.dup2(nowhere.fileno(), 1)
                    os.dup2(nowhere.fileno(), 2)
                if change is not None:
                    change[1].apply()
                    install(module, change[0])
                self.run_until_failure(session)
            except BaseException:  # the process must not go on as its parent
                self.failed = traceback.format_exc().strip().rpartition("\n")[2]
            finally:
                os.write(writer, self.failed.encode()[:1000])
                os._exit(1 if self.failed else 0)
        _, status, usage = os.wait4(child, 0)
        os.close(writer)
        by = os.read(reader, 1000).decode(errors="replace")
        os.close(reader)
        outcome = TIMED_OUT if os.WIFSIGNALED(status) else KILLED if status else SURVIVED
        return outcome, by, usage.ru_utime + usage.ru_stime


def mutants_in(
    tree: ast.Module, functions: Sequence[str]
) -> dict[int, tuple[ast.stmt, Mutant]]:
    """Return the mutants by number, those of the named functions only if any are named."""
    lines = {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name in functions
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    found = [(top, mutant) for top in tree.body[1:] for mutant in mutants_of(top)]
    numbered = dict(enumerate(found, start=1))
    return {at: one for at, one in numbered.items() if not functions or one[1].line in lines}


def main() -> None:
    """Run the tests on every chosen mutant of the module."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("module", type=Path)
    parser.add_argument("tests", nargs="+")
    parser.add_argument("--functions", nargs="+", default=(), help="change nothing else")
    parser.add_argument("--sample", type=int, help="how many mutants to take at random")
    parser.add_argument("--seed", type=int, default=7, help="of the sample")
    parser.add_argument("--only", type=int, nargs="+", help="numbers of mutants")
    options = parser.parse_args()
    mutants = mutants_in(ast.parse(options.module.read_text()), options.functions)
    chosen = sorted(options.only or mutants)
    if options.sample and options.sample < len(chosen):
        chosen = sorted(random.Random(options.seed).sample(chosen, options.sample))
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # none that shuffles the tests
    settings.register_profile("mutants", phases=(Phase.explicit, Phase.generate), database=None)
    settings.load_profile("mutants")  # a counterexample need not be made smaller
    runner = MutantRunner(options.module, {number: mutants[number] for number in chosen})
    status = pytest.main([*PYTEST, *options.tests], plugins=[runner])
    counts = ", ".join(f"{count} {outcome}" for outcome, count in sorted(runner.totals.items()))
    print(f"\n{options.module}: {len(chosen)} of {len(mutants)} mutants: {counts}")
    sys.exit(status)


if __name__ == "__main__":
    main()
