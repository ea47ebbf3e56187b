"""A branch pays for no call that its family has answered already (V4, L3)."""

from typing import Any

import pytest

from apps.eventlog.store import log_sha256
from apps.llm.calls.queries import reused_calls, spent
from apps.llm.models import ModelCallRow
from apps.simulation.commands import interventions
from apps.simulation.commands.command_log import Issuer
from apps.simulation.engine.forks import ForkSpec, fork_simulation
from apps.simulation.models import SimulationRow
from tests.support.thinking_towns import ThinkingTown, thinking_town

pytestmark = pytest.mark.django_db(transaction=True)

AT_TICK, UNTIL_TICK = 2_400, 2_700


def branch_of(town: ThinkingTown, **changes: Any) -> ThinkingTown:
    """Fork the town at a tick in the morning."""
    spec = ForkSpec(name="a branch", at_tick=AT_TICK, **changes)
    row = fork_simulation(town.ports, town.row.pk, spec)
    return ThinkingTown(row=row, server=town.server, ports=town.ports, manner=town.manner)


def own_calls(row: SimulationRow) -> list[tuple[Any, ...]]:
    """Return the calls of the simulation itself after the fork, with their answers."""
    rows = ModelCallRow.objects.own().filter(simulation_id=row.pk, tick__gt=AT_TICK)
    ordered = rows.order_by("call_id")
    return list(ordered.values_list("call_id", "request_sha256", "prompt", "answer"))


def test_a_branch_without_a_change_asks_nothing() -> None:
    with thinking_town() as town:
        parent = town.live(UNTIL_TICK)
        asked, embedded = len(town.chats), len(town.embeddings)
        branch = branch_of(town).live(UNTIL_TICK)
        assert (len(town.chats), len(town.embeddings)) == (asked, embedded)
        assert log_sha256(branch.pk) == log_sha256(parent.pk)
        assert own_calls(branch) == own_calls(parent) != []
        used = spent(branch.pk)
        assert used.prompt_tokens + used.completion_tokens == 0
        assert used.cost == 0
        assert reused_calls([branch.pk]) == {branch.pk: used.calls}


def test_a_parent_uses_the_answers_of_its_branch() -> None:
    with thinking_town() as town:
        town.live(AT_TICK)
        branch = branch_of(town).live(UNTIL_TICK)
        sibling = branch_of(town).live(UNTIL_TICK)
        asked = len(town.chats)
        parent = town.live(UNTIL_TICK)
        assert len(town.chats) == asked
        assert log_sha256(branch.pk) == log_sha256(sibling.pk) == log_sha256(parent.pk)
        found = ModelCallRow.objects.own().filter(
            simulation_id__in=[parent.pk, sibling.pk], tick__gt=AT_TICK
        )
        assert set(found.values_list("reused_from", flat=True)) == {branch.pk}


def test_a_branch_with_a_change_asks_what_is_new() -> None:
    with thinking_town() as town:
        parent = town.live(UNTIL_TICK)
        asked = len(town.chats)
        branch = branch_of(town)
        voice = interventions.InnerVoiceBody(text="You want to read in the park today")
        interventions.request_intervention(
            branch.row.pk, "klaus-mueller", voice, issuer=Issuer(by="a researcher")
        )
        row = branch.live(UNTIL_TICK)
        assert log_sha256(row.pk) != log_sha256(parent.pk)
        reused = reused_calls([row.pk]).get(row.pk, 0)
        assert 0 < reused < len(own_calls(row))
        assert len(own_calls(row)) - reused == len(town.chats) - asked
        assert spent(row.pk).prompt_tokens > 0


def test_another_seed_is_another_request() -> None:
    with thinking_town() as town:
        town.live(UNTIL_TICK)
        asked = len(town.chats)
        row = branch_of(town, seed=8).live(UNTIL_TICK)
        assert reused_calls([row.pk]) == {}
        assert len(town.chats) > asked
