"""What a town does when its model server goes wrong: one line a fault, over real HTTP.

    .venv/bin/python -m benchmarks.model_faults [WORDS IN A FAULT'S NAME]

Isabella lives from midnight to 6:40 with a server that goes wrong in one way from the moment
that she wakes. Where the town pauses, the server is mended and the town is run again.
"""

import logging
import sys

from benchmarks.setting import prepare

prepare()

from apps import wiring  # noqa: E402 (Django has to be set up first)
from apps.simulation.engine import lifecycle  # noqa: E402
from apps.simulation.models import SimulationRow  # noqa: E402
from tests.model_server.cases import CASES, Case, Ends  # noqa: E402
from tests.support.struck_towns import END, Struck, Undisturbed, strike, undisturbed  # noqa: E402
from tests.support.thinking_towns import TOWN_NAME  # noqa: E402

WIDTHS = (38, 16, 10, 7, 11, 9)


def main() -> None:
    """Strike a town with each fault and print what came of it."""
    logging.disable(logging.WARNING)
    wanted = " ".join(sys.argv[1:]).casefold()
    try:
        expected = undisturbed()
        print(f"An undisturbed morning takes {expected.requests} requests.\n")
        show("fault", "the call", "requests", "record", "answers", "history", "the reason")
        show("", "", "at server", "has", "paid twice", "", "")
        for case in CASES:
            if wanted in case.name.casefold():
                tell(case, strike(case, expected), expected)
    finally:
        for row in SimulationRow.objects.filter(name=TOWN_NAME):
            lifecycle.delete_simulation(wiring.ports(), row.pk)


def tell(case: Case, struck: Struck, expected: Undisturbed) -> None:
    """Print the line of one fault."""
    same = "same" if struck.history == expected.history else "another"
    if struck.committed_tick != END or struck.problems:
        same = "BROKEN"
    told = {Ends.VALID: "asked otherwise"}.get(case.ends, str(struck.ends))
    show(
        case.name,
        told,
        str(struck.requests),
        str(struck.on_record),
        str(struck.answered_twice),
        same,
        struck.reason,
    )


def show(*cells: str) -> None:
    """Print a line of the table; the last cell is as long as it is."""
    *fixed, last = cells
    print(*(cell.ljust(width) for cell, width in zip(fixed, WIDTHS, strict=True)), last)


if __name__ == "__main__":
    main()
