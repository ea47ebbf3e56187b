"""The one statement that reads an agent's own stream, held to plain Python over the rows."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from apps import wiring
from apps.agents.events import ActionKind
from apps.agents.models import (
    ActionRow,
    AdmissionRow,
    DoorOpeningRow,
    SeenAgentRow,
    TurnedAwayRow,
)
from apps.dialogue.models import OverheardRow, TalkRow, UtteranceRow
from apps.dialogue.queries import open_commitments
from apps.kernel.game_time import FOREVER_TICK, MINUTES_PER_DAY
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.facts import Fact
from apps.memory.models import MemoryRow, RepetitionRow, SelfSummaryRow
from apps.memory.queries import current_facts, fact_versions
from apps.memory.rules import ROUTINE_IMPORTANCE
from apps.planning.models import PlanItemRow
from apps.reaction.models import WeighedRow
from apps.reflection.models import ReflectionRow
from apps.simulation.turn.context.context_reading import read_context
from apps.simulation.turn.context.own_stream import (
    KNOCKS_MAX,
    RESUMED_MINUTES,
    UNANSWERED_MINUTES,
)
from apps.simulation.turn.context.records import (
    ActionBeforeTalk,
    Admission,
    AgentRecords,
    DoneAction,
    EndedConversation,
    LetIn,
    PutOffTalk,
    RefusedUse,
)
from tests.support.towns import found, live

pytestmark = pytest.mark.django_db(transaction=True)

TICKS_PER_MINUTE = 6
PAUSE_MINUTES = 24 * 60
UNTIL = "2023-02-13T19:00"
LINS = ("John Lin", "Mei Lin", "Eddy Lin")


class Oracle:
    """The rows of one agent, and what they say as of the end of the tick before a turn."""

    def __init__(self, simulation_id: UUID, agent: str, tick: int) -> None:
        self._of_agent: dict[str, Any] = {"simulation_id": simulation_id, "agent": agent}
        self._tick, self._before = tick, tick - 1

    def _items(self, level: str) -> list[tuple[PlanItemRow, int]]:
        """Return the items of the level that hold this tick or come later, with their ends."""
        rows = PlanItemRow.objects.filter(
            **self._of_agent, level=level, valid_from_tick__lte=self._before
        )
        found = []
        for row in rows.order_by("from_tick", "number"):
            is_replaced = row.valid_to_tick is not None and row.valid_to_tick <= self._before
            kept = FOREVER_TICK if row.kept_to_tick is None else row.kept_to_tick
            ends = min(row.to_tick, kept) if is_replaced else row.to_tick
            if ends > max(row.from_tick, self._tick):
                found.append((row, ends))
        return found

    def hours(self) -> list[tuple[int, int, int]]:
        return [(row.number, row.from_tick, ends) for row, ends in self._items("hour")]

    def outline(self) -> list[tuple[int, int]]:
        """Return the chunks of the day up to the first revision, then its hours, and ends."""
        hours = self._items("hour")
        rows = PlanItemRow.objects.filter(
            **self._of_agent,
            day=hours[0][0].day if hours else "",
            valid_from_tick__lte=self._before,
        )
        planned = max(
            (row.valid_from_tick for row in rows if row.level == "outline"), default=0
        )
        revised = min(
            (
                row.from_tick
                for row in rows
                if row.level == "hour" and row.valid_from_tick > planned
            ),
            default=FOREVER_TICK,
        )
        found = []
        for row in rows.order_by("from_tick", "number"):
            is_replaced = row.valid_to_tick is not None and row.valid_to_tick <= self._before
            kept = (
                row.kept_to_tick
                if is_replaced and row.kept_to_tick is not None
                else FOREVER_TICK
            )
            ends = min(row.to_tick, kept, revised if row.level == "outline" else FOREVER_TICK)
            is_shown = row.level == "outline" or row.from_tick >= revised
            if ends > row.from_tick and is_shown and not (row.asleep or row.free):
                found.append((row.number, ends))
        return found

    def action(self) -> int | None:
        now = [row.number for row, _ in self._items("action") if row.from_tick <= self._tick]
        return now[-1] if now else None

    def next_plan_item(self) -> int:
        rows = PlanItemRow.objects.filter(**self._of_agent, valid_from_tick__lte=self._before)
        return max((row.number for row in rows), default=0) + 1

    def next_memory(self) -> int:
        return max((row.number for row in self._memories()), default=0) + 1

    def done(self) -> list[DoneAction]:
        items = {row.number: row for row in PlanItemRow.objects.filter(**self._of_agent)}
        since = self._tick - RESUMED_MINUTES * TICKS_PER_MINUTE
        whole = {self._undivided(), self._last_performed(items)}
        found = []
        for row in ActionRow.objects.filter(**self._of_agent).order_by("from_tick"):
            ends = FOREVER_TICK if row.to_tick is None else row.to_tick
            is_begun = row.from_tick <= self._before and ends > row.from_tick
            if row.kind == ActionKind.PLANNED.value and is_begun and row.plan_item:
                hour = items[items[row.plan_item].parent]
                if ends <= since and (hour.day, hour.description) not in whole:
                    continue
                found.append(
                    DoneAction(
                        description=row.description,
                        hour=hour.number,
                        continues=hour.continues,
                        hour_begins=hour.from_tick,
                        hour_ends=hour.to_tick,
                        activity=hour.description,
                        place=hour.place,
                        is_cut=self._is_cut(hour),
                        is_recent=ends > since,
                        from_tick=row.from_tick,
                        to_tick=min(ends, self._tick),
                        importance=items[row.plan_item].importance,
                        act=items[row.plan_item].act,
                        with_agents=items[row.plan_item].with_agents,
                    )
                )
        return found

    def _last_performed(self, items: dict[int, PlanItemRow]) -> tuple[str, str] | None:
        """Return day and activity of the latest planned action of the last day."""
        since = self._tick - MINUTES_PER_DAY * TICKS_PER_MINUTE
        rows = ActionRow.objects.filter(
            **self._of_agent, kind=ActionKind.PLANNED.value, from_tick__lte=self._before
        )
        hours = [
            items[items[row.plan_item].parent]
            for row in rows.order_by("from_tick")
            if row.plan_item and row.from_tick > since
        ]
        return (hours[-1].day, hours[-1].description) if hours else None

    def _is_cut(self, hour: PlanItemRow) -> bool:
        """Return whether a revision has ended the hour before its planned end."""
        if hour.valid_to_tick is None or hour.kept_to_tick is None:
            return False
        return hour.valid_to_tick <= self._before and hour.kept_to_tick < hour.to_tick

    def _undivided(self) -> tuple[str, str] | None:
        """Return day and activity of the hour of this tick if it has no action now."""
        begun = [row for row, _ in self._items("hour") if row.from_tick <= self._tick]
        if not begun or self.action() is not None:
            return None
        return begun[-1].day, begun[-1].description

    def put_off(self) -> list[PutOffTalk]:
        rows = WeighedRow.objects.filter(**self._of_agent, decisive=True).order_by("tick")
        since = self._tick - PAUSE_MINUTES * TICKS_PER_MINUTE
        latest = {row.subject: row for row in rows if since < row.tick <= self._before}
        talks = TalkRow.objects.filter(**self._of_agent, from_tick__lte=self._before)
        talked = {(talk.other, talk.from_tick) for talk in talks}
        return [
            PutOffTalk(other=row.subject, what=row.what)
            for row in sorted(latest.values(), key=lambda row: (row.tick, row.subject))
            if row.choice == "later"
            and not any(other == row.subject and tick > row.tick for other, tick in talked)
        ]

    def before_talk(self) -> ActionBeforeTalk | None:
        rows = ActionRow.objects.filter(**self._of_agent).order_by("from_tick")
        done = [
            ActionBeforeTalk(activity=row.description, kind=ActionKind(row.kind))
            for row in rows
            if row.from_tick <= self._before and row.kind != ActionKind.TALKING.value
        ]
        return done[-1] if done else None

    def refusals(self, since: int) -> list[RefusedUse]:
        rows = TurnedAwayRow.objects.filter(**self._of_agent).order_by("tick", "pk")
        return [
            RefusedUse(tick=row.tick, node=row.node, why=row.why)
            for row in rows
            if since <= row.tick <= self._before
        ]

    def admissions(self) -> list[Admission]:
        rows = AdmissionRow.objects.filter(**self._of_agent).order_by("node")
        return [
            Admission(node=row.node, host=row.host)
            for row in rows
            if row.from_tick <= self._before
            and (row.to_tick is None or row.to_tick > self._before)
        ]

    def unanswered(self) -> set[str]:
        since = self._tick - UNANSWERED_MINUTES * TICKS_PER_MINUTE
        nodes = [refused.node for refused in self.refusals(since)]
        return {node for node in nodes if nodes.count(node) >= KNOCKS_MAX}

    def decided_at(self) -> dict[str, int]:
        rows = WeighedRow.objects.filter(**self._of_agent).order_by("tick")
        since = self._tick - PAUSE_MINUTES * TICKS_PER_MINUTE
        return {row.subject: row.tick for row in rows if since <= row.tick <= self._before}

    def last_reflected(self) -> int | None:
        rows = ReflectionRow.objects.filter(**self._of_agent)
        return max((row.tick for row in rows if row.tick <= self._before), default=None)

    def importance(self) -> int:
        reflected = self.last_reflected()
        after = -1 if reflected is None else reflected - 1
        perceived = {
            row.number: row for row in self._memories() if row.perceived and self._is_rated(row)
        }
        formed = (row.rating for row in perceived.values() if row.formed_tick > after)
        repeated = (
            perceived[row.number].rating
            for row in RepetitionRow.objects.filter(**self._of_agent)
            if row.number in perceived and after < row.from_tick <= self._before
        )
        sights = SeenAgentRow.objects.filter(
            **self._of_agent, from_tick__gt=after, from_tick__lte=self._before
        )
        actions = ActionRow.objects.filter(
            **self._of_agent,
            kind=ActionKind.PLANNED.value,
            from_tick__gt=after,
            from_tick__lte=self._before,
        )
        behaviours = sights.count() + actions.count()
        return sum(formed) + sum(repeated) + ROUTINE_IMPORTANCE * behaviours

    def unrated(self) -> list[int]:
        return [row.number for row in self._memories() if not self._is_rated(row)]

    def _is_rated(self, row: MemoryRow) -> bool:
        return row.rated_tick is not None and row.rated_tick <= self._before

    def facts(self) -> tuple[tuple[Fact, ...], int]:
        facts = current_facts(**self._of_agent, as_of_tick=self._before)
        versions = fact_versions(**self._of_agent, as_of_tick=self._before)
        return facts, 1 + max(versions.values_list("number", flat=True))

    def summary_from(self) -> int | None:
        rows = SelfSummaryRow.objects.filter(**self._of_agent).order_by("from_tick")
        ticks = [row.from_tick for row in rows if row.from_tick <= self._before]
        return ticks[-1] if ticks else None

    def last_talk(self, other: str) -> EndedConversation | None:
        talks = TalkRow.objects.filter(**self._of_agent, other=other).order_by("-from_tick")
        for talk in talks:
            gists = [
                row.description
                for row in self._memories()
                if talk.to_tick in {row.formed_tick, *self._repeated_ticks(row)}
                and row.subject == other
                and row.kind == MemoryKind.DIALOGUE.value
                and row.origin == MemoryOrigin.CONVERSATION.value
            ]
            if gists and talk.to_tick is not None:
                said = tuple(self._said_today(other))
                return EndedConversation(
                    to_tick=talk.to_tick,
                    gist=gists[0],
                    said_today=said,
                    told=tuple(self._told(other)),
                )
        return None

    def _said_today(self, other: str) -> Iterator[str]:
        """Yield the own words to the other agent in talks of the first day that are over."""
        over = TalkRow.objects.filter(**self._of_agent, to_tick__lte=self._before)
        conversations = {talk.conversation for talk in over}
        rows = UtteranceRow.objects.filter(**self._of_agent, tick__lte=self._before)
        for row in rows.order_by("tick"):
            if row.conversation in conversations and other in (row.to, *row.participants):
                yield row.text

    def _told(self, other: str) -> list[str]:
        """Return the news that the agent has told the other one, the latest five."""
        rows = UtteranceRow.objects.filter(**self._of_agent, participants__contains=other)
        joined = {row.conversation for row in rows if row.tick <= self._before}
        numbers = {
            number
            for talk in TalkRow.objects.filter(**self._of_agent, to_tick__lte=self._before)
            if talk.other == other or talk.conversation in joined
            for number in talk.told
        }
        told = [row.description for row in self._memories() if row.number in numbers]
        return told[-5:]

    def _repeated_ticks(self, row: MemoryRow) -> list[int]:
        rows = RepetitionRow.objects.filter(**self._of_agent, number=row.number)
        return [one.from_tick for one in rows]

    def _memories(self) -> Iterator[MemoryRow]:
        rows = MemoryRow.objects.filter(**self._of_agent).order_by("number")
        return (row for row in rows if row.formed_tick <= self._before)


def test_the_statement_reads_admissions_and_knocks_in_vain() -> None:
    row = found(agents=LINS)
    of_john: dict[str, Any] = {"simulation_id": row.pk, "agent": "john-lin"}
    place = "Moreno family's house"
    visits = ((place, 40, 55), ("The Willows Market and Pharmacy", 20, None))
    for node, begins, ends in visits:
        AdmissionRow.objects.create(
            **of_john,
            node=node,
            host="tom-moreno",
            reason="let-in",
            from_tick=begins,
            to_tick=ends,
        )
    for tick, node in ((35, place), (50, place), (60, "Hobbs Cafe")):
        TurnedAwayRow.objects.create(**of_john, tick=tick, node=node, why="nobody opened")
    seen: list[AgentRecords] = []
    for tick in (1, 31, 41, 51, 56, 61, 395, 396, 411):
        context = read_context(
            wiring.ports(), simulation_id=row.pk, agent="john-lin", tick=tick
        )
        records, oracle = context.records, Oracle(row.pk, "john-lin", tick)
        assert list(records.admissions) == oracle.admissions()
        assert records.unanswered == oracle.unanswered()
        seen.append(records)
    assert max(len(records.admissions) for records in seen) == 2
    assert {records.unanswered for records in seen} == {frozenset(), frozenset({place})}


def test_the_statement_reads_whom_the_agent_has_let_in() -> None:
    row = found(agents=LINS)
    for tick, visitor in ((20, "tom-moreno"), (40, "jane-moreno")):
        DoorOpeningRow.objects.create(
            simulation_id=row.pk,
            agent="john-lin",
            tick=tick,
            node="Lin family's house",
            visitor=visitor,
            event=f"{tick}/john-lin/0",
        )
    tom, jane = (
        LetIn(visitor=visitor, node="Lin family's house", tick=tick)
        for tick, visitor in ((20, "tom-moreno"), (40, "jane-moreno"))
    )
    expected = {20: (), 21: (tom,), 38: (tom,), 39: (), 41: (jane,), 58: (jane,), 59: ()}
    for tick, let_in in expected.items():
        context = read_context(
            wiring.ports(), simulation_id=row.pk, agent="john-lin", tick=tick
        )
        assert context.records.let_in == let_in, tick


def test_the_statement_reads_the_plan_of_a_day_with_its_revisions() -> None:
    row = found(agents=LINS)
    plan = [  # number, parent, level, from, to, planned at, replaced at
        (1, 0, "outline", 0, 360, 1, None),
        (2, 0, "outline", 360, 1_080, 1, None),
        (3, 1, "hour", 0, 360, 1, None),
        (4, 2, "hour", 360, 720, 1, 500),
        (5, 2, "hour", 720, 1_080, 1, 500),
        (6, 2, "hour", 1_080, 2_000, 1, 500),
        (7, 2, "hour", 540, 700, 500, None),
        (8, 2, "hour", 700, 1_080, 500, 800),
        (9, 2, "hour", 1_080, 2_000, 500, 800),
        (10, 2, "hour", 900, 1_080, 800, None),
        (11, 2, "hour", 1_080, 2_000, 800, None),
    ]
    starts, free_hour = {500: 540, 800: 900}, 8
    PlanItemRow.objects.bulk_create(
        PlanItemRow(
            simulation_id=row.pk,
            agent="john-lin",
            number=number,
            parent=parent,
            day="2023-02-13",
            level=level,
            description=f"do {number}",
            place="Hobbs Cafe",
            asleep=begins >= 1_080,
            free=number == free_hour,
            from_tick=begins,
            to_tick=ends,
            planned_tick=planned,
            valid_from_tick=planned,
            valid_to_tick=replaced,
            kept_to_tick=max(begins, starts[replaced]) if replaced else None,
        )
        for number, parent, level, begins, ends, planned, replaced in plan
    )
    seen = {}
    for tick in (1, 2, 400, 501, 801, 1_500, 2_100):
        context = read_context(
            wiring.ports(), simulation_id=row.pk, agent="john-lin", tick=tick
        )
        seen[tick] = outline_of(context.records)
        assert seen[tick] == Oracle(row.pk, "john-lin", tick).outline()
    assert seen[1] == seen[2_100] == []
    assert seen[2] == seen[400] == [(1, 360), (2, 1_080)]
    assert seen[501] == [(1, 360), (2, 540), (7, 700)]
    assert seen[801] == seen[1_500] == [(1, 360), (2, 540), (7, 700), (10, 1_080)]


def test_the_statement_reads_what_is_overheard_until_it_is_over() -> None:
    row = found(agents=LINS)
    for number, (tick, agent, other) in enumerate(
        [
            (100, "mei-lin", "eddy-lin"),
            (110, "eddy-lin", "mei-lin"),
            (120, "mei-lin", "eddy-lin"),
        ],
        start=1,
    ):
        UtteranceRow.objects.create(
            simulation_id=row.pk,
            agent=agent,
            tick=tick,
            conversation="100/mei-lin",
            number=number,
            to=other,
            text=f"utterance {number}",
            ends=False,
            memories=[],
            event=f"{tick}/{agent}/0",
        )
    for tick, utterances, is_over in (
        (102, ["100/mei-lin/0"], False),
        (122, ["120/mei-lin/0"], False),
        (140, [], True),
    ):
        OverheardRow.objects.create(
            simulation_id=row.pk,
            agent="john-lin",
            tick=tick,
            conversation="100/mei-lin",
            utterances=utterances,
            is_over=is_over,
            event=f"{tick}/john-lin/0",
        )

    def overheard(tick: int) -> list[str]:
        context = read_context(
            wiring.ports(), simulation_id=row.pk, agent="john-lin", tick=tick
        )
        return [said.text for said in context.records.overheard]

    assert overheard(102) == []
    assert overheard(103) == ["utterance 1"]
    assert overheard(140) == ["utterance 1", "utterance 3"]
    assert overheard(141) == []


def outline_of(records: AgentRecords) -> list[tuple[int, int]]:
    return [(item.number, item.to_tick) for item in records.outline]


def test_counts_the_earlier_days_with_a_talk_at_this_time() -> None:
    row = live(found(agents=LINS), UNTIL)
    [*_, talk] = TalkRow.objects.filter(simulation_id=row.pk, agent="john-lin").order_by("pk")
    assert talk.to_tick is not None
    tick, day, minute = row.committed_tick, MINUTES_PER_DAY * 6, 6

    def same_time_days() -> int:
        context = read_context(
            wiring.ports(), simulation_id=row.pk, agent="john-lin", tick=tick
        )
        return context.records.last_talks[talk.other].same_time_days

    def add_talks(other: str, *begins: int) -> None:
        TalkRow.objects.bulk_create(
            TalkRow(
                simulation_id=row.pk,
                agent="john-lin",
                conversation=f"{begin}/john-lin",
                other=other,
                from_tick=begin,
                to_tick=begin + 5,
            )
            for begin in begins
        )

    assert same_time_days() == 0
    add_talks("eddy-lin" if talk.other == "mei-lin" else "mei-lin", tick - day)
    add_talks(talk.other, tick - day - 40 * minute, tick - 2 * day + 40 * minute)
    assert same_time_days() == 0, "with another agent, and at other times of day"
    add_talks(talk.other, tick - day + 15 * minute, tick - day - 15 * minute)
    assert same_time_days() == 1, "the two are on one day"
    add_talks(talk.other, tick - 3 * day)
    assert same_time_days() == 2


def test_the_statement_reads_what_the_rows_say() -> None:  # noqa: PLR0915 (all records)
    row = live(found(agents=LINS), UNTIL)
    seen_talks, seen_done = 0, 0
    for agent in ("john-lin", "mei-lin", "eddy-lin"):
        decided = WeighedRow.objects.filter(simulation_id=row.pk, agent=agent)
        ticks = {
            *range(1, row.committed_tick + 1, 211),
            *decided.values_list("tick", flat=True),
        }
        for tick in sorted(ticks):
            context = read_context(wiring.ports(), simulation_id=row.pk, agent=agent, tick=tick)
            records, oracle = context.records, Oracle(row.pk, agent, tick)
            assert [
                (hour.number, hour.from_tick, hour.to_tick) for hour in records.hours
            ] == oracle.hours()
            assert outline_of(records) == oracle.outline()
            action = records.action
            assert (action.number if action else None) == oracle.action()
            assert records.next_plan_item == oracle.next_plan_item()
            assert records.next_memory == oracle.next_memory()
            assert list(records.done) == oracle.done()
            assert list(records.put_off) == oracle.put_off()
            assert records.before_talk == oracle.before_talk()
            assert records.decided_at == oracle.decided_at()
            assert records.last_reflected == oracle.last_reflected()
            assert records.importance == oracle.importance()
            assert [memory.number for memory in records.unrated] == oracle.unrated()
            assert (records.facts, records.next_fact) == oracle.facts()
            summary = records.summary
            assert (summary.from_tick if summary else None) == oracle.summary_from()
            current = context.action.from_tick if context.action else tick
            now = records.hour_at(tick)
            begun = [one.from_tick for one in (action, now) if one is not None]
            since = min([current, *begun])
            assert list(records.refusals) == oracle.refusals(since)
            assert records.commitments == open_commitments(
                row.pk, agent, now=context.now, as_of_tick=tick - 1
            )
            for other, talk in records.last_talks.items():
                assert talk == oracle.last_talk(other)
            seen_talks += len(records.last_talks)
            seen_done += len(records.done)
    assert seen_talks, "no turn has read a conversation that is over: choose another time"
    assert seen_done, "no turn has read an action that was done: choose another time"
