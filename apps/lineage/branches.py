"""The ids of branches, and their lineage: which simulations share which past."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid4

from apps.lineage.models import LineageRow

_BRANCH_VERSION = 8
"""The version of the ids of branches, which RFC 9562 leaves to the application.

All other simulations have random ids of version 4. A reader of rows so knows without a query
whether a simulation has ancestors.
"""


@dataclass(frozen=True, slots=True)
class Share:
    """The history of a simulation up to the end of a tick."""

    simulation_id: UUID
    until_tick: int


def new_branch_id() -> UUID:
    """Return a random id of a branch."""
    number = uuid4().int & ~(0xF << 76)
    return UUID(int=number | _BRANCH_VERSION << 76)


def is_branch(simulation_id: UUID | str) -> bool:
    """Return whether the simulation may have ancestors, by its id."""
    found = simulation_id if isinstance(simulation_id, UUID) else UUID(str(simulation_id))
    return found.version == _BRANCH_VERSION


def ancestors_of(simulation_id: UUID) -> tuple[Share, ...]:
    """Return what the simulation shares of its ancestors, the parent first."""
    if not is_branch(simulation_id):
        return ()
    rows = LineageRow.objects.filter(branch=simulation_id).order_by("depth")
    return tuple(Share(row.ancestor, row.until_tick) for row in rows)


def first_own_tick(simulation_id: UUID) -> int:
    """Return the first tick of the simulation's own history, 0 without ancestors."""
    parent = parents_of([simulation_id]).get(simulation_id)
    return 0 if parent is None else parent.until_tick + 1


def branches_of(simulation_id: UUID) -> tuple[UUID, ...]:
    """Return all branches of the simulation, also those of its branches, parents first."""
    rows = LineageRow.objects.filter(ancestor=simulation_id).order_by("depth", "branch")
    return tuple(rows.values_list("branch", flat=True))


def forks_of(simulation_id: UUID) -> dict[UUID, int]:
    """Return the branches that were forked from the simulation itself, with their ticks."""
    rows = LineageRow.objects.filter(ancestor=simulation_id, depth=1)
    return dict(rows.values_list("branch", "until_tick"))


def parents_of(simulation_ids: Collection[UUID]) -> dict[UUID, Share]:
    """Return the parent of each branch among the simulations, and the tick of the fork."""
    branches = [one for one in simulation_ids if is_branch(one)]
    if not branches:
        return {}
    rows = LineageRow.objects.filter(branch__in=branches, depth=1)
    return {row.branch: Share(row.ancestor, row.until_tick) for row in rows}


def shares_past(simulation_id: UUID) -> bool:
    """Return whether the simulation has ancestors or branches."""
    if is_branch(simulation_id):
        return True
    return LineageRow.objects.filter(ancestor=simulation_id).exists()


def family_of(simulation_id: UUID) -> set[UUID]:
    """Return the ancestors, branches and siblings that have the same seed."""
    first = simulation_id
    if is_branch(simulation_id):
        older = LineageRow.objects.filter(branch=simulation_id, has_same_seed=True)
        first = older.order_by("-depth").values_list("ancestor", flat=True).first() or first
    rows = LineageRow.objects.filter(ancestor=first, has_same_seed=True)
    return {first, *rows.values_list("branch", flat=True)} - {simulation_id}


def lineage_at(parent: UUID, tick: int) -> tuple[Share, ...]:
    """Return what a branch of the parent at the tick shares, with the parent first."""
    older = (
        Share(one.simulation_id, min(one.until_tick, tick)) for one in ancestors_of(parent)
    )
    return (Share(parent, tick), *older)


def write_lineage(branch: UUID, shares: Sequence[Share], same_seed: Collection[UUID]) -> None:
    """Write the lineage of a new branch; `same_seed` are the ancestors that have its seed."""
    LineageRow.objects.bulk_create(
        LineageRow(
            branch=branch,
            ancestor=one.simulation_id,
            depth=depth,
            until_tick=one.until_tick,
            nearer=[branch, *(share.simulation_id for share in shares[: depth - 1])],
            has_same_seed=one.simulation_id in same_seed,
        )
        for depth, one in enumerate(shares, start=1)
    )


def common_past(one: UUID, other: UUID) -> int | None:
    """Return the last tick that two simulations share by their lineage, None without one."""
    shares = [
        {of.simulation_id: of.until_tick for of in ancestors_of(simulation)}
        | {simulation: None}
        for simulation in (one, other)
    ]
    ticks = [
        min(tick for tick in (shares[0][common], shares[1][common]) if tick is not None)
        for common in shares[0].keys() & shares[1].keys()
        if one != other
    ]
    return max(ticks, default=None)
