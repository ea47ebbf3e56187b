"""What comes between changes what people do: a burning stove, an occupied bathroom (X, U3)."""

from datetime import datetime
from itertools import groupby, pairwise

import pytest

from apps import wiring
from apps.agents import queries as agent_queries
from apps.agents.events import Noticed, ObjectRighted, ObjectStateSet
from apps.eventlog.rebuild import check
from apps.planning import queries as plan_queries
from apps.planning.events import HoursPlanned
from apps.reaction.events import ReactionDecided
from apps.reaction.inputs import DecisionInput, ObservedObject
from apps.reaction.llm_tasks import DECISION, Decision, go_on
from apps.rule_model.model import Chance
from apps.simulation import queries
from apps.simulation.commands import object_state
from apps.simulation.commands.command_log import Issuer, TickPast, get_command
from apps.simulation.models import CommandRow, SimulationRow
from apps.simulation.ports import Ports
from apps.world.problems import AmbiguousPlace, UnknownPlace
from tests.support.towns import (
    EIGHT_THREADS,
    LOCK_STEP,
    THREE,
    answering,
    found,
    happened,
    history_of,
    live,
    with_delays,
)

pytestmark = pytest.mark.django_db(transaction=True)

STOVE = "Isabella Rodriguez's apartment: kitchen: stove"
ISABELLA = "isabella-rodriguez"
BREAKFAST = "2023-02-13T06:36"
EIGHT = "2023-02-13T08:00"


def turns_it_off(inputs: DecisionInput, chance: Chance) -> Decision:
    """Deal with a danger at once, and with nothing else."""
    for number, seen in enumerate(inputs.observed, start=1):
        if isinstance(seen, ObservedObject) and seen.is_alarming:
            is_stove = seen.name == "stove"
            what = "turn off the stove" if is_stove else f"put out the fire at the {seen.name}"
            return Decision(choice="act", observation=number, what=what, place="", minutes=5)
    return go_on(inputs)


@pytest.fixture
def careful() -> Ports:
    """Ports onto a town whose people turn off a burning stove."""
    return answering({DECISION.name: turns_it_off})


def set_on_fire(
    row: SimulationRow, ports: Ports, when: str = BREAKFAST, *, state: str = "burning"
) -> CommandRow:
    tick = queries.calendar_of(row.pk).tick_at(datetime.fromisoformat(when))
    issuer = Issuer(by="a researcher", reason="to see what she does", at_tick=tick)
    return object_state.request_object_state(
        ports, row.pk, object_name=f"<{STOVE}>", state=state, issuer=issuer
    )


class TestABurningStove:
    def test_is_noticed_weighed_turned_off_and_idle_again(self, careful: Ports) -> None:
        row = found(agents=THREE)
        command = set_on_fire(row, careful)
        live(row, EIGHT, ports=careful)
        assert get_command(row.pk, command.pk).state == CommandRow.State.DONE
        [burning] = happened(row, ObjectStateSet)
        assert burning.event.by == "a researcher"
        # She is at breakfast beside it: she sees it at the next moment.
        noticed = [
            one
            for one in happened(row, Noticed)
            if any(sight.description == "burning" for sight in one.event.sights)
        ]
        assert [one.stream for one in noticed] == [ISABELLA]
        assert noticed[0].tick == burning.tick + 1
        [weighed] = [one for one in happened(row, ReactionDecided) if one.event.choice == "act"]
        assert (weighed.tick, weighed.event.about) == (noticed[0].tick, STOVE)
        assert weighed.cause == burning.place
        [righted] = happened(row, ObjectRighted)
        assert righted.stream == ISABELLA
        assert righted.event.since == burning.place
        assert agent_queries.set_states(row.pk, from_tick=row.committed_tick) == []

    def test_ends_the_state_that_was_set_before_in_the_same_tick(self, careful: Ports) -> None:
        row = found(agents=THREE)
        set_on_fire(row, careful)
        set_on_fire(row, careful, state="on fire")
        live(row, "2023-02-13T06:37", ports=careful)
        first, second = happened(row, ObjectStateSet)
        assert (first.tick, second.event.state) == (second.tick, "on fire")
        states = agent_queries.set_states(row.pk, from_tick=first.tick)
        assert [state.event for state in states] == [second.place]
        live(row, EIGHT, ports=careful)
        [righted] = happened(row, ObjectRighted)
        assert righted.event.since == second.place
        assert agent_queries.set_states(row.pk, from_tick=row.committed_tick) == []
        assert check(wiring.event_store(), row.pk).problems == ()

    def test_changes_the_plan_from_that_moment_on_and_nothing_before(
        self, careful: Ports
    ) -> None:
        row = found(agents=THREE)
        set_on_fire(row, careful)
        live(row, EIGHT, ports=careful)
        [weighed] = [one for one in happened(row, ReactionDecided) if one.event.choice == "act"]
        [_first, revised] = [
            one for one in happened(row, HoursPlanned) if one.stream == ISABELLA
        ]
        assert revised.tick == weighed.tick
        assert revised.cause == weighed.place
        assert revised.event.items[0].description == "turn off the stove"
        before, after = (
            plan_queries.items_between(
                row.pk,
                ISABELLA,
                level="hour",
                from_tick=0,
                to_tick=2**31 - 1,
                as_of_tick=tick,
            )
            for tick in (weighed.tick - 1, weighed.tick)
        )
        past = [item for item in before if item.to_tick <= weighed.tick]
        assert after[: len(past)] == past
        assert after[len(past)].to_tick == weighed.tick, "the hour was broken off then"
        # The day has no gap and no overlap, before and after.
        for hours in (before, after):
            for earlier, later in pairwise(hours):
                assert earlier.to_tick == later.from_tick

    def test_burns_on_while_nobody_sees_it(self, careful: Ports) -> None:
        row = found(agents=("Klaus Mueller", "Maria Lopez"))
        set_on_fire(row, careful)
        live(row, EIGHT, ports=careful)
        assert happened(row, ObjectRighted) == []
        [state] = agent_queries.set_states(row.pk, from_tick=row.committed_tick)
        assert state.state == "burning"

    def test_wakes_who_sleeps_beside_it(self, careful: Ports) -> None:
        row = found(agents=THREE)
        bed = "Isabella Rodriguez's apartment: main room: bed"
        object_state.request_object_state(
            careful, row.pk, object_name=bed, state="on fire", issuer=Issuer(by="a researcher")
        )
        live(row, "2023-02-13T01:00", ports=careful)
        assert {one.stream for one in happened(row, Noticed)} == {ISABELLA}
        doing = agent_queries.actions_between(
            row.pk, ISABELLA, from_tick=0, to_tick=row.committed_tick
        )
        # She wakes, does something about it, and goes back to sleep.
        spells = groupby(action.asleep for action in doing)
        assert [asleep for asleep, _ in spells] == [True, False, True]

    def test_keeps_her_awake_whose_bed_burns_on(self, careful: Ports) -> None:
        nothing_done = answering({DECISION.name: lambda inputs, _chance: go_on(inputs)})
        row = found(agents=THREE)
        bed = "Isabella Rodriguez's apartment: main room: bed"
        object_state.request_object_state(
            nothing_done,
            row.pk,
            object_name=bed,
            state="on fire",
            issuer=Issuer(by="a researcher"),
        )
        live(row, "2023-02-13T01:00", ports=nothing_done)
        doing = agent_queries.actions_between(
            row.pk, ISABELLA, from_tick=0, to_tick=row.committed_tick
        )
        assert len(doing) < 20

    def test_happens_alike_in_any_order_of_work(self, careful: Ports) -> None:
        histories = set()
        for manner, delays in ((LOCK_STEP, None), (EIGHT_THREADS, 3)):
            row = found(agents=THREE)
            set_on_fire(row, careful)
            ports = careful if delays is None else with_delays(delays, ports=careful)
            live(row, EIGHT, manner, ports=ports)
            histories.add(history_of(row.pk))
            assert check(wiring.event_store(), row.pk).problems == ()
        assert len(histories) == 1

    def test_set_without_a_time_is_seen_by_nobody_too_late(self, careful: Ports) -> None:
        # Set while she is up and about: from the first tick on that nobody has looked at.
        row = found(agents=THREE)
        live(row, BREAKFAST, EIGHT_THREADS, ports=careful)
        object_state.request_object_state(
            careful, row.pk, object_name=STOVE, state="burning", issuer=Issuer(by="somebody")
        )
        live(row, EIGHT, EIGHT_THREADS, ports=careful)
        [burning] = happened(row, ObjectStateSet)
        seen = [
            one.tick
            for one in happened(row, Noticed)
            if any(sight.description == "burning" for sight in one.event.sights)
        ]
        assert seen[0] == burning.tick + 1


class TestRefusals:
    def test_name_the_mend(self, careful: Ports) -> None:
        row = found(agents=THREE)
        issuer = Issuer(by="somebody")

        def ask(words: str, state: str = "burning", issuer: Issuer = issuer) -> None:
            object_state.request_object_state(
                careful, row.pk, object_name=words, state=state, issuer=issuer
            )

        with pytest.raises(UnknownPlace):
            ask("the submarine")
        with pytest.raises(AmbiguousPlace):
            ask("stove")
        with pytest.raises(object_state.UnusableState, match="is no object"):
            ask("Hobbs Cafe")
        with pytest.raises(object_state.UnusableState, match="1 to 200 characters"):
            ask(STOVE, state="  ")
        live(row, "2023-02-13T00:10", ports=careful)
        with pytest.raises(TickPast):
            ask(STOVE, issuer=Issuer(by="somebody", at_tick=5))


class TestAnAlarm:
    @pytest.mark.parametrize(
        ("state", "alarming", "noticed"),
        [("en llamas", True, [ISABELLA]), ("on fire with colours", False, [])],
    )
    def test_is_what_a_user_says_it_is(
        self, careful: Ports, state: str, *, alarming: bool, noticed: list[str]
    ) -> None:
        # No word of English decides what is a danger; the user does.
        row = found(agents=THREE)
        object_state.request_object_state(
            careful,
            row.pk,
            object_name="Isabella Rodriguez's apartment: main room: bed",
            state=state,
            alarming=alarming,
            issuer=Issuer(by="a researcher"),
        )
        live(row, "2023-02-13T00:30", ports=careful)
        assert [one.stream for one in happened(row, Noticed)] == noticed
