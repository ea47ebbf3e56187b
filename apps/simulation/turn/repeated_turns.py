"""Takes a turn again from recorded answers, without writing anything (V5)."""

from contextlib import suppress

from django.db import connection, transaction
from pydantic import ValidationError

from apps.agents import queries as agent_queries
from apps.eventlog.store import NewEvent
from apps.kernel.errors import SmallvilleError
from apps.kernel.language import use_language
from apps.llm.calls.agent_llm import AgentLLM
from apps.llm.recorded_answers import RecordedGateway, RepeatedCall, open_recorded_llm
from apps.simulation import queries
from apps.simulation.ports import Constants, Ports
from apps.simulation.turn.context.context_reading import read_context
from apps.simulation.turn.pipeline import run_steps
from apps.simulation.turn.preparation import PREPARATION_TICK, seed_memories


class RepeatedTurn:
    """A turn of an agent at a past tick; `gateway` has the calls that it has made again."""

    def __init__(self, ports: Ports, constants: Constants, *, agent: str, tick: int) -> None:
        self._ports, self._constants = ports, constants
        self._agent, self._tick = agent, tick
        self._llm: AgentLLM
        self.gateway: RecordedGateway
        self._llm, self.gateway = open_recorded_llm(
            simulation_id=constants.simulation_id,
            tick=tick,
            stream=agent,
            models=ports.open_models(queries.model_of(constants.simulation_id), constants.seed),
        )

    def events(self) -> list[NewEvent]:
        """Return the events of the turn; the database refuses to write meanwhile.

        :raises SmallvilleError: if a call or a vector is not recorded.
        :raises ValidationError: if a recorded answer does not fit the schema any more.
        """
        constants = self._constants
        with transaction.atomic(), use_language(constants.world.language):
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION READ ONLY")
            if self._tick == PREPARATION_TICK:
                return self._preparation()
            context = read_context(
                self._ports,
                simulation_id=constants.simulation_id,
                agent=self._agent,
                tick=self._tick,
                llm=self._llm,
                constants=constants,
            )
            return list(run_steps(context).events)

    def unchanged_calls(self) -> list[RepeatedCall]:
        """Return the calls that have the messages that were recorded.

        They are those before the first one that the turn does not make any more.
        """
        with suppress(SmallvilleError, ValidationError):
            self.events()
        return [
            one
            for one in self.gateway.repeated
            if one.recorded is not None and one.recorded.messages == one.messages
        ]

    def _preparation(self) -> list[NewEvent]:
        simulation_id = self._constants.simulation_id
        row = agent_queries.get_agent(simulation_id, self._agent)
        identity, spec = row.identity, queries.model_of(simulation_id)
        return seed_memories(self._llm, identity, row.description, spec, self._constants)
