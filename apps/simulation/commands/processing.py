"""Takes what users ask of a town into the log, each command at the tick that is free for it."""

from uuid import UUID

from apps.kernel.errors import Refusal
from apps.simulation.commands import calling, embodying, object_states, residency, visiting
from apps.simulation.commands import command_log as asking
from apps.simulation.commands import interventions as told
from apps.simulation.commands.schedule import Schedule
from apps.simulation.interventions import KINDS
from apps.simulation.models import CommandRow
from apps.simulation.ports import Constants, Ports


class Acceptance:
    """How commands come into one simulation; the score is told what each means to it."""

    def __init__(self, ports: Ports, simulation_id: UUID, constants: Constants) -> None:
        """Take what they are accepted with."""
        self._ports = ports
        self._simulation_id = simulation_id
        self._constants = constants

    def accept_due(self, score: Schedule) -> int | None:
        """Accept the commands whose time has come; return the next one's tick, if any."""
        scheduled: list[int] = []
        for command in asking.pending(self._simulation_id):
            tick = score.next_tick
            if command.at_tick is not None and command.at_tick > tick:
                scheduled.append(command.at_tick)
            else:
                self._accept(score, command, tick)
        for agent, tick in score.departing():
            residency.depart(self._ports, self._simulation_id, agent, tick)
            score.see_off(agent)
        return min(scheduled, default=None)

    def _accept(self, score: Schedule, command: CommandRow, tick: int) -> None:
        try:
            self._carry_out(score, command, tick)
        except Refusal as refusal:
            asking.refuse(command, refusal.message)

    def _carry_out(self, score: Schedule, command: CommandRow, tick: int) -> None:
        if command.kind == residency.ADD_PERSON:
            residency.accept_arrival(self._ports, self._constants, command, tick)
            score.welcome(command.agent)
        elif command.kind == object_states.SET_OBJECT_STATE:
            self._set(score, command)
        elif command.kind in KINDS:
            self._tell(score, command)
        elif command.kind == embodying.VISIT:
            visiting.accept_visit(self._ports, self._constants, command, tick)
            score.welcome(command.agent)
            score.read_calls()
        elif command.kind in embodying.KINDS:
            tick = max(score.first_free_tick(command.agent), command.at_tick or 0)
            calling.accept(self._ports, command, tick)
            score.read_calls()
        elif score.may_leave(command.agent):
            residency.accept_departure(self._ports, command, tick)
            score.expect_departure(command.agent, tick)
        else:
            asking.refuse(command, f"{command.agent} is not in town, or nobody else would be")

    def _set(self, score: Schedule, command: CommandRow) -> None:
        """Have an object's state set: nobody who has had it in view has begun a later tick."""
        unseen_from = score.unseen_from(command.body["object"])
        tick = self._free_tick(command, unseen_from)
        object_states.accept_object_state(self._ports, command, tick)
        score.read_set_states()

    def _tell(self, score: Schedule, command: CommandRow) -> None:
        """Have somebody told something, in the first tick that they have not begun."""
        unbegun = score.unbegun(command.agent)
        if unbegun is None:
            asking.refuse(command, f"{command.agent} is not in town any more")
            return
        tick = self._free_tick(command, unbegun)
        told.accept(self._ports, command, tick)
        score.expect_told(command.agent, tick)

    def _free_tick(self, command: CommandRow, begins: int) -> int:
        return asking.not_before_others(self._simulation_id, max(begins, command.at_tick or 0))
