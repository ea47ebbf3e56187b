"""Options that several commands share: moments, agents of a world, and users by name."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from apps.agents import queries as agent_queries
from apps.kernel.game_moments import first_tick_from
from apps.kernel.names import names_there_are
from apps.kernel.request_models import read_value
from apps.simulation import queries
from apps.simulation.models import SimulationRow


def chosen_agents(option: list[str] | None) -> int | list[str] | None:
    """Return the number or the names in the option --agents, None for all agents."""
    if not option:
        return None
    if len(option) == 1 and option[0].isdigit():
        return int(option[0])
    return option


def user_named(name: str) -> User:
    """Return the user.

    :raises CommandError: if there is none.
    """
    user = User.objects.filter(username=name).first()
    if user is None:
        names = list(User.objects.order_by("username").values_list("username", flat=True))
        raise CommandError(
            f"there is no user {name!r}; {names_there_are(names, name)}; "
            f"`manage.py create_user {name}` creates it"
        )
    return user


def check_options(options: dict[str, Any], **kinds: object) -> None:
    """Check the values of options that are given, by the rules that they have over HTTP.

    :raises UnusableValues: for one of another type, or out of bounds.
    """
    for name, kind in kinds.items():
        if options.get(name) is not None:
            options[name] = read_value(kind, options[name], f"--{name.replace('_', '-')}")


def tick_of(simulation_id: UUID, text: str) -> int:
    """Return the tick of a game time such as 2023-02-13T08:00, or the tick itself.

    :raises UnusableTime: if the text is neither, or out of bounds.
    """
    return first_tick_from(text, queries.calendar_of(simulation_id))


def committed_tick_of(row: SimulationRow, text: str | None) -> int:
    """Return the tick of a game time, or the tick itself; the last committed one for None.

    :raises CommandError: if the text is neither, or the tick is not committed.
    """
    tick = row.committed_tick if text is None else tick_of(row.pk, text)
    if not 0 <= tick <= row.committed_tick:
        calendar = queries.calendar_of(row.pk)
        raise CommandError(
            f"{calendar.moment(tick)} is not committed; the last committed moment is "
            f"{calendar.moment(row.committed_tick)}"
        )
    return tick


def agents_at(
    simulation_id: UUID, *, as_of_tick: int, requested: Sequence[str] | None
) -> Sequence[str]:
    """Return the requested slugs; those of all agents in the simulation at the tick, if none.

    :raises CommandError: if a requested agent is not in the simulation at the tick.
    """
    present = agent_queries.slugs_in_simulation(simulation_id, as_of_tick=as_of_tick)
    agents = requested or present
    if unknown := [agent for agent in agents if agent not in present]:
        raise CommandError(
            f"there is no agent {unknown[0]!r} at this moment; "
            f"{names_there_are(present, unknown[0])}"
        )
    return agents
