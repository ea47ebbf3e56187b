"""`manage.py replay SIMULATION`: take the turns again from recorded answers, and compare."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from difflib import unified_diff
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from apps import wiring
from apps.django_support.progress_bar import progress_bar
from apps.django_support.service_command import ServiceCommand
from apps.lineage.branches import first_own_tick
from apps.llm.recorded_answers import RepeatedCall
from apps.replays.comparison import Divergence, EventVersion, Replay, replay
from apps.simulation import queries


class Command(ServiceCommand):
    help = "Take the turns of a simulation again from recorded answers; call no model."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("simulation", type=UUID)
        parser.add_argument(
            "--from",
            type=int,
            dest="from_tick",
            metavar="TICK",
            help="default: 0, of a branch the first tick after its fork",
        )
        parser.add_argument(
            "--to", type=int, dest="to_tick", metavar="TICK", help="default: the committed tick"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        found = _replay(options["simulation"], options["from_tick"], options["to_tick"])
        self.stdout.write(
            f"{found.turns:,} turns, {found.events:,} events, {found.calls:,} calls answered "
            f"from the log ({found.changed_calls:,} with another request)"
        )
        if found.changed_call:
            self.stdout.write(f"first call with another request: {found.changed_call}")
        if found.divergence is not None:
            self.stdout.write(_described(found.divergence))
            raise CommandError(f"event {found.divergence.event} differs")
        self.stdout.write("all events are those of the log")


def _replay(simulation_id: UUID, from_tick: int | None, to_tick: int | None) -> Replay:
    committed_tick = queries.get_simulation(simulation_id).committed_tick
    if from_tick is None:
        from_tick = min(first_own_tick(simulation_id), committed_tick)
    last = committed_tick if to_tick is None else min(to_tick, committed_tick)
    found = Replay()
    with progress_bar("tick", total=last, initial=from_tick) as show:
        for found in replay(wiring.ports(), simulation_id, from_tick=from_tick, to_tick=last):
            show(found.tick)
    return found


def _described(divergence: Divergence) -> str:
    """Return both versions of an event, and the changed lines of the turn's prompts."""
    lines = [
        f"on the log: {_shown(divergence.logged)}",
        f"now:        {_shown(divergence.replayed)}",
    ]
    if divergence.error:
        lines.append(f"the turn could not be taken again: {divergence.error}")
    for call in divergence.calls:
        if call.is_changed:
            lines += [f"the request of {call.call_id} differs:", *_changed_lines(call)]
    return "\n".join(lines)


def _shown(version: EventVersion | None) -> str:
    return "no event" if version is None else json.dumps(asdict(version), ensure_ascii=False)


def _changed_lines(call: RepeatedCall) -> Iterator[str]:
    """Yield the lines of the prompt that differ, those of the log with a minus."""
    then, now = _lines(call.recorded or []), _lines(call.messages)
    changed = list(unified_diff(then, now, "on the log", "now", lineterm="", n=0))
    yield from changed or ["only its schema, its template's version or the model differ"]


def _lines(messages: Sequence[Mapping[str, str]]) -> list[str]:
    return [line for message in messages for line in message["content"].splitlines()]
