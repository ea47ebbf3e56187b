"""The counts of memories, retrievals, insights and relationships, on records by hand."""

from hypothesis import given
from hypothesis import strategies as st

from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.models import RetrievalRow
from benchmarks.believability.later_figures import memory_figures
from tests.unit.benchmarks.village import (
    ADA,
    BEN,
    CID,
    PEOPLE,
    memory,
    reflection,
    said,
    talk,
    tick,
    village,
)
from tools.day_figures.memory_figures import WINDOW, stream_figures
from tools.day_figures.network_figures import network_figures
from tools.day_figures.thought_figures import insight_figures, often_figures

REPEATS = "memories that repeat an earlier one word for word, %"
SEEN = MemoryOrigin.PERCEIVED_AGENT


def seed(number: int, rating: int) -> object:
    text = PEOPLE[ADA].seeds[number]
    return memory(ADA, number, text, 1, origin=MemoryOrigin.DESCRIPTION, rating=rating)


def test_repeats_are_of_the_same_agent_and_of_any_earlier_day() -> None:
    town = village(
        memories=[
            memory(ADA, 10, "Ada is baking", tick("9:00")),
            memory(ADA, 11, "Ada is baking", tick("9:10")),
            memory(BEN, 10, "Ada is baking", tick("9:20")),
            memory(ADA, 12, "Ada is resting", tick("9:30")),
            memory(ADA, 13, "Ada is baking", tick("9:00", day=2)),
        ]
    )
    figures = memory_figures(town)
    assert figures[REPEATS] == [25.0, 100.0]
    assert figures["memories per agent-day"] == [1.3, 0.3]


def test_seeds_are_no_memories_of_a_day_and_have_an_importance_of_their_own() -> None:
    town = village(
        memories=[
            seed(0, 4),
            seed(2, 8),
            memory(ADA, 10, "Ada is baking", tick("9:00"), rating=1),
            memory(ADA, 11, "Ben is walking", tick("9:00"), origin=SEEN, rating=3),
        ]
    )
    figures = memory_figures(town)
    assert figures["memories of a day, most"] == [2, 0]
    assert figures["importance of seeds, mean"] == [6, 6]
    assert figures["importance of seed ties, mean"] == [8, 8]
    assert figures["importance of own deeds, mean"] == [1, None]
    assert figures["importance of sightings, mean"] == [3, None]


def test_noise_is_counted_in_whole_windows() -> None:
    nine = tick("9:00")
    stream = [memory(ADA, n, f"deed {n}", nine + n) for n in range(45)]
    talks = [
        memory(ADA, n, f"talk {n}", nine + n, origin=MemoryOrigin.CONVERSATION)
        for n in range(45, WINDOW + 10)
    ]
    figures = memory_figures(village(memories=[*stream, *talks]))
    assert figures["noise in windows of 60 memories, %"] == [75, None]


def test_retrievals_count_noise_distinct_memories_and_seeds() -> None:
    nine = tick("9:00")
    rows = [
        RetrievalRow(agent=ADA, number=number, from_tick=nine + at)
        for at, number in enumerate((0, 10, 10, 11))
    ]
    town = village(
        memories=[
            seed(0, 4),
            seed(1, 4),
            memory(ADA, 10, "Ada is baking", nine - 5),
            memory(ADA, 11, "gist", nine - 4, origin=MemoryOrigin.CONVERSATION),
        ],
        retrievals=rows,
    )
    figures = memory_figures(town)
    assert figures["noise among retrieved memories, %"] == [50.0, None]
    assert figures["distinct memories retrieved per agent-day"] == [1.0, 0.0]
    assert figures["memories of the stream retrieved on the day, %"] == [75.0, 0.0]
    assert figures["seeds retrieved on the day, %"] == [50.0, 0.0]


@given(st.lists(st.sampled_from("abc"), max_size=30))
def test_repeats_and_distinct_memories_make_up_all(texts: list[str]) -> None:
    rows = [memory(ADA, n, text, tick("9:00") + n) for n, text in enumerate(texts)]
    figures = stream_figures(village(days=1).days, rows, agents=1)
    expected = round(100 * (1 - len(set(texts)) / len(texts)), 1) if texts else None
    assert figures[REPEATS] == [expected]


def test_insights_are_of_new_form_once() -> None:
    one, two = tick("9:00"), tick("9:00", day=2)
    rows = [
        reflection(ADA, one, ["Ada Finch likes Ben Marsh", "Ada Finch is 34"], dropped=2),
        reflection(BEN, one + 1, ["Ben Marsh likes Cid Wood"]),
        reflection(ADA, two, ["Ada Finch likes Cid Wood", "Ada Finch is tired"], dropped=1),
    ]
    figures = insight_figures(village(reflections=rows))
    assert figures["insights kept"] == [3, 2]
    assert figures["insights dropped"] == [2, 1]
    assert figures["insights of new form"] == [2, 1]
    assert figures["insights of a form of an earlier day, %"] == [0.0, 50.0]


def test_often_is_earned_by_talks_or_by_meetings_before_it() -> None:
    hours = [tick(clock) for clock in ("8:00", "9:00", "10:00")]
    sightings = [
        memory(ADA, n, "Cid is here", at, origin=SEEN, subject=CID)
        for n, at in enumerate(hours)
    ]
    talks = [row for at in hours[:2] for row in talk(at, (ADA, BEN, "Hi."), (BEN, ADA, "Hi."))]
    claims = ["Ada Finch and Ben Marsh often talk", "Ada Finch often meets Cid Wood"]
    rows = [reflection(ADA, tick("9:30"), claims), reflection(ADA, tick("11:00"), claims)]
    figures = often_figures(
        village(memories=sightings, utterances=talks, reflections=[rows[0], rows[1]])
    )
    assert figures['claims to talk "often"'] == [2, 0]
    assert figures['claims to talk "often" after at most one talk, %'] == [0.0, None]
    assert figures['claims to meet "often" after meetings in at most two hours, %'] == [
        50.0,
        None,
    ]


def test_relationships_have_a_density_for_each_meaning() -> None:
    nine = tick("9:00")
    heard = {"origin": MemoryOrigin.CONVERSATION, "kind": MemoryKind.DIALOGUE}
    town = village(
        utterances=[
            *talk(nine, (ADA, BEN, "Hi."), (BEN, ADA, "Hi.")),
            said(CID, ADA, "Ada?", tick("9:00", day=2), "other"),
        ],
        memories=[
            memory(ADA, 1, "Ada Finch talked with Ben Marsh", nine, subject=BEN, **heard),
            memory(BEN, 1, "Ben Marsh talked with Ada Finch", nine, subject=ADA, **heard),
            memory(ADA, 2, "Cid Wood is walking", nine, subject=CID, origin=SEEN),
        ],
        seen=[(CID, ADA, nine)],
    )
    figures = network_figures(town)
    assert figures["density: seed ties"] == [0, 0]
    assert figures["density: sighted"] == [0.333, 0.333]
    assert figures["density: met"] == [0.333, 0.667]
    assert figures["density: talked"] == [0.333, 0.333]
    assert figures["density: related"] == [0.333, 0.333]
    assert figures["density: any memory (API)"] == [0.333, 0.333]
