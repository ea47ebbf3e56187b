"""A town in which a user acts for people: what they do, said with the ticks that it is for."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps import wiring
from apps.simulation import queries
from apps.simulation.commands.command_log import Issuer
from apps.simulation.commands.embodied_action import request_action
from apps.simulation.commands.embodiments import request_embodiment, request_hand_back
from apps.simulation.commands.visit import Visitor, request_visit
from apps.simulation.embodiment.requested_actions import Action, Move, Open, Say, Use
from apps.simulation.engine import lifecycle
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.models import CommandRow, SimulationRow
from apps.simulation.ports import Ports
from tests.support.towns import ONE_BY_ONE

FAST = 1_000_000.0  # a pace that nothing waits for


@dataclass
class User:
    """Somebody who acts for people in a town; times are such as "2023-02-13T10:00"."""

    row: SimulationRow
    name: str = "a researcher"
    is_owner: bool = False
    number: int = 0

    @property
    def id(self) -> UUID:
        """The simulation's id."""
        return self.row.pk

    def embody(self, agent: str, at: str | None = None) -> CommandRow:
        """Begin to act for somebody."""
        command = request_embodiment(self.id, agent, issuer=self._issuer(at))
        self.number = command.body["embodiment"]
        return command

    def visit(
        self, name: str, at: str | None = None, *, place: str = "", description: str = ""
    ) -> CommandRow:
        """Come to town as somebody."""
        visitor = Visitor(name=name, description=description)
        command = request_visit(
            wiring.ports(), self.id, visitor, place=place, issuer=self._issuer(at)
        )
        self.number = command.body["embodiment"]
        return command

    def move(self, to: str, at: str | None = None) -> CommandRow:
        """Walk to a node."""
        return self._do(Move(to=to), at)

    def walk_to(self, tile: tuple[int, int], at: str | None = None) -> CommandRow:
        """Walk to a tile."""
        return self._do(Move(tile=tile), at)

    def say(
        self, text: str, at: str | None = None, *, to: str = "", ends: bool = False
    ) -> CommandRow:
        """Say something."""
        return self._do(Say(text=text, to=to, ends=ends), at)

    def act(
        self, used: str, doing: str, at: str | None = None, *, minutes: int = 10
    ) -> CommandRow:
        """Use an object."""
        return self._do(Use(object=used, doing=doing, minutes=minutes), at)

    def open(self, to: str, at: str | None = None) -> CommandRow:
        """Open the door to a visitor."""
        return self._do(Open(to=to), at)

    def hand_back(self, at: str | None = None) -> CommandRow:
        """Let the person be themselves again."""
        return request_hand_back(
            self.id, self.number, issuer=self._issuer(at), is_owner=self.is_owner
        )

    def _do(self, action: Action, at: str | None) -> CommandRow:
        return request_action(
            self.id, self.number, action, issuer=self._issuer(at), is_owner=self.is_owner
        )

    def _issuer(self, at: str | None) -> Issuer:
        tick = None if at is None else tick_of(self.row, at)
        return Issuer(by=self.name, reason="to see what they say", at_tick=tick)


def tick_of(row: SimulationRow, time: str) -> int:
    """Return the tick of a game time."""
    return queries.calendar_of(row.pk).tick_at(datetime.fromisoformat(time))


def live_on(
    row: SimulationRow,
    until: str,
    manner: RunOptions = ONE_BY_ONE,
    *,
    ports: Ports | None = None,
) -> SimulationRow:
    """Live the town until a game time at a pace, as it must where users act."""
    lifecycle.request_run(row.pk, until_tick=tick_of(row, until), pace=FAST)
    run_until_rest(ports or wiring.ports(), row.pk, manner)
    row.refresh_from_db()
    assert row.committed_tick == tick_of(row, until), row.reason
    return row


def outcome_of(command: CommandRow) -> tuple[str, str]:
    """Return the state of a command and why it was refused."""
    command.refresh_from_db()
    return command.state, command.refusal
