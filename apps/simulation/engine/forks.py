"""Forks: branches of a simulation that share its past up to a committed tick (V4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction

from apps.agents import queries as agent_queries
from apps.eventlog.event import SIMULATION_STREAM
from apps.eventlog.store import NewEvent
from apps.kernel.errors import DomainError
from apps.lineage.branches import Share, ancestors_of, lineage_at, new_branch_id, write_lineage
from apps.lineage.statements import copy_current_rows
from apps.llm.calls.budget import Budget, ensure_budget_priced, set_budget
from apps.llm.catalogue import ensure_agents_known, parse_model
from apps.llm.model_spec import ModelSpec, RequestedModels
from apps.simulation.events import SpecificationChanged
from apps.simulation.locks import lock_simulation_row
from apps.simulation.models import ClockRow, SimulationRow
from apps.simulation.ports import Ports
from apps.simulation.queries import calendar_of, get_creation
from apps.simulation.settings import SimulationSettings, parse_settings
from apps.simulation.turn.preparation import SimulationPreparing, unprepared_agents

_UNCHANGEABLE = ("tick_seconds",)


class TickNotCommitted(DomainError):
    """The simulation has not come to the tick."""

    code: ClassVar[str] = "not-committed"


class CannotFork(DomainError):
    """A branch cannot go on with these settings or models."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForkSpec:
    """The branch to create: it shares the past of the parent up to the end of `at_tick`.

    What is None stays as it is in the parent after that tick: the seed, the settings (by name)
    and the models. A `budget` of None is unlimited.
    """

    name: str
    at_tick: int
    seed: int | None = None
    settings: Mapping[str, Any] | None = None
    model: RequestedModels = None
    budget: Budget | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Specification:
    """What a history depends on besides its past, and that a branch may change."""

    seed: int
    settings: SimulationSettings
    model: ModelSpec


def fork_simulation(
    ports: Ports, parent_id: UUID, spec: ForkSpec, *, owner_id: int | None = None
) -> SimulationRow:
    """Create a branch of a simulation, which may be running; the branch is paused.

    Of the past only the current action of each agent is copied. Events after the tick are no
    part of the branch, nor are commands that take effect after it. Members, budget and
    interviews of the parent stay its own.

    :raises SimulationUnknown: if there is no such parent.
    :raises TickNotCommitted: if the parent has not committed the tick.
    :raises SimulationPreparing: if the seed memories of an agent have not been formed.
    :raises CannotFork: for a setting that no branch can change, or another embedding model.
    :raises DomainError: for an unknown model or setting; the message has a hint.
    """
    with transaction.atomic():
        parent = lock_simulation_row(parent_id)  # against a deletion at the same time
        _ensure_committed(parent, spec.at_tick)
        if unprepared_agents(parent_id):
            raise SimulationPreparing(
                "the seed memories of the agents have not been formed yet; fork it afterwards"
            )
        before = _specification_after(parent, spec.at_tick)
        after = _changed(before, spec)
        ports.open_models(after.model, after.seed)  # raises for a model that cannot be used
        if spec.model is not None:
            ensure_agents_known(after.model, agent_queries.slugs_ever(parent_id))
        ensure_budget_priced(spec.budget, after.model)
        row = SimulationRow.objects.create(
            id=new_branch_id(),
            name=spec.name,
            owner_id=owner_id,
            world=parent.world,
            seed=after.seed,
            model=after.model.to_json(),
            committed_tick=spec.at_tick,
            reason="forked; not yet run",
        )
        _write_lineage(row, lineage_at(parent_id, spec.at_tick))
        copy_current_rows(row.pk, parent_id, spec.at_tick)
        ClockRow.objects.bulk_create(
            ClockRow(simulation_id=row.pk, agent=agent, clock=spec.at_tick + 1)
            for agent in agent_queries.slugs_in_simulation(row.pk)
        )
        inherited = get_creation(parent_id, at_tick=spec.at_tick)
        if (inherited.seed, inherited.settings, before.model) != (
            after.seed,
            after.settings,
            after.model,
        ):
            _record_change(ports, row.pk, after, tick=spec.at_tick + 1)
        set_budget(row.pk, spec.budget)
    return row


def _write_lineage(row: SimulationRow, shares: Sequence[Share]) -> None:
    ancestors = [share.simulation_id for share in shares]
    same_seed = SimulationRow.with_deleted.filter(pk__in=ancestors, seed=row.seed)
    write_lineage(row.pk, shares, set(same_seed.values_list("pk", flat=True)))


def _ensure_committed(parent: SimulationRow, tick: int) -> None:
    if not 0 <= tick <= parent.committed_tick:
        calendar = calendar_of(parent.pk)
        raise TickNotCommitted(calendar.not_committed(tick, parent.committed_tick))


def _specification_after(parent: SimulationRow, tick: int) -> _Specification:
    """Return the specification by which the tick after `tick` was or will be lived.

    The models are those of an ancestor up to the tick of its own fork.
    """
    row = parent
    for share in ancestors_of(parent.pk):
        if tick >= share.until_tick:
            break
        row = SimulationRow.with_deleted.get(pk=share.simulation_id)
    creation = get_creation(parent.pk, at_tick=tick + 1)
    return _Specification(
        seed=creation.seed,
        settings=creation.settings,
        model=ModelSpec.from_json(row.model),
    )


def _changed(before: _Specification, spec: ForkSpec) -> _Specification:
    """Return the specification with the changes of the branch."""
    after = before
    if spec.seed is not None:
        after = replace(after, seed=spec.seed)
    if spec.settings is not None:
        after = replace(after, settings=_changed_settings(before.settings, spec.settings))
    if spec.model is not None:
        model = parse_model(
            spec.model if isinstance(spec.model, str) else dict(spec.model),
            prompt_form=before.model.prompt_form,
        )
        embedding = (model.embedding_model, model.embedding_dimensions)
        if embedding != (before.model.embedding_model, before.model.embedding_dimensions):
            raise CannotFork(
                "the memories of the past have vectors of the embedding model "
                f"{before.model.embedding_model!r}; name it with the chat model"
            )
        after = replace(after, model=model)
    return after


def _changed_settings(
    before: SimulationSettings, changes: Mapping[str, Any]
) -> SimulationSettings:
    after = parse_settings({**before.model_dump(), **parse_changes(changes)})
    for name in _UNCHANGEABLE:
        if getattr(after, name) != getattr(before, name):
            raise CannotFork(f"a branch has the {name} of its past")
    return after


def parse_changes(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the named settings, with those of the preset if one is named.

    :raises UnusableSettings: for an unknown name, a wrong type or a value out of bounds.
    """
    parsed = parse_settings(dict(changes))
    return parsed.model_dump(include=parsed.model_fields_set)


def _record_change(ports: Ports, branch: UUID, after: _Specification, *, tick: int) -> None:
    """Append what the branch has not inherited; an unchanged branch has no event of its own."""
    changed = SpecificationChanged(
        seed=after.seed, settings=after.settings, chat_model=after.model.chat_model
    )
    ports.store.append(
        simulation_id=branch,
        tick=tick,
        stream=SIMULATION_STREAM,
        events=[NewEvent(event=changed)],
    )
