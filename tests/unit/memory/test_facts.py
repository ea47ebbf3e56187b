"""Lasting facts: sorted from a description, revised by insights and conversations."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime

import pytest

from apps.agents.status import Standing, TieKind
from apps.kernel.game_time import GameCalendar
from apps.memory.commands import facts_of
from apps.memory.events import (
    FactChange,
    FactEstablished,
    FactKind,
    FactRevised,
    FactSource,
)
from apps.memory.facts import (
    Fact,
    changed_fact,
    lasting_facts,
    relationship_texts,
    relationship_to,
    with_events,
)
from apps.memory.llm_tasks.facts import FACTS, FactsInput, LastingFactsFound, Pursuit, Tie

CALENDAR, DAY = GameCalendar(datetime(1410, 3, 1), 10), 8_640
PHRASES = (
    "Ada Finch keeps the mill",
    "Ada Finch grinds flour from 8:00 am to 5:00 pm",
    "Ada Finch is carving a chess set",
    "Ada Finch bakes for the harvest supper",
    "Ada Finch has been married to Ben Holt for ten years",
    "Ada Finch loves Ben Holt",
    "Ada Finch has heard of Cora Vale, but has never met her",
)
OTHERS = {"Ben Holt": "ben-holt", "Cora Vale": "cora-vale", "Dan Ives": "dan-ives"}
INPUTS = FactsInput(
    agent_name="Ada Finch",
    today=date(1410, 3, 1),
    statements=PHRASES,
    others=tuple(OTHERS),
)
FOUND = LastingFactsFound(
    occupation=(1, 2),
    pursuits=(Pursuit(because_of=(3,)), Pursuit(because_of=(4,), until="1410-03-06")),
    routines=(2,),
    ties=(
        Tie(
            other="Ben Holt",
            tie=TieKind.PARTNER,
            standing=Standing.LOVE,
            because_of=(5, 6),
        ),
        Tie(
            other="Cora Vale",
            tie=TieKind.BY_NAME,
            standing=Standing.NEUTRAL,
            because_of=(7,),
        ),
    ),
)


def facts(found: LastingFactsFound = FOUND) -> dict[int, Fact]:
    return with_events((), facts_of(found, PHRASES, OTHERS))


def changed(
    change: FactChange, *, because_of: Sequence[int] = (90,), says: str = "it is so"
) -> FactEstablished | FactRevised | None:
    return changed_fact(
        facts(),
        change,
        sentence=says,
        evidence=tuple(because_of),
        source=FactSource.INSIGHT,
        next_number=7,
    )


class TestDescription:
    def test_facts_cite_the_phrases_and_keep_their_words(self) -> None:
        occupation, carving, _, grinding, ben, cora = facts().values()
        assert (occupation.statements, occupation.evidence) == (PHRASES[:2], (1, 2))
        assert carving.statements == (PHRASES[2],)
        assert (grinding.kind, grinding.statements) == (FactKind.ROUTINE, (PHRASES[1],))
        assert (ben.other, ben.tie, ben.standing) == (
            "ben-holt",
            TieKind.PARTNER,
            Standing.LOVE,
        )
        assert cora.tie is TieKind.BY_NAME

    def test_a_pursuit_for_an_event_ends_with_it(self) -> None:
        before = lasting_facts(facts().values(), CALENDAR, 5 * DAY)
        after = lasting_facts(facts().values(), CALENDAR, 6 * DAY)
        assert before.pursuits == (PHRASES[2], PHRASES[3])
        assert after.pursuits == (PHRASES[2],)
        assert after.occupation == PHRASES[:2]

    @pytest.mark.parametrize(
        "until", ["1410-03-06T17:00", "1410-03-06 17:00", "1410-03-06T17:00Z", "1410-03-06T17"]
    )
    def test_an_end_is_a_game_time_in_each_form_of_an_answer(self, until: str) -> None:
        supper = Pursuit(because_of=(4,), until=until)
        found = FOUND.model_copy(update={"pursuits": (supper,)})
        assert FACTS.check is not None
        FACTS.check(INPUTS, found)
        pursuit = next(one for one in facts(found).values() if one.kind is FactKind.PURSUIT)
        assert (pursuit.until, pursuit.ends) == ("1410-03-06T17:00", datetime(1410, 3, 6, 17))

    def test_a_pursuit_ends_at_the_time_of_its_event_if_it_is_known(self) -> None:
        supper = Pursuit(because_of=(4,), until="1410-03-06T17:00")
        timed = facts(FOUND.model_copy(update={"pursuits": (supper,)})).values()
        ends = CALENDAR.tick_at(datetime(1410, 3, 6, 17))
        assert lasting_facts(timed, CALENDAR, ends - 1).pursuits == (PHRASES[3],)
        assert lasting_facts(timed, CALENDAR, ends).pursuits == ()

    def test_routines_shape_days_besides_what_lasts(self) -> None:
        lasting = lasting_facts(facts().values(), CALENDAR, 0)
        assert lasting.routines == (PHRASES[1],)
        assert lasting.of_days == PHRASES[:4], "each once"

    def test_a_second_tie_to_the_same_agent_is_left_out(self) -> None:
        twice = replace_ties(FOUND, (*FOUND.ties, FOUND.ties[0]))
        assert len(facts(twice)) == len(facts())

    def test_the_prompt_quotes_the_phrases_and_offers_the_names_in_them(self) -> None:
        asked = FACTS.prompt(INPUTS)[1].content
        assert "5. Ada Finch has been married to Ben Holt for ten years" in asked
        assert FACTS.offered(INPUTS)["others"] == ("Ben Holt", "Cora Vale")
        assert FACTS.lengths is not None
        assert FACTS.lengths(INPUTS)["ties"] == (0, 2)
        called = replace(INPUTS, statements=("Ada Finch teases Dan's sister",))
        assert FACTS.offered(called)["others"] == ("Dan Ives",)

    @pytest.mark.parametrize(
        ("answer", "message"),
        [
            (LastingFactsFound(occupation=(8,), pursuits=(), ties=()), "7"),
            (
                LastingFactsFound(
                    occupation=(1,),
                    pursuits=(Pursuit(because_of=(4,), until="the harvest"),),
                    ties=(),
                ),
                "YYYY-MM-DD",
            ),
        ],
    )
    def test_rejects_unknown_numbers_and_dates(
        self, answer: LastingFactsFound, message: str
    ) -> None:
        assert FACTS.check is not None
        with pytest.raises(ValueError, match=message):
            FACTS.check(INPUTS, answer)

    def test_the_fallback_knows_whom_the_phrases_name(self) -> None:
        found = FACTS.fallback(INPUTS)
        assert [(tie.other, tie.because_of) for tie in found.ties] == [
            ("Ben Holt", (5, 6)),
            ("Cora Vale", (7,)),
        ]


class TestRevision:
    def test_an_opinion_leaves_what_the_other_agent_is(self) -> None:
        change = FactChange(
            kind=FactKind.RELATIONSHIP, other="ben-holt", standing=Standing.COOL
        )
        event = changed(change, says="Ada Finch is angry with Ben Holt since March 3")
        assert isinstance(event, FactRevised)
        ben = relationship_to(with_events(facts().values(), [event]).values(), "ben-holt")
        assert ben is not None
        assert (ben.tie, ben.standing) == (TieKind.PARTNER, Standing.COOL)
        assert relationship_texts(replace(ben, since=2 * DAY), CALENDAR.time_at) == (
            *PHRASES[4:6],
            "Sat 3 Mar: Ada Finch is angry with Ben Holt since March 3",
        )

    def test_another_tie_replaces_the_words(self) -> None:
        change = FactChange(kind=FactKind.RELATIONSHIP, other="cora-vale", tie=TieKind.FRIEND)
        event = changed(change, says="Ada Finch and Cora Vale are friends")
        assert isinstance(event, FactRevised)
        assert event.statements == ("Ada Finch and Cora Vale are friends",)
        assert (event.tie, event.opinion) == (TieKind.FRIEND, "")

    def test_somebody_new_becomes_an_acquaintance(self) -> None:
        event = changed(FactChange(kind=FactKind.RELATIONSHIP, other="dan-ives"))
        assert isinstance(event, FactEstablished)
        assert (event.number, event.tie) == (7, TieKind.ACQUAINTANCE)
        assert (event.standing, event.evidence) == (Standing.NEUTRAL, (90,))

    def test_a_pursuit_is_known_by_its_number(self) -> None:
        ended = changed(FactChange(kind=FactKind.PURSUIT, number=2, ends=True))
        assert isinstance(ended, FactRevised)
        assert (ended.number, ended.ended) == (2, True)
        left = with_events(facts().values(), [ended]).values()
        assert lasting_facts(left, CALENDAR, 0).pursuits == (PHRASES[3],)
        until = FactChange(kind=FactKind.PURSUIT, until="1410-04-01T10:00:00")
        new = changed(until, because_of=(3,), says="Ada Finch is learning Latin")
        assert isinstance(new, FactEstablished), "it rests on a phrase of another pursuit"
        assert (new.number, new.until) == (7, "1410-04-01T10:00")

    def test_a_revised_pursuit_keeps_its_end_and_may_get_another_one(self) -> None:
        feast = next(one for one in facts().values() if one.until)
        change = FactChange(kind=FactKind.PURSUIT, number=feast.number)
        says = "Ada Finch prepares a smaller feast"
        for until, expected in (("", "1410-03-06"), ("1410-03-08", "1410-03-08")):
            event = changed(replace(change, until=until), says=says)
            assert isinstance(event, FactRevised)
            assert event.until == expected
            held = {
                number: replace(one, since=2 * DAY)
                for number, one in with_events(facts().values(), [event]).items()
            }
            revised = lasting_facts(held.values(), CALENDAR, 2 * DAY).pursuits[-1]
            assert revised == f"Sat 3 Mar: {says}"
        assert says not in str(lasting_facts(held.values(), CALENDAR, 9 * DAY).pursuits)

    def test_the_occupation_is_one(self) -> None:
        event = changed(FactChange(kind=FactKind.OCCUPATION), says="Ada Finch has let the mill")
        assert isinstance(event, FactRevised)
        assert event.number == 1
        assert event.statements == ("Ada Finch has let the mill",)

    def test_nothing_is_recorded_where_nothing_changes(self) -> None:
        again = FactChange(kind=FactKind.OCCUPATION)
        once = changed(again)
        assert isinstance(once, FactRevised)
        same = changed_fact(
            with_events(facts().values(), [once]),
            again,
            sentence="it is so",
            evidence=(91,),
            source=FactSource.INSIGHT,
            next_number=6,
        )
        assert same is None
        assert changed(FactChange(kind=FactKind.PURSUIT, ends=True)) is None


def replace_ties(found: LastingFactsFound, ties: Sequence[Tie]) -> LastingFactsFound:
    return found.model_copy(update={"ties": tuple(ties)})
