"""Executes a day of the street in a process of its own and prints the hash of its log.

python -m tests.support.street_history WORLDS SEED UNTIL [--after-others]
"""

import sys
from dataclasses import replace
from pathlib import Path

import django

# Two of them can speak to the third in the same tick.
AGENTS = 3
OTHERS_END = "2024-06-03T07:00"
"""When the other simulations of the process end: what they leave behind is there by then."""


def main(worlds: str, seed: str, until: str, *options: str) -> None:
    """Print the hash, after other simulations of the same process if asked."""
    django.setup()
    # The models must be set up before modules that use them are imported.
    from apps import wiring  # noqa: PLC0415
    from apps.world.folders import WorldFolders  # noqa: PLC0415
    from tests.support.street import PEOPLE, STREET, crowding_and_talking  # noqa: PLC0415
    from tests.support.towns import answering, found, history_of, live  # noqa: PLC0415

    root = replace(wiring.ports(), worlds=WorldFolders(Path(worlds)))
    ports = answering(crowding_and_talking(), ports=root)

    def history(asked_seed: int, end: str, **settings: int) -> str:
        row = found(
            seed=asked_seed,
            agents=PEOPLE[:AGENTS],
            world=STREET,
            ports=ports,
            settings={"tick_seconds": 60, "reaction_pause_minutes": 30} | settings,
        )
        return history_of(live(row, end, ports=ports).pk)

    if "--after-others" in options:
        history(int(seed) + 1, OTHERS_END)
        history(int(seed), OTHERS_END, vision=3)
    print(history(int(seed), until))  # noqa: T201 (what the caller reads)


if __name__ == "__main__":
    main(*sys.argv[1:])
