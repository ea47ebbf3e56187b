"""The counts of talks, events, deeds, costs and the world, on records written by hand."""

from typing import Any
from uuid import uuid4

import pytest

from apps.world.tree import Node, NodeKind, WorldTree
from benchmarks.believability.cost_figures import cost_figures, cpu_figures
from benchmarks.believability.deed_figures import deed_figures
from benchmarks.believability.event_figures import event_figures, events_of, is_past
from benchmarks.believability.later_figures import talk_figures
from benchmarks.believability.world_figures import segment_at, world_figures
from tests.unit.benchmarks.village import (
    ADA,
    BEN,
    CID,
    HALL,
    KITCHEN,
    TREE,
    action,
    agreed,
    call,
    plan,
    reflection,
    said,
    talk,
    tick,
    village,
)
from tools.day_figures.run_record import named_stems

SAME_TIME = "same pair within 15 minutes of an earlier day, %"
STAYS = "goodbye, and all still in the room ten minutes later, %"
GOES = "announces to leave and stays ten minutes, %"
SERVED = "actions for a customer or guest with one in the place, %"
SMALLVILLE = WorldTree(
    [
        Node(path="", name="Smallville", kind=NodeKind.TOWN, parent=None),
        Node(path="a", name="a", kind=NodeKind.PLACE, parent=""),
        Node(path="a: b", name="b", kind=NodeKind.AREA, parent="a"),
        Node(path="a: b: stove", name="stove", kind=NodeKind.OBJECT, parent="a: b"),
    ]
)


def hello(when: int, one: str = ADA, other: str = BEN) -> list[Any]:
    return talk(when, (one, other, "Hello."), (other, one, "I have to go. Bye."))


def test_a_pair_repeats_a_talk_at_the_same_time_of_an_earlier_day_only() -> None:
    town = village(
        utterances=[
            *hello(tick("9:00")),
            *hello(tick("9:10")),
            *hello(tick("9:14", day=2)),
            *hello(tick("9:16", day=2), BEN, CID),
            *hello(tick("9:30", day=2)),
        ]
    )
    assert talk_figures(town)[SAME_TIME] == [0.0, 33.3]


def test_goodbye_and_stay_needs_all_speakers_in_one_room() -> None:
    together = village(utterances=hello(tick("9:00")), areas={ADA: HALL, BEN: HALL})
    apart = village(utterances=hello(tick("9:00")), areas={ADA: HALL, BEN: KITCHEN})
    outdoors = village(utterances=hello(tick("9:00")))
    assert talk_figures(together)[STAYS] == [100.0, None]
    assert talk_figures(apart)[STAYS] == [0.0, None]
    assert talk_figures(outdoors)[STAYS] == [None, None]
    assert talk_figures(together)[GOES] == [100.0, None]


def test_who_leaves_within_ten_minutes_has_said_so_truly() -> None:
    gone = tick("9:05")
    town = village(utterances=hello(tick("9:00")))
    rooms = {ADA: HALL, BEN: HALL}

    def area_at(agent: str, at: int) -> str:
        return KITCHEN if agent == BEN and at >= gone else rooms.get(agent, "")

    object.__setattr__(town, "area_at", area_at)
    assert talk_figures(town)[STAYS] == [0.0, None]
    assert talk_figures(town)[GOES] == [0.0, None]


@pytest.mark.parametrize(
    ("to", "words", "when", "kept"),
    [
        (CID, "The bridge has collapsed, you know.", tick("20:00"), 100.0),
        (CID, "Nice weather, isn't it?", tick("20:00"), 0.0),
        (ADA, "The bridge has collapsed, you know.", tick("20:00"), 0.0),
        (CID, "The bridge has collapsed, you know.", tick("20:00", day=2), 0.0),
    ],
)
def test_a_promise_is_kept_by_telling_somebody_else(
    to: str, words: str, when: int, kept: float
) -> None:
    town = village(
        utterances=[
            *talk(
                tick("9:00"),
                (ADA, BEN, "The bridge collapsed."),
                (BEN, ADA, "I'll pass it on."),
            ),
            said(BEN, to, words, when, "later"),
        ]
    )
    assert talk_figures(town)["promises to pass something on, kept, %"] == [kept, None]


def test_an_event_is_named_by_its_noun_or_by_two_words() -> None:
    town = village(
        commitments=[
            agreed("come to Ada Finch's garden party at the Mill Cafe", "20:00"),
            agreed("repair the wobbly bridge", "21:00"),
            agreed("have lunch with Ada Finch", "22:00"),
            agreed("cross the deep river", "23:00", declined=True),
        ]
    )
    stems = named_stems(town)
    harvest, party, bridge = events_of(town, stems)
    assert (harvest.noun, harvest.ends) == ("party", tick("19:00"))
    assert (party.noun, party.ends) == ("party", tick("20:00"))
    assert bridge.noun == ""
    assert bridge.is_in("The bridge was repaired.", stems)
    assert not bridge.is_in("The bridge is long.", stems)
    assert party.is_in("What a party!", stems)


@pytest.mark.parametrize(
    ("sentence", "past"),
    [
        ("How was the party?", True),
        ("We danced at Ada's party yesterday.", True),
        ("Thank you for the party.", True),
        ("Clean up after the party", True),
        ("Ben declined to come to the party.", True),
        ("How is your party going?", False),
        ("Ada is planning a party.", False),
        ("I was invited: will you come to the party?", False),
        ("Go on gathering what the party needs", False),
    ],
)
def test_the_tense_of_a_sentence(sentence: str, past: bool) -> None:
    assert is_past(sentence) is past


def test_events_count_after_their_end_and_not_while_another_is_to_come() -> None:
    over, later = tick("20:00"), tick("9:00", day=2)
    mentions = [
        said(ADA, BEN, "My party is today.", tick("9:00"), "a"),
        said(ADA, BEN, "The party was fine. It is late.", over, "b"),
        said(BEN, ADA, "How is the party going?", later, "c"),
        said(BEN, ADA, "The bridge is old.", later, "d"),
    ]
    plans = [plan(ADA, 1, "go on planning the party", later)]
    thoughts = [reflection(ADA, later, ["Ada Finch enjoyed the party", "Ada Finch bakes"])]
    town = village(utterances=mentions, plans=plans, reflections=thoughts)
    figures = event_figures(town)
    assert figures["mentions of past events in talk"] == [1, 1]
    assert figures["mentions of past events in talk, as past, %"] == [100.0, 0.0]
    assert figures["plans that mention a past event, as past, %"] == [None, 0.0]
    about = "thoughts and self-summaries that mention a past event"
    assert figures[about] == [0, 1]
    assert figures[f"{about}, as past, %"] == [None, 100.0]
    town = village(
        utterances=mentions,
        commitments=[
            agreed("come to the garden party", "22:00", "2023-02-14"),
            agreed("repair the old bridge", "21:00"),
        ],
    )
    assert event_figures(town)["mentions of past events in talk"] == [0, 1]


def test_joint_actions_have_their_participants_in_the_room() -> None:
    nine = tick("9:00")
    items = {"level": "action", "parent": 1, "with_agents": [BEN]}
    town = village(
        plans=[plan(ADA, 7, "eating", nine, **items)],
        actions={ADA: [action("eating", nine, nine + 60, plan_item=7)]},
        areas={BEN: HALL},
    )
    alone = village(plans=town.plans, actions=town.actions, areas={BEN: KITCHEN})
    name = "actions with participants that are joint, %"
    assert deed_figures(town)[name] == [100.0, None]
    assert deed_figures(alone)[name] == [0.0, None]


def test_together_needs_another_one_who_does_it_at_the_time() -> None:
    six, seven = tick("18:00"), tick("19:00")
    actions = {
        ADA: [
            action("eating the dinner together", six, six + 60),
            action("resting", six + 60, 0),
        ],
        BEN: [action("eating the soup", six + 30, seven), action("eating together", seven, 0)],
        CID: [action("reading", six, 0)],
    }
    figures = deed_figures(village(actions=actions))
    assert figures['actions "together"'] == [2, 0]
    assert figures['actions "together" with somebody who does it too, %'] == [50.0, None]


def test_a_customer_is_served_by_a_keeper_and_must_be_there() -> None:
    nine = tick("9:00")
    deeds = [
        action("serving a customer", nine, nine + 60),
        action("sitting in the customer seating", nine + 60, nine + 120),
        action("waiting for customers", nine + 120, nine + 180),
    ]
    there = village(actions={ADA: deeds, BEN: deeds}, areas={BEN: KITCHEN})
    empty = village(actions={ADA: deeds, BEN: deeds})
    assert deed_figures(there)["actions for a customer or guest"] == [1, 0]
    assert deed_figures(there)[SERVED] == [100.0, None]
    assert deed_figures(empty)[SERVED] == [0.0, None]


def test_costs_are_sums_and_sizes_of_each_day() -> None:
    calls = [call(ADA, tick("9:00"), "dialogue.utterance", tokens=n) for n in (100, 300)]
    figures = cost_figures(village(calls=[*calls, call(ADA, tick("9:00", day=2), "other")]))
    assert figures["model calls"] == [2, 1]
    assert figures["tokens, thousands"] == [0.4, 0.1]
    assert figures["tokens of a prompt of dialogue.utterance, mean"] == [200, None]
    assert figures["tokens of a prompt, 95th percentile"] == [470, None]


def test_cpu_is_known_of_days_that_were_run_one_by_one() -> None:
    key, days = uuid4(), village(days=3).days
    reports = [
        {"simulation": str(key), "ticks": days.begins(1), "cpu_seconds": 10.0},
        {"simulation": str(uuid4()), "ticks": days.begins(1), "cpu_seconds": 99.0},
        {"simulation": str(key), "ticks": 8_000, "cpu_seconds": 7.0},
        {"simulation": str(key), "ticks": 640, "cpu_seconds": 1.0},
        {"simulation": str(key), "ticks": 100, "cpu_seconds": 1.0},
    ]
    assert cpu_figures(reports, key, days) == {"CPU of Python, seconds": [10.0, 8.0, None]}


def test_a_timed_phrase_is_lived_in_its_time_by_what_is_done() -> None:
    nine = tick("9:00")
    good = [
        action("kneading the dough", nine, nine + 60, plan_item=9),
        action("resting", nine + 60, nine + 120),
    ]
    hour = [
        plan(ADA, 8, "bake bread", nine, level="hour"),
        plan(ADA, 9, "kneading the dough", nine, level="action", parent=8),
    ]
    late = [
        action("getting ready for baking bread", nine, tick("15:00")),
        action("baking bread", tick("15:00"), tick("16:00"), object=f"{KITCHEN}: oven"),
        action("resting", tick("16:00"), tick("17:00")),
    ]
    figures, never = world_figures(village(actions={ADA: good}, plans=hour), SMALLVILLE)
    assert figures["timed phrases due"] == [1, 1]
    assert figures["timed phrases lived, %"] == [100.0, 0.0]
    assert never["phrases never lived"] == []
    assert len(never["objects never used"]) == 2
    figures, never = world_figures(village(actions={ADA: late}), SMALLVILLE)
    assert figures["timed phrases lived, %"] == [0.0, 0.0]
    assert figures["objects used, %"] == [50.0, 0.0]
    assert never["phrases never lived"] == [
        f"{ADA}: Ada Finch bakes bread in the kitchen from 8:00 am to 10:00 am"
    ]


def test_words_of_smallville_are_those_that_the_world_lacks() -> None:
    nine = tick("9:00")
    deeds = [
        action("taking a shower", nine, nine + 6),
        action("cooking at the stove", nine + 6, nine + 12),
        action("looking over what is done", nine + 12, nine + 18),
        action("cleaning the oven", nine + 18, nine + 24),
    ]
    town = village(actions={ADA: deeds})
    figures, _ = world_figures(town, SMALLVILLE)
    assert figures["actions with words of Smallville, %"] == [50.0, None]
    assert figures["actions of a template, %"] == [25.0, None]
    own, _ = world_figures(town, TREE)
    assert own["actions with words of Smallville, %"] == [0.0, None]


def test_the_segment_of_an_outline_at_a_minute() -> None:
    chunk = "clean the house, then from 12:00 pm have lunch, then from 1:30 pm swim"
    found = [segment_at(chunk, minute) for minute in (600, 720, 809, 810)]
    assert found == ["clean the house", "have lunch", "have lunch", "swim"]
