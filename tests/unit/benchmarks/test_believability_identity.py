"""The counts of ties, greetings, summaries and outlines, on records written by hand."""

from apps.memory.models import SelfSummaryRow
from apps.reaction.models import WeighedRow
from benchmarks.believability.later_figures import (
    identity_figures,
    outline_figures,
    summary_figures,
)
from tests.unit.benchmarks.village import (
    ADA,
    BEN,
    CID,
    PEOPLE,
    call,
    plan,
    said,
    talk,
    tick,
    village,
)
from tools.day_figures.identity_figures import (
    greeting_figures,
    tie_figures,
)
from tools.day_figures.run_record import REACTION, UTTERANCE, ties_of

TIES = ties_of(PEOPLE)
KNOWN = "Ada is at the oven. Ada Finch is married to Ben Marsh."
DIALOGUE, REACTING = "seed tie in the dialogue prompt, %", "seed tie in the reaction prompt, %"
STRANGE = "stranger's greetings to an agent with a seed tie"


def weighed(subject: str, when: int) -> WeighedRow:
    return WeighedRow(agent=ADA, subject=subject, tick=when, choice="go on", decisive=False)


def test_a_tie_is_a_seed_that_names_another_agent() -> None:
    assert TIES == {(ADA, BEN): ("is married to Ben Marsh",)}


def test_dialogue_prompts_with_the_tie_are_counted_for_tied_agents_only() -> None:
    nine, ten, eleven = (tick(clock) for clock in ("9:00", "10:00", "11:00"))
    town = village(
        utterances=[
            said(ADA, BEN, "Hi.", nine),
            said(ADA, BEN, "Hi.", ten),
            said(ADA, CID, "Hi.", eleven),
        ],
        calls=[
            call(ADA, nine, UTTERANCE, KNOWN),
            call(ADA, ten, UTTERANCE, "Ben Marsh is here."),
            call(ADA, eleven, UTTERANCE, KNOWN),
        ],
    )
    assert tie_figures(town, TIES)[DIALOGUE] == [50.0, None]


def test_a_reaction_counts_for_each_tied_agent_that_it_lists() -> None:
    nine, later = tick("9:00"), tick("9:00", day=2)
    town = village(
        weighed=[weighed(BEN, nine), weighed(CID, nine), weighed(BEN, later)],
        calls=[call(ADA, nine, REACTION, KNOWN), call(ADA, later, REACTION, "nothing")],
    )
    assert tie_figures(town, TIES)[REACTING] == [100.0, 0.0]


def test_greetings_of_strangers_count_for_known_agents_only() -> None:
    town = village(
        utterances=[
            *talk(
                tick("9:00"), (ADA, BEN, "I don't think we've met."), (BEN, ADA, "But, Ada!")
            ),
            *talk(tick("9:30"), (ADA, CID, "I'm Ada Finch."), (CID, ADA, "Nice to meet you.")),
            *talk(tick("9:00", day=2), (ADA, BEN, "Hello, Ben."), (BEN, ADA, "Hello.")),
            *talk(tick("9:30", day=2), (ADA, CID, "Have we met?")),
        ]
    )
    figures = greeting_figures(town, TIES)
    assert figures[STRANGE] == [1, 0]
    assert figures["first words to an agent with a seed tie"] == [1, 1]
    assert figures["stranger's greetings to an agent talked with before"] == [0, 1]


def test_a_summary_names_the_occupation_by_the_first_seed_or_long_work() -> None:
    texts = (
        "Ada Finch is the owner of a cafe.",  # from "owns the Mill Cafe"
        "Ada is often baking bread.",
        "Ada is married to Ben Marsh. Ada is at the Mill Cafe.",
        "Ada thinks of the party.",
    )
    rows = [
        SelfSummaryRow(agent=ADA, from_tick=tick("9:00") + number, text=text)
        for number, text in enumerate(texts)
    ]
    figures = summary_figures(village(summaries=rows))
    assert figures["self-summaries that name the occupation, %"] == [50.0, None]


def test_pursuits_and_fillers_of_the_first_outline_of_a_day() -> None:
    six = tick("6:00")
    plans = [
        plan(ADA, 1, "wake up, then from 8:00 am write the cookbook", six),
        plan(ADA, 2, "check the news, then from 1:00 pm have lunch", six),
        plan(ADA, 3, "go on with the bread", six),
        plan(ADA, 4, "sit about", six, free=True),
        plan(ADA, 6, "go on serving customers", six),
        plan(ADA, 5, "write the cookbook", six, valid_from_tick=six + 900),
    ]
    figures = outline_figures(village(plans=plans))
    assert figures["own pursuits per outline"] == [2, None]
    assert figures["fillers per outline"] == [2, None]


def test_outlines_are_compared_with_the_day_before() -> None:
    one, two = tick("6:00"), tick("6:00", day=2)
    plans = [
        plan(ADA, 1, "bake, then from 8:00 am write", one),
        plan(ADA, 2, "bake, then from 9:00 am swim", two),
        plan(BEN, 1, "turn pots", one),
        plan(BEN, 2, "turn pots", two),
    ]
    figures = outline_figures(village(plans=plans))
    assert figures["outline and that of the day before, Jaccard"] == [None, 0.67]
    assert figures["outlines word for word as the day before"] == [None, 1]


def test_nothing_is_counted_after_the_last_day() -> None:
    late = tick("9:00", day=2)
    town = village(
        days=1,
        utterances=[said(ADA, BEN, "Have we met?", late)],
        calls=[call(ADA, late, UTTERANCE, KNOWN)],
        plans=[plan(ADA, 1, "go on writing", late)],
    )
    figures = identity_figures(town)
    assert figures[DIALOGUE] == [None]
    assert figures[STRANGE] == [0]
    assert figures["own pursuits per outline"] == [None]
