"""Replays the day of recorded answers, or records missing ones.

    .venv/bin/python -m benchmarks.careful_day [--write]
    .venv/bin/python -m benchmarks.careful_day --mailbox FOLDER [--until 2023-02-13T12:00]

With `--mailbox` each question without a recorded answer becomes a file in FOLDER, and the run
waits for the answer (tests/support/recorded_model.py). Otherwise the rule-based model answers
it, and `--write` writes docs/reference/careful_day.md. The simulation stays in the database, to
be read with `manage.py tell_day`.
"""

import argparse
from pathlib import Path

from benchmarks.setting import prepare

prepare()

from tests.support.careful_day import UNTIL, replay_day  # noqa: E402 (Django is set up first)
from tests.support.careful_day_page import PAGE, page_of  # noqa: E402
from tests.support.recorded_model import Ask, Mailbox, ask_nobody  # noqa: E402

RATINGS = "memory.importance"


def main() -> None:
    """Run the day and print what became of the answers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mailbox", type=Path, metavar="FOLDER")
    parser.add_argument("--until", default=UNTIL)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    ask: Ask = ask_nobody
    if asked.mailbox:
        ask = Mailbox(asked.mailbox, left_out=frozenset({RATINGS})).ask
    day = replay_day(until=asked.until, ask=ask)
    page = page_of(day)
    print(f"simulation {day.row.pk}, tick {day.row.committed_tick}, log {day.log}\n\n{page}")
    for situation in day.model.answers.unused():
        print("not used:", situation)
    if asked.write:
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
