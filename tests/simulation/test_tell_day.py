"""`manage.py tell_day` says what the rows of a run say (of three people, to after lunch)."""

import re
from datetime import datetime
from io import StringIO
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from apps import wiring
from apps.agents.events import PlacesLearnt, TurnedAway
from apps.agents.models import ActionRow
from apps.eventlog.models import EventRow
from apps.eventlog.store import NewEvent
from apps.history.agent_days import plan_of_day
from apps.kernel.game_time import format_clock
from apps.llm.models import ModelCallRow
from apps.memory import queries as memory_queries
from apps.simulation import queries
from apps.simulation.models import SimulationRow
from tests.support.snapshots import simulated
from tests.support.towns import THREE, shared_fixture

pytestmark = pytest.mark.django_db

AFTER_LUNCH = "2023-02-13T13:40"
DAY = "2023-02-13"
ISABELLA, KLAUS = "isabella-rodriguez", "klaus-mueller"


lived = shared_fixture(lambda: simulated(AFTER_LUNCH))
"""Three people of Smallville who have met at lunch."""


def told(row: SimulationRow, *agents: str, day: str | None = None) -> str:
    """Return what the command prints."""
    out = StringIO()
    call_command("tell_day", str(row.pk), *agents, *(["--day", day] if day else []), stdout=out)
    return out.getvalue()


class TestTellDay:
    @pytest.mark.parametrize("agent", [ISABELLA, KLAUS])
    def test_tells_every_deed_of_the_day_and_no_other(
        self, lived: SimulationRow, agent: str
    ) -> None:
        story = told(lived, agent).partition("## What was planned")[0]
        of_others = set(deeds_of(lived, KLAUS if agent == ISABELLA else ISABELLA))
        deeds = deeds_of(lived, agent)
        assert len(deeds) > 20
        place = 0
        for deed in deeds:
            place = story.index(deed, place)  # in the order in which they were done
        sentences = re.findall(r" spent ([^.]+)\.", story)
        assert sentences
        for foreign in of_others - set(deeds):
            assert not [one for one in sentences if foreign in one]

    def test_tells_the_plan(self, lived: SimulationRow) -> None:
        tree = plan_of_day(lived.pk, ISABELLA, day=DAY, as_of_tick=lived.committed_tick)
        assert tree is not None
        story = told(lived, ISABELLA)
        begun = [
            branch for branch in tree.branches if branch.item.from_tick < lived.committed_tick
        ]
        for branch in tree.branches:
            assert branch.item.description in story
        headings = re.findall(r"^## (\d+:\d\d [ap]m): (.*)$", story, re.MULTILINE)
        assert headings == [
            (clock_at(lived, branch.item.from_tick), branch.item.description)
            for branch in begun
        ]

    def test_tells_whom_the_person_noticed(self, lived: SimulationRow) -> None:
        story = told(lived, KLAUS)
        seen = [
            row
            for row in memory_queries.list_memories(
                lived.pk, KLAUS, as_of_tick=lived.committed_tick
            )
            if row.subject == ISABELLA and row.perceived
        ]
        assert seen
        first = seen[-1]
        doing = first.description.removeprefix("Isabella Rodriguez is ")
        at = clock_at(lived, first.formed_tick)
        assert f"Klaus noticed Isabella Rodriguez {doing} ({at})" in story
        assert "noticed Maria Lopez" not in story

    def test_ends_where_the_log_is_committed(self, lived: SimulationRow) -> None:
        SimulationRow.objects.filter(pk=lived.pk).update(committed_tick=2_700)
        story = told(lived, ISABELLA)
        assert "7:30 am, " in story
        assert "8:00 am: " not in story.partition("## What was planned")[0]

    def test_tells_what_turned_somebody_away_and_what_was_new(
        self, lived: SimulationRow
    ) -> None:
        tick = lived.committed_tick
        say(lived, tick + 1, PlacesLearnt(nodes=("Johnson Park", "Johnson Park: park")))
        say(lived, tick + 2, TurnedAway(node="Hobbs Cafe: cafe", why="Hobbs Cafe is closed"))
        before = told(lived, KLAUS)
        assert "Hobbs Cafe is closed" not in before
        SimulationRow.objects.filter(pk=lived.pk).update(committed_tick=tick + 10)
        after = told(lived, KLAUS)
        assert f"- {clock_at(lived, tick + 2)}: Hobbs Cafe is closed" in after
        assert "Johnson Park and the park of Johnson Park, not known before" in after

    def test_is_the_same_for_the_same_seed(self, lived: SimulationRow) -> None:
        # Whoever tells it again after the same run need change no file.
        story = told(lived, ISABELLA)
        assert story == told(lived, "Isabella Rodriguez", day=DAY)
        assert str(lived.pk) not in story
        assert "seed 7" in story

    def test_writes_files_that_can_be_written_again(
        self, lived: SimulationRow, tmp_path: Path
    ) -> None:
        folder = tmp_path / "docs" / "stories"
        for _ in range(2):
            call_command("tell_day", str(lived.pk), *THREE[:2], write=folder, stdout=StringIO())
        assert sorted(file.name for file in folder.iterdir()) == [
            f"{ISABELLA}.md",
            f"{KLAUS}.md",
        ]
        assert (folder / f"{KLAUS}.md").read_text() == told(lived, KLAUS)

    def test_tells_days_in_a_row(self, lived: SimulationRow, tmp_path: Path) -> None:
        alone = told(lived, KLAUS)
        call_command(
            "tell_day", str(lived.pk), KLAUS, days=1, write=tmp_path, stdout=StringIO()
        )
        assert (tmp_path / f"{KLAUS}.md").read_text() == alone
        with pytest.raises(CommandError, match=f"the latest day is {DAY}"):
            call_command("tell_day", str(lived.pk), KLAUS, days=2, write=tmp_path)
        with pytest.raises(CommandError, match="--days is 1 or more, not 0"):
            call_command("tell_day", str(lived.pk), KLAUS, days=0)

    def test_refuses_what_there_is_not(self, lived: SimulationRow) -> None:
        with pytest.raises(CommandError, match="there is no agent 'mayor'"):
            told(lived, "Mayor")
        with pytest.raises(CommandError, match=f"did you mean '{ISABELLA}'"):
            told(lived, "Isabella")
        with pytest.raises(CommandError, match=f"the latest day is {DAY}"):
            told(lived, KLAUS, day="2023-02-14")
        with pytest.raises(CommandError, match="there is no simulation"):
            call_command("tell_day", str(uuid4()), KLAUS)


def deeds_of(row: SimulationRow, agent: str) -> list[str]:
    """Return what the person did since waking, walks left out, as the rows have it."""
    rows = ActionRow.objects.filter(
        simulation_id=row.pk, agent=agent, asleep=False, towards=""
    ).order_by("from_tick")
    begun = rows.filter(from_tick__lt=row.committed_tick)
    return list(begun.values_list("description", flat=True))


def say(row: SimulationRow, tick: int, event: PlacesLearnt | TurnedAway) -> None:
    """Append an event to Klaus's stream, later than all that he has done."""
    latest = EventRow.objects.filter(simulation_id=row.pk, stream=KLAUS).latest("position")
    assert latest.tick < tick
    wiring.event_store().append(
        simulation_id=row.pk, tick=tick, stream=KLAUS, events=[NewEvent(event=event)]
    )


def clock_at(row: SimulationRow, tick: int) -> str:
    time: datetime = queries.calendar_of(row.pk).time_at(tick)
    return format_clock(time)


class TestPrompts:
    def test_are_those_of_all_calls_of_the_day(
        self, lived: SimulationRow, tmp_path: Path
    ) -> None:
        file = tmp_path / "prompts.md"
        call_command("tell_prompts", str(lived.pk), "Isabella Rodriguez", write=file)
        text = file.read_text("utf-8")
        calls = ModelCallRow.objects.filter(simulation_id=lived.pk, stream=ISABELLA)
        assert re.findall(r"^## .*: (\S+) \(\S+\)$", text, re.M) == [
            call.task for call in calls.order_by("tick", "id")
        ]
        outline = calls.get(task="planning.day_outline")
        assert outline.messages[1]["content"].rstrip() in text
        assert text.count(outline.messages[0]["content"].rstrip()) == 1

    def test_of_an_unknown_simulation_are_an_error(self) -> None:
        with pytest.raises(CommandError, match="no simulation"):
            call_command("tell_prompts", str(uuid4()), "Isabella Rodriguez")
