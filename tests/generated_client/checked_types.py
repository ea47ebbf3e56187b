"""A generated client and programs that use it are strictly typed: part of `make static`."""

from pathlib import Path

import pytest

from tests.support.generated_client import PACKAGE, PROGRAM, make_client, run

# The generator's own part, the same for every schema, hands on arguments of any type.
MYPY_SETTINGS = f"""\
[mypy]
strict = true
[mypy-{PACKAGE}.client]
disable_error_code = arg-type
"""


made = pytest.fixture(scope="module")(make_client)


def test_is_strictly_typed_and_so_are_programs_that_use_it(made: Path) -> None:
    settings = made / "mypy.ini"
    settings.write_text(MYPY_SETTINGS)
    run(
        made,
        *("-m", "mypy", "--config-file", str(settings), "--cache-dir", str(made / ".mypy")),
        *(str(made / PACKAGE), str(PROGRAM)),
    )
