"""Compares the first answers of a simulation's model with its events, and with the call log.

    .venv/bin/python -m benchmarks.answers_and_events [SIMULATION]

The first answer of a model is read from the call log, and compared with the events that name
the call: which actions, chunks and changes of the day were planned, for how long, which words
were said, what was kept of a conversation, and what was decided. The outcome that the service
has recorded is read last, to be compared: a line of the table has both counts of answers that
are done as given, and the calls on which they differ follow. Without a simulation, the latest
is read.
"""

import argparse
import json
from collections import defaultdict

from benchmarks.setting import prepare

prepare()

from apps.eventlog.models import EventRow  # noqa: E402 (Django has to be set up first)
from apps.llm.models import ModelCallRow  # noqa: E402
from apps.simulation import queries  # noqa: E402
from apps.simulation.models import SimulationRow  # noqa: E402
from benchmarks.answer_changes import COMPARED, EVENTS, Compare, History  # noqa: E402

DONE_AS_GIVEN = "valid"


def main() -> None:
    """Print the table, and the calls on which the two counts differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("simulation", nargs="?")
    asked = parser.parse_args()
    rows = SimulationRow.objects.order_by("-created_at")
    row = rows.get(pk=asked.simulation) if asked.simulation else rows[0]
    history = read_history(row)
    print("| LLM task | answers | as given by the events | as given by the call log |")
    print("|---|--:|--:|--:|")
    apart = []
    for task, compare in sorted(COMPARED.items()):
        calls = ModelCallRow.objects.filter(
            simulation_id=row.pk, task=task, tick__lte=row.committed_tick
        )
        by_events = by_log = 0
        for call in calls.order_by("tick", "stream", "id"):
            changes = changes_of(call, compare, history)
            is_recorded = call.outcome != DONE_AS_GIVEN
            by_events += not changes
            by_log += not is_recorded
            if bool(changes) != is_recorded:
                apart.append(
                    f"{call.call_id} {call.outcome}: {'; '.join(changes) or 'as given'}"
                )
        print(f"| {task} | {len(calls)} | {by_events} | {by_log} |")
    print("\nThe two differ on:" if apart else "\nThe two agree on every answer.")
    print("\n".join(apart))


def changes_of(call: ModelCallRow, compare: Compare, history: History) -> list[str]:
    """Return how what was done differs from the first answer."""
    first = call.attempts[0]
    if len(call.attempts) > 1:
        return ["it was asked again"]
    try:
        answer = json.loads(first["raw"]) if "raw" in first else call.answer
    except ValueError:
        return ["it is no JSON"]
    events = [
        one
        for one in history.by_call.get(call.call_id, ())
        if one.type == EVENTS.get(call.task, one.type)
    ]
    if not events:
        return []  # nothing was done, such as the words of a turn that was interrupted
    return list(compare(answer, events[0], history))


def read_history(row: SimulationRow) -> History:
    """Return the history of the simulation up to its committed tick."""
    calendar = queries.calendar_of(row.pk)
    by_call: dict[str, list[EventRow]] = defaultdict(list)
    by_agent: dict[str, list[EventRow]] = defaultdict(list)
    rows = EventRow.objects.filter(simulation_id=row.pk, tick__lte=row.committed_tick)
    for event in rows.order_by("tick", "stream", "ordinal"):
        by_agent[event.stream].append(event)
        for call in event.model_calls:
            by_call[call].append(event)
    return History(
        ticks_per_minute=60 / calendar.tick_seconds,
        minutes_at_start=calendar.start.hour * 60 + calendar.start.minute,
        by_call=by_call,
        by_agent=by_agent,
    )


if __name__ == "__main__":
    main()
