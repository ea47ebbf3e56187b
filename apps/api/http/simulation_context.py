"""The simulation of a request: the user's role in it, and the tick that is read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import QuerySet

from apps import wiring
from apps.access.membership import roles_of, shared_simulations
from apps.access.rights import Role
from apps.agents import queries as agent_queries
from apps.agents.models import AgentRow
from apps.agents.naming import AgentUnknown
from apps.kernel.errors import NotFound
from apps.kernel.game_time import GameCalendar
from apps.kernel.requested_values import SLUG_PATTERN
from apps.simulation import queries
from apps.simulation.commands.command_log import list_commands
from apps.simulation.events import SimulationCreated
from apps.simulation.models import SimulationRow
from apps.simulation.ports import Constants, constants_of
from apps.simulation.queries import SimulationUnknown, WorldChanged
from apps.world.problems import UnknownWorld, WorldBroken

_SLUG = re.compile(SLUG_PATTERN)


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationContext:
    """A simulation as of the end of one committed tick."""

    row: SimulationRow
    role: Role
    founded: SimulationCreated
    as_of_tick: int

    @property
    def id(self) -> UUID:
        """The simulation's id."""
        return self.row.pk

    @property
    def calendar(self) -> GameCalendar:
        """The simulation's calendar."""
        start, tick_seconds = self.founded.start, self.founded.settings.tick_seconds
        return GameCalendar(start=datetime.fromisoformat(start), tick_seconds=tick_seconds)

    def time_at(self, tick: int) -> datetime:
        """Return the game time at which the tick begins."""
        return self.calendar.time_at(tick)

    def constants(self) -> Constants:
        """Return the constants of the simulation, its world among them.

        :raises WorldChanged: if the files of the world have changed since the creation.
        """
        try:
            return constants_of(self.id, wiring.ports().worlds)
        except (UnknownWorld, WorldBroken) as error:
            raise WorldChanged(
                f"the world {self.founded.world!r} of this simulation cannot be read any more; "
                "put its files back"
            ) from error

    def get_agent(self, slug: str) -> AgentRow:
        """Return the agent, which may have left.

        :raises AgentUnknown: if none of that slug has joined by the tick.
        """
        [row] = self.get_agents([slug])
        return row

    def get_agents(self, slugs: Sequence[str]) -> list[AgentRow]:
        """Return the agents, which may have left.

        :raises AgentUnknown: if none of one of the slugs has joined by the tick.
        """
        named = [slug for slug in slugs if _SLUG.fullmatch(slug)]
        found = agent_queries.agents_named(self.id, named, as_of_tick=self.as_of_tick)
        for slug in slugs:
            if slug not in found:
                raise self._unknown(slug)
        return [found[slug] for slug in slugs]

    def require_known_agent(self, slug: str | None) -> None:
        """Check that an agent has joined, or that a command adds it; None stands for all.

        The stream of an agent that is to be added can be followed before it begins.

        :raises AgentUnknown: if neither is the case.
        """
        if slug is None:
            return
        try:
            agent_queries.get_agent(self.id, slug)
        except AgentUnknown:
            if not list_commands(self.id, agent=slug).exists():
                raise

    def _unknown(self, slug: str) -> AgentUnknown:
        known = agent_queries.slugs_in_simulation(self.id, as_of_tick=self.as_of_tick)
        return AgentUnknown(slug, known)


def load_context(user: User, simulation: str) -> SimulationContext:
    """Return the simulation as of its committed tick.

    :raises SimulationUnknown: if there is none of that id, or the user has no role in it.
    """
    simulation_id = parse_uuid(simulation)
    row = None if simulation_id is None else queries.find_simulation(simulation_id)
    role = None if row is None else roles_in([row], user).get(row.pk)
    if row is None or role is None:
        raise SimulationUnknown(
            f"there is no simulation {simulation[:60]!r}; GET /api/v1/simulations lists yours"
        )
    return SimulationContext(
        row=row, role=role, founded=queries.get_creation(row.pk), as_of_tick=row.committed_tick
    )


def list_visible_simulations(user: User) -> QuerySet[SimulationRow]:
    """Return the simulations that a user has a role in; all, for an administrator."""
    if user.is_superuser:
        return queries.list_simulations()
    return queries.list_simulations(owner_id=user.pk, or_among=shared_simulations(user))


def roles_in(rows: Sequence[SimulationRow], user: User) -> dict[UUID, Role]:
    """Return the user's role by simulation, for those in which it has one.

    The creator of a simulation is always its owner, and so are administrators.
    """
    owned = {row.pk: Role.OWNER for row in rows if user.is_superuser or row.owner_id == user.pk}
    others = [row.pk for row in rows if row.pk not in owned]
    return owned | (roles_of(user, others) if others else {})


def parse_uuid(text: str) -> UUID | None:
    """Return the id in a path, None for a text that is none in its usual form."""
    try:
        found = UUID(text)
    except ValueError:
        return None
    return found if str(found) == text.lower() else None


def parse_resource_id(text: str, unknown: type[NotFound], message: str) -> UUID:
    """Return the id in a path.

    :param message: the beginning of the error's message, such as "there is no survey".
    :raises NotFound: `unknown`, for a text that is no id in its usual form.
    """
    found = parse_uuid(text)
    if found is None:
        raise unknown(f"{message} {text[:80]!r}")
    return found
