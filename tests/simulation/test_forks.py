"""Branches of a morning: they share its past, and go on as it did unless something changes."""

import io
import random
from typing import Any
from uuid import UUID

import pytest
from django.db import models

from apps import wiring
from apps.agents.queries import slugs_in_simulation
from apps.archives.exporting import write_archive
from apps.archives.importing import import_archive
from apps.eventlog.models import EventRow
from apps.eventlog.rebuild import Order, check, rebuild
from apps.eventlog.store import NewEvent, log_sha256
from apps.lineage.branches import ancestors_of, common_past
from apps.lineage.history_rows import own_rows
from apps.lineage.models import LineageRow
from apps.lineage.views import history_models
from apps.memory.events import FactRevised, FactSource
from apps.memory.models import FactRow
from apps.replays.comparison import replay
from apps.simulation.commands import interventions
from apps.simulation.commands.agents import request_removal
from apps.simulation.commands.command_log import Issuer
from apps.simulation.engine import lease, lifecycle
from apps.simulation.engine.deletion import HasBranches, fold_rows
from apps.simulation.engine.forks import (
    CannotFork,
    ForkSpec,
    TickNotCommitted,
    fork_simulation,
)
from apps.simulation.engine.in_process import run_until_rest
from apps.simulation.models import ClockRow, SimulationRow
from apps.simulation.queries import SimulationUnknown, get_creation, get_simulation
from tests.simulation.test_residency import PAIR, ask_for_maria
from tests.support.hands import User, live_on
from tests.support.snapshots import simulated
from tests.support.towns import ONE_BY_ONE, found, set_object, shared_fixture

LAST_TICK = 3_480  # 09:40
RANDOM_TICKS = sorted(random.Random(4).sample(range(2_000, LAST_TICK - 300), 4))
MACHINE = "Hobbs Cafe: cafe: coffee machine"
_GENERATED = {"id", "position", "simulation_id", "copied_from", "recorded_at", "reused_from"}

pytestmark = pytest.mark.django_db


parent = shared_fixture(lambda: simulated("2023-02-13T09:40"))
"""Three agents live a morning."""


@pytest.fixture(autouse=True)
def one_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no thread renew a lease: its connection would not see the transaction of the test."""
    monkeypatch.setattr(lease.Lease, "_renew", lambda _lease: None)


def fork(parent: SimulationRow, at_tick: int, **changes: Any) -> SimulationRow:
    """Fork the simulation at a tick."""
    spec = ForkSpec(name=f"a branch at {at_tick}", at_tick=at_tick, **changes)
    return fork_simulation(wiring.ports(), parent.pk, spec)


def run_to(row: SimulationRow, tick: int) -> SimulationRow:
    """Run the simulation to a tick."""
    lifecycle.request_run(row.pk, until_tick=tick)
    run_until_rest(wiring.ports(), row.pk, ONE_BY_ONE)
    row.refresh_from_db()
    assert row.committed_tick == tick, row.reason
    return row


def give_voice(row: SimulationRow, text: str = "You want to cancel the party") -> None:
    """Speak to Isabella as her inner voice."""
    body = interventions.InnerVoiceBody(text=text)
    interventions.request_intervention(
        row.pk, "isabella-rodriguez", body, issuer=Issuer(by="a researcher")
    )


def rows_of(row: SimulationRow, until_tick: int | None = None) -> dict[str, list[str]]:
    """Return all rows of the history that the simulation sees, without generated keys."""
    found = {}
    for model in history_models():
        rows = model._default_manager.filter(simulation_id=row.pk)
        begins = model.inheritance.begins  # type: ignore[attr-defined]
        if until_tick is not None:
            rows = rows.filter(**{f"{begins}__lte": until_tick})
        found[model.__name__] = sorted(map(repr, rows.values_list(*_fields(model))))
    return found


def own_counts(row: SimulationRow) -> dict[str, int]:
    """Return how many rows belong to the simulation itself, by model."""
    counts = {model.__name__: own_rows(model, row.pk).count() for model in history_models()}
    return {name: count for name, count in counts.items() if count}


def _fields(model: type[models.Model]) -> list[str]:
    return [
        field.attname
        for field in model._meta.concrete_fields
        if field.attname not in _GENERATED
    ]


class TestABranch:
    def test_copies_the_current_actions_only(self, parent: SimulationRow) -> None:
        branch = fork(parent, 3_000)
        assert own_counts(branch) == {"ActionRow": 3}
        assert ClockRow.objects.filter(simulation_id=branch.pk).count() == 3
        assert LineageRow.objects.filter(branch=branch.pk).count() == 1
        assert branch.committed_tick == 3_000

    @pytest.mark.parametrize("tick", [0, 1, *RANDOM_TICKS, LAST_TICK])
    def test_sees_what_a_run_that_stopped_there_would_see(
        self, parent: SimulationRow, tick: int
    ) -> None:
        stopped = run_to(found(), tick) if tick else found()
        assert rows_of(fork(parent, tick)) == rows_of(stopped)

    @pytest.mark.parametrize("tick", [0, *RANDOM_TICKS])
    def test_goes_on_as_its_parent_did(self, parent: SimulationRow, tick: int) -> None:
        branch, end = fork(parent, tick), tick + 240
        for later in (tick, tick + 100, end):
            run_to(branch, later) if later > tick else None
            assert log_sha256(branch.pk) == log_sha256(parent.pk, until_tick=later)
        assert check(wiring.event_store(), branch.pk).problems == ()

    def test_of_a_branch_shares_the_past_of_both(self, parent: SimulationRow) -> None:
        child = run_to(fork(parent, RANDOM_TICKS[0]), RANDOM_TICKS[1])
        give_voice(child)
        run_to(child, RANDOM_TICKS[2])
        grandchild = fork(child, RANDOM_TICKS[2] - 20)
        before = rows_of(grandchild)
        assert [share.until_tick for share in ancestors_of(grandchild.pk)] == [
            RANDOM_TICKS[2] - 20,
            RANDOM_TICKS[0],
        ]
        run_to(child, RANDOM_TICKS[2] + 60)
        assert rows_of(grandchild) == before
        run_to(grandchild, RANDOM_TICKS[2] + 60)
        assert log_sha256(grandchild.pk) == log_sha256(child.pk)
        assert rows_of(grandchild) == rows_of(child)
        assert check(wiring.event_store(), grandchild.pk).problems == ()

    def test_of_a_branch_before_its_fork_is_one_of_the_parent(
        self, parent: SimulationRow
    ) -> None:
        child = fork(parent, RANDOM_TICKS[2], seed=8)
        grandchild = run_to(fork(child, RANDOM_TICKS[0]), RANDOM_TICKS[0] + 60)
        assert log_sha256(grandchild.pk) == log_sha256(
            parent.pk, until_tick=RANDOM_TICKS[0] + 60
        )
        assert common_past(child.pk, grandchild.pk) == RANDOM_TICKS[0]

    def test_and_its_parent_do_not_disturb_each_other(self) -> None:
        parent = run_to(found(), 2_600)
        branch = fork(parent, 2_500)
        alone = rows_of(run_to(found(), 2_800))
        give_voice(parent)
        for tick in (2_620, 2_660, 2_700, 2_800):
            run_to(branch, tick)
            run_to(parent, tick)
        assert rows_of(branch) == alone
        assert rows_of(parent) != alone
        for row in (parent, branch):
            assert check(wiring.event_store(), row.pk).problems == ()

    def test_differs_after_an_intervention_only(self, parent: SimulationRow) -> None:
        tick = RANDOM_TICKS[1]
        branch = fork(parent, tick)
        before = rows_of(parent)
        give_voice(branch)
        set_object(branch, MACHINE, "leaking on the floor")
        run_to(branch, tick + 300)
        assert log_sha256(branch.pk, until_tick=tick) == log_sha256(parent.pk, until_tick=tick)
        assert log_sha256(branch.pk) != log_sha256(parent.pk, until_tick=tick + 300)
        assert rows_of(parent) == before
        assert check(wiring.event_store(), branch.pk).problems == ()

    def test_is_rebuilt_over_the_shared_past(self, parent: SimulationRow) -> None:
        branch = run_to(fork(parent, RANDOM_TICKS[1]), RANDOM_TICKS[1] + 240)
        before = rows_of(branch)
        own = EventRow.objects.own().filter(simulation_id=branch.pk).count()
        assert rebuild(wiring.event_store(), branch.pk, order=Order.COMMIT) == own
        assert rows_of(branch) == before

    def test_is_rebuilt_with_its_parent(self) -> None:
        parent = run_to(found(), 2_600)
        branch = run_to(fork(parent, 2_500), 2_640)
        before = rows_of(branch), rows_of(parent)
        rebuild(wiring.event_store(), parent.pk)
        assert (rows_of(branch), rows_of(parent)) == before

    def test_revises_facts_of_its_own(self, parent: SimulationRow) -> None:
        before = rows_of(parent)
        branch = fork(parent, 3_000)
        for tick, words in ((3_001, "paints"), (3_002, "sculpts"), (3_003, "draws")):
            revised = FactRevised(
                number=1, statements=(words,), evidence=(1,), source=FactSource.INSIGHT
            )
            wiring.event_store().append(
                simulation_id=branch.pk,
                tick=tick,
                stream="isabella-rodriguez",
                events=[NewEvent(event=revised)],
            )
        facts = FactRow.objects.filter(
            simulation_id=branch.pk, agent="isabella-rodriguez", number=1
        ).order_by("from_tick")
        assert list(facts.values_list("from_tick", "to_tick")) == [
            (0, 3_001),
            (3_001, 3_002),
            (3_002, 3_003),
            (3_003, None),
        ]
        assert rows_of(parent) == before
        assert check(wiring.event_store(), branch.pk).problems == ()

    def test_changes_no_row_without_the_name_of_its_simulation(self) -> None:
        with pytest.raises(TypeError, match="name the simulation"):
            FactRow.objects.filter(number=1).update(to_tick=1)

    def test_has_what_users_had_done_until_then(self) -> None:
        row = simulated("2023-02-13T08:00", agents=PAIR)
        then: dict[int, tuple[dict[str, list[str]], list[str]]] = {}

        def go_on(time: str) -> None:
            live_on(row, f"2023-02-13T{time}")
            then[row.committed_tick] = (rows_of(row), slugs_in_simulation(row.pk))

        go_on("08:01")
        ask_for_maria(row)
        User(row).visit("Ada Finch", description="Ada Finch writes a book")
        go_on("08:03")
        User(row, number=1).hand_back()
        set_object(row, MACHINE, "leaking on the floor")
        go_on("08:05")
        User(row).visit("Ada Finch", place="Hobbs Cafe")
        request_removal(row.pk, "maria-lopez", issuer=Issuer(by="a researcher"))
        go_on("08:07")
        come_and_gone = [slugs for _, slugs in then.values()]
        assert [("ada-finch" in slugs, "maria-lopez" in slugs) for slugs in come_and_gone] == [
            (False, False),
            (True, True),
            (False, True),
            (True, False),
        ]
        for tick, (rows, slugs) in then.items():
            branch = fork(row, tick)
            assert rows_of(branch) == rows
            assert slugs_in_simulation(branch.pk) == slugs
            live_on(branch, "2023-02-13T08:08")
            assert check(wiring.event_store(), branch.pk).problems == ()

    def test_goes_on_with_another_seed_and_other_settings(self, parent: SimulationRow) -> None:
        branch = fork(parent, 2_500, seed=8, settings={"vision": 4})
        created = get_creation(branch.pk)
        assert (created.seed, created.settings.vision) == (8, 4)
        assert created.settings.preset == get_creation(parent.pk).settings.preset
        run_to(branch, 2_560)
        assert log_sha256(branch.pk) != log_sha256(parent.pk, until_tick=2_560)
        heir = fork(branch, 2_500)
        assert get_creation(heir.pk).settings.vision == 4
        run_to(heir, 2_560)
        assert log_sha256(heir.pk) == log_sha256(branch.pk)

    def test_is_replayed_by_the_settings_of_each_tick(self, parent: SimulationRow) -> None:
        branch = run_to(fork(parent, 2_720, seed=8, settings={"vision": 2}), 2_800)
        archive = io.BytesIO(b"".join(write_archive(wiring.ports(), branch)))
        copy = import_archive(wiring.ports(), archive)
        for row in (branch, copy):
            *_, found_again = replay(wiring.ports(), row.pk, from_tick=0, to_tick=2_800)
            assert (found_again.divergence, found_again.changed_calls) == (None, 0)
            assert found_again.events > 100
        for row in (branch, copy):
            created = get_creation(fork(row, 2_710).pk)
            assert (created.seed, created.settings) == (7, get_creation(parent.pk).settings)


class TestAFork:
    def test_is_at_a_committed_tick(self, parent: SimulationRow) -> None:
        with pytest.raises(TickNotCommitted, match=f"has come to .* \\(tick {LAST_TICK}\\)"):
            fork(parent, LAST_TICK + 1)

    def test_keeps_the_length_of_a_tick(self, parent: SimulationRow) -> None:
        with pytest.raises(CannotFork, match="tick_seconds"):
            fork(parent, 100, settings={"tick_seconds": 20})

    def test_of_tick_0_is_not_joined_later_by_agents_of_the_parent(self) -> None:
        parent = found(agents=PAIR)
        branch = fork(parent, 0)
        before = rows_of(branch)
        assert before == rows_of(parent)
        assert len(before["AgentRow"]) == len(PAIR)
        ask_for_maria(parent)
        run_to(parent, 1)
        assert rows_of(branch) == before
        assert log_sha256(branch.pk) == log_sha256(parent.pk, until_tick=0)


class TestADeletion:
    def test_is_rejected_while_branches_share_the_past(self, parent: SimulationRow) -> None:
        fork(parent, 2_500)
        with pytest.raises(HasBranches, match="simulation: 1; keep"):
            lifecycle.delete_simulation(wiring.ports(), parent.pk)

    def test_keeps_the_past_for_branches_until_the_last_is_deleted(self) -> None:
        parent = run_to(found(), 2_600)
        first, second = fork(parent, 2_500), fork(parent, 2_400)
        before = rows_of(first)
        lifecycle.delete_simulation(wiring.ports(), parent.pk, keep_branches=True)
        with pytest.raises(SimulationUnknown):
            get_simulation(parent.pk)
        assert rows_of(first) == before
        run_to(first, 2_540)
        lifecycle.delete_simulation(wiring.ports(), first.pk)
        assert EventRow.objects.filter(simulation_id=parent.pk).exists()
        lifecycle.delete_simulation(wiring.ports(), second.pk)
        for simulation in (parent, first, second):
            assert own_counts(simulation) == {}
        assert not LineageRow.objects.filter(ancestor=parent.pk).exists()
        assert not SimulationRow.with_deleted.filter(pk=parent.pk).exists()

    def test_leaves_rows_after_the_shared_past_which_are_folded(self) -> None:
        parent = run_to(found(), 2_600)
        branches = [fork(parent, 2_500), fork(parent, 2_400)]
        assert fold_rows(wiring.ports()).total() == 0
        lifecycle.delete_simulation(wiring.ports(), parent.pk, keep_branches=True)
        before = [(rows_of(branch), log_sha256(branch.pk)) for branch in branches]
        events = EventRow.objects.filter(simulation_id=parent.pk).count()
        folded = fold_rows(wiring.ports())
        assert folded["agents_actionrow"] > 0
        assert fold_rows(wiring.ports()).total() == 0
        assert [(rows_of(branch), log_sha256(branch.pk)) for branch in branches] == before
        assert EventRow.objects.filter(simulation_id=parent.pk).count() == events
        for branch in branches:
            assert not check(wiring.event_store(), branch.pk).problems
        rebuild(wiring.event_store(), parent.pk)
        assert fold_rows(wiring.ports()) == folded

    def test_of_a_branch_leaves_its_parent(self, parent: SimulationRow) -> None:
        before = rows_of(parent)
        branch = run_to(fork(parent, 2_500), 2_540)
        lifecycle.delete_simulation(wiring.ports(), branch.pk)
        assert rows_of(parent) == before
        assert own_counts(branch) == {}


def test_ids_of_branches_are_told_from_others(parent: SimulationRow) -> None:
    assert isinstance(parent.pk, UUID)
    assert parent.pk.version == 4
    assert fork(parent, 10).pk.version == 8
