"""Stories of a day: each sentence from a fact, walks joined, the plan compared with it."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.agents.phrases import object_text
from tests.support.builders import identity_of
from tools.stories.day import (
    Activity,
    Day,
    Dialogue,
    Discovery,
    Note,
    PlannedItem,
    Sighting,
    Source,
)
from tools.stories.stays import balance_of, stays_of
from tools.stories.story import SIGHTINGS_MAX, write_story
from tools.stories.text import format_duration, format_node, given_name, state_in

HOME = "Mill Cottage: bedroom"
BATHROOM = "Mill Cottage: bathroom"
SHOP = "The Bakery: shop"


def at(clock: str) -> datetime:
    """Return the time of the day of the story."""
    return datetime.fromisoformat(f"2024-06-03T{clock}")


def activity(
    begins: str, ends: str, description: str, area: str = "", plan_item: int = 0
) -> Activity:
    is_walk = description.startswith("walking")
    return Activity(
        begins=at(begins),
        ends=at(ends),
        description=description,
        area=area,
        is_walk=is_walk,
        plan_item=plan_item,
    )


def planned(
    number: int, begins: str, ends: str, description: str, place: str = "", *parts: PlannedItem
) -> PlannedItem:
    return PlannedItem(
        number=number,
        begins=at(begins),
        ends=at(ends),
        description=description,
        place=place,
        parts=parts,
    )


# Ben washes, walks to his bakery in two legs, bakes, and never comes to sweeping the floor.
ACTIVITIES = (
    activity("06:00", "06:10", "making the bed", HOME, 11),
    activity("06:10", "06:11", "walking to the shower in the bathroom of Mill Cottage", "", 12),
    activity("06:11", "06:12", "walking to the shower in the bathroom of Mill Cottage", "", 12),
    activity("06:12", "06:30", "taking a shower", BATHROOM, 12),
    activity("06:30", "06:40", "walking to The Bakery", "", 21),
    activity("06:40", "06:45", "walking to the oven in the shop of The Bakery", "", 22),
    activity("06:45", "07:00", "baking bread", SHOP, 22),
    activity("07:00", "07:02", "walking to the counter in the shop of The Bakery", "", 23),
    activity("07:02", "07:05", "passing the time", SHOP, 23),
    activity("07:05", "07:30", "passing the time", SHOP, 23),
)
WASH = planned(
    *(1, "06:00", "06:30", "wash and dress", "Mill Cottage"),
    planned(
        *(3, "06:00", "06:30", "wash and dress", "Mill Cottage"),
        planned(11, "06:00", "06:10", "making the bed"),
        planned(12, "06:10", "06:30", "taking a shower"),
    ),
)
BAKE = planned(
    *(2, "06:30", "07:30", "open The Bakery", "The Bakery"),
    planned(
        *(4, "06:30", "07:00", "bake", "The Bakery"),
        planned(21, "06:30", "06:40", "sweeping the floor"),
        planned(22, "06:40", "07:00", "baking bread"),
    ),
    planned(
        *(5, "07:00", "07:30", "serve customers", "The Bakery"),
        planned(23, "07:00", "07:30", "serving a customer"),
    ),
)
DAY = Day(
    agent=identity_of(
        "Ben Marsh",
        38,
        ("cheerful", "restless"),
        HOME,
        wake=360,
        sleep=1_320,
        workplace="The Bakery",
    ),
    source=Source(world="millbrook", seed=7, model="rule model"),
    chunks=(WASH, BAKE),
    until=at("07:30"),
    left_at=None,
    activities=ACTIVITIES,
    sightings=(Sighting(time=at("06:41"), who="Ada Finch", doing="walking to The Bakery"),),
    notes=(Note(time=at("06:46"), node=f"{SHOP}: oven", text="the oven is cold"),),
    refusals=(Note(time=at("07:02"), node=f"{SHOP}: counter", text="it is taken"),),
    discoveries=(Discovery(time=at("06:40"), nodes=("The Bakery", SHOP)),),
    dialogues=(
        Dialogue(
            time=at("06:50"),
            others=("Ada Finch",),
            lines=(("Ada Finch", "Any rolls?"), ("Ben Marsh", "In a *minute*.")),
        ),
    ),
    thoughts=(Note(time=at("06:58"), text="Ada Finch likes rolls"),),
)


class TestStays:
    def test_put_walks_together_and_forget_those_within_an_area(self) -> None:
        bed, shower, shop = stays_of(ACTIVITIES)
        assert (bed.area, bed.has_moved, bed.set_out) == (HOME, False, None)
        assert (shower.came_from, shower.set_out, shower.begins) == (
            HOME,
            at("06:10"),
            at("06:12"),
        )
        assert (shop.set_out, shop.begins) == (at("06:30"), at("06:45"))
        assert shop.activities == (
            ("baking bread", timedelta(minutes=15)),
            ("passing the time", timedelta(minutes=28)),
        )

    def test_are_cut_where_an_hour_ends(self) -> None:
        *_, before, after = stays_of(ACTIVITIES, breaks=[at("07:00")])
        assert before.area == after.area == SHOP
        assert not after.has_moved

    @given(st.lists(st.sampled_from(ACTIVITIES), max_size=12))
    def test_lose_nothing_but_walks(self, activities: list[Activity]) -> None:
        spent = sum(
            (time for stay in stays_of(activities) for _, time in stay.activities),
            start=timedelta(),
        )
        kept = [one.ends - one.begins for one in activities if not one.is_walk]
        assert spent == sum(kept, start=timedelta())


class TestBalance:
    def test_holds_what_was_done_against_the_plan(self) -> None:
        balance = balance_of(DAY, BAKE)
        assert balance.as_planned == timedelta(minutes=15)
        assert balance.walking == timedelta(minutes=17)
        assert balance.otherwise == timedelta(minutes=28)
        assert balance.never_begun == ["sweeping the floor", "serving a customer"]

    def test_does_not_call_an_act_that_was_held_or_tried_never_begun(self) -> None:
        tried = replace(DAY, acts={21: True, 23: False})
        assert balance_of(tried, BAKE).never_begun == ["serving a customer (in vain)"]

    def test_ends_where_the_log_ends(self) -> None:
        begun = replace(DAY, until=at("06:12"), activities=ACTIVITIES[:3])
        balance = balance_of(begun, WASH)
        assert balance.as_planned == timedelta(minutes=10)
        assert balance.never_begun == ["taking a shower"]
        assert balance_of(begun, BAKE).never_begun == []


class TestStory:
    def test_tells_who_and_what_was_planned(self) -> None:
        story = write_story(DAY)
        assert story.startswith("# A day of Ben Marsh\n\n*Monday, June 3, 2024*\n")
        assert "cheerful and restless" in story
        assert "planned to wash and dress; from 6:30 am to open The Bakery." in story

    def test_tells_what_was_done_where_and_for_how_long(self) -> None:
        story = write_story(DAY)
        assert "Ben spent 10 minutes making the bed" in story
        assert "then at 6:10 am went to the bathroom and spent 18 minutes" in story
        assert "At 6:30 am Ben walked to the shop of The Bakery (15 minutes)" in story
        assert "*7:00 am: serve customers.*" in story

    def test_tells_whom_what_and_why_not(self) -> None:
        story = write_story(DAY)
        assert "Ben noticed Ada Finch walking to The Bakery (6:41 am)." in story
        assert "- 6:40 am: The Bakery and the shop of The Bakery, not known before" in story
        assert "- the oven in the shop of The Bakery: cold (6:46 am)" in story
        assert "- 7:02 am: it is taken" in story

    def test_tells_what_was_said_and_thought(self) -> None:
        story = write_story(DAY)
        assert "6:50 am, with Ada Finch:" in story
        assert "- Ada: Any rolls?\n- Ben: In a " in story
        assert "*minute*" not in story, "nobody writes Markdown"
        assert "- 6:58 am: Ada Finch likes rolls" in story

    def test_says_so_where_there_was_nothing(self) -> None:
        story = write_story(
            replace(
                DAY,
                sightings=(),
                notes=(),
                refusals=(),
                discoveries=(),
                dialogues=(),
                thoughts=(),
            )
        )
        assert "nobody was spoken to" in story
        assert "Nothing that was kept." in story
        assert "noticed " not in story.partition("## What Ben came to know")[0]
        assert "Nothing new" in story
        assert "Nothing: every door opened" in story

    def test_bounds_what_is_told_of_one_person_in_one_hour(self) -> None:
        sightings = tuple(
            Sighting(time=at(f"06:{minute:02d}"), who="Ada Finch", doing=f"doing {minute}")
            for minute in range(40, 40 + SIGHTINGS_MAX + 2)
        )
        assert "and 2 more times." in write_story(replace(DAY, sightings=sightings))
        assert "and once more." in write_story(replace(DAY, sightings=sightings[:-1]))

    def test_puts_together_what_is_seen_of_one_thing(self) -> None:
        notes = tuple(
            Note(time=at(f"06:{minute}"), node=f"{SHOP}: oven", text=f"the oven is {minute}")
            for minute in range(46, 51)
        )
        story = write_story(replace(DAY, notes=notes))
        assert "oven in the shop of The Bakery: 46 (6:46 am), 47 (6:47 am), 48 (6:48" in story
        assert "and 2 more times" in story

    def test_stops_where_the_log_does(self) -> None:
        on_the_way = write_story(replace(DAY, until=at("06:42"), activities=ACTIVITIES[:6]))
        assert "At 6:42 am, where the log ends, Ben was walking to the oven" in on_the_way
        assert "serve customers" not in on_the_way
        assert "Here, at 7:10 am, the log ends." in write_story(replace(DAY, until=at("07:10")))
        assert "the log ends" not in write_story(DAY)

    def test_stops_where_the_person_leaves_town(self) -> None:
        assert "At 7:10 am Ben left town." in write_story(
            replace(DAY, until=at("07:10"), left_at=at("07:10"))
        )

    def test_lets_nobody_write_markdown(self) -> None:
        activities = (
            replace(ACTIVITIES[0], description="writing\n\n# <b>*bold*</b> | [a](b)"),
        )
        story = write_story(replace(DAY, activities=activities))
        assert r"writing \# \<b\>\*bold\*\</b\> \| \[a\](b)" in story

    def test_says_where_it_comes_from(self) -> None:
        assert "`millbrook` with seed 7" in write_story(DAY)
        assert "rule model" in write_story(DAY)


class TestWords:
    @pytest.mark.parametrize(
        ("seconds", "words"),
        [
            (20, "less than a minute"),
            (60, "1 minute"),
            (710, "12 minutes"),
            (3_600, "1 hour"),
            (7_500, "2 hours and 5 minutes"),
        ],
    )
    def test_say_how_long(self, seconds: int, words: str) -> None:
        assert format_duration(timedelta(seconds=seconds)) == words

    def test_say_where(self) -> None:
        assert format_node("") == "outdoors"
        assert format_node("The Bakery") == "The Bakery"
        assert format_node(SHOP) == "the shop of The Bakery"
        assert format_node(SHOP, within="The Bakery") == "the shop"
        assert format_node(f"{SHOP}: oven") == "the oven in the shop of The Bakery"

    def test_say_in_which_state(self) -> None:
        assert (
            state_in(f"{SHOP}: behind the counter", "the behind the counter is idle") == "idle"
        )
        assert state_in("The Bakery", "The Bakery is closing") == "closing"
        assert state_in(SHOP, "the shop smells") == "the shop smells"
        table = f"{SHOP}: table"
        assert state_in(table, object_text("table", "laid for two")) == "laid for two"
        assert state_in("", "it rains") == "it rains"

    def test_call_people_by_their_first_name(self) -> None:
        assert given_name("Isabella Rodriguez") == "Isabella"
        assert given_name("Dr. Finch") == "Dr. Finch"
