"""The stand-in goes on mostly, and reacts to danger, obstacles and people worth a word."""

import re
from dataclasses import replace

import pytest

from apps.reaction.chains.decision import DECISION, Decision, MomentToJudge, Observed
from apps.rule_model.model import Chance
from apps.rule_model.reaction import TASK_RULES

ISABELLA, KLAUS, MARIA, SAM = "Isabella Rodriguez", "Klaus Mueller", "Maria Lopez", "Sam Moore"
PARTY = (
    f"{ISABELLA} is planning a Valentine's Day party at Hobbs Cafe on February 14, 2023, from "
    "5:00 pm to 7:00 pm"
)
CANDIDACY = f"{SAM} will run for mayor in the local election next month"
STOVE = Observed(sentence="the stove is burning", is_alarming=True)
SHOWER = Observed(sentence="the shower is leaking water", is_alarming=True)
BATHROOM = Observed(sentence="the bathroom is occupied", is_obstacle=True)
SEEDS = range(400)


def seen(name: str, doing: str = "drinking a coffee", **more: object) -> Observed:
    plain = Observed(sentence=f"{name} is {doing}", name=name, may_talk=True)
    return replace(plain, **more)  # type: ignore[arg-type]


def moment(
    name: str,
    *observed: Observed,
    memories: tuple[str, ...] = (),
    doing: str = "drinking a coffee",
) -> MomentToJudge:
    return MomentToJudge(
        agent_name=name,
        summary=f"Name: {name} (age: 30)\nInnate traits: kind",
        now="Monday, February 13, 2023, 12:40 pm",
        place="Hobbs Cafe: cafe",
        status=f"{name} is {doing}",
        next_plans=("work",),
        observed=observed,
        memories=memories,
        known_places=("Hobbs Cafe",),
    )


def decided(given: MomentToJudge, seed: int = 1) -> Decision:
    answer = TASK_RULES[DECISION.name](given, Chance(seed, DECISION.name, "call"))
    assert isinstance(answer, Decision)
    assert DECISION.check is not None
    DECISION.check(given, answer)
    return answer


def talks(given: MomentToJudge) -> list[str]:
    """Return with what in mind the person talks, of many chances."""
    answers = (decided(given, seed) for seed in SEEDS)
    return [answer.what for answer in answers if answer.choice == "talk"]


class TestDanger:
    def test_who_makes_breakfast_turns_off_the_burning_stove_and_makes_it_anew(self) -> None:
        answer = decided(moment(ISABELLA, STOVE, doing="making breakfast at the stove"))
        assert (answer.choice, answer.place) == ("act", "")
        assert answer.what == "turn off the stove and make breakfast anew"

    def test_others_put_the_fire_out(self) -> None:
        answer = decided(moment(ISABELLA, STOVE, doing="reading"))
        assert answer.what == "put out the fire at the stove"

    def test_a_leaking_shower_is_mended_with_tools(self) -> None:
        answer = decided(moment(ISABELLA, SHOWER, doing="washing"))
        assert answer.what == "fetch tools and mend the leaking shower"
        assert 15 <= answer.minutes <= 25

    def test_comes_before_people(self) -> None:
        given = moment(ISABELLA, seen(MARIA), STOVE, memories=(PARTY,))
        assert decided(given).observation == 2

    def test_is_left_to_who_sees_to_it_already(self) -> None:
        helper = seen(MARIA, "putting out the fire at the stove", may_talk=False)
        assert decided(moment(ISABELLA, STOVE, helper)).choice == "go on"
        busy = moment(ISABELLA, STOVE, doing="putting out the fire at the stove")
        assert decided(busy).choice == "go on"

    @pytest.mark.parametrize("state", ["broken", "out of order", "damaged"])
    def test_what_does_not_work_is_often_mended(self, state: str) -> None:
        machine = moment(ISABELLA, Observed(sentence=f"the coffee machine is {state}"))
        answers = {decided(machine, seed).what for seed in range(50)}
        assert answers == {"", "mend the broken coffee machine"}

    def test_damage_is_often_mended(self) -> None:
        clogged = moment(ISABELLA, Observed(sentence="the sink is clogged"))
        answers = [decided(clogged, seed) for seed in range(50)]
        assert {answer.what for answer in answers} == {"", "unclog the sink"}

    def test_what_is_as_usual_changes_nothing(self) -> None:
        for sentence in (
            "the easel is holding a canvas",
            "Hobbs Cafe is closing",
            "the bed is made",
        ):
            assert decided(moment(ISABELLA, Observed(sentence=sentence))).choice == "go on"


class TestObstacle:
    def test_an_occupied_bathroom_is_waited_for_or_something_else_comes_first(self) -> None:
        answers = [decided(moment(KLAUS, BATHROOM), seed) for seed in range(60)]
        choices = [answer.choice for answer in answers]
        assert choices.count("go on") > choices.count("act") > 0
        assert all(10 <= answer.minutes <= 15 for answer in answers if answer.choice == "act")

    def test_who_has_waited_waits_less(self) -> None:
        fresh = [decided(moment(KLAUS, BATHROOM), seed).choice for seed in range(60)]
        waiting = moment(KLAUS, BATHROOM, doing="waiting outside the bathroom")
        later = [decided(waiting, seed).choice for seed in range(60)]
        assert later.count("act") > fresh.count("act")


class TestCompany:
    def test_a_host_invites(self) -> None:
        wanted = talks(moment(ISABELLA, seen(KLAUS), memories=(PARTY,)))
        assert wanted
        assert {what for what in wanted if what.startswith("invite")} == {
            f"invite {KLAUS} to the Valentine's Day party at Hobbs Cafe on February 14, 2023, "
            "from 5:00 pm to 7:00 pm"
        }

    def test_news_is_told(self) -> None:
        memories = (f"{SAM} told {KLAUS} that {CANDIDACY}", f"{KLAUS} is friends with {MARIA}")
        assert set(talks(moment(KLAUS, seen(MARIA), memories=memories))) == {
            f"tell {MARIA} that {CANDIDACY}",
            f"greet {MARIA}",
        }

    def test_news_is_not_told_to_whom_it_is_about_or_from(self) -> None:
        memories = (f"{MARIA} told {KLAUS} that {CANDIDACY}",)
        for other in (SAM, MARIA):
            wanted = talks(moment(KLAUS, seen(other), memories=memories))
            assert not any("mayor" in what for what in wanted)

    def test_news_is_not_told_twice(self) -> None:
        memories = (
            f"{SAM} told {KLAUS} that {CANDIDACY}",
            f"{KLAUS} and {MARIA} talked about {SAM} running for mayor",
        )
        wanted = talks(moment(KLAUS, seen(MARIA), memories=memories))
        assert not any("mayor" in what for what in wanted)

    def test_who_wonders_asks_until_a_memory_answers(self) -> None:
        wonders = (
            f"{KLAUS} asks everyone he meets who will run for mayor in the election next month"
        )
        asked = talks(moment(KLAUS, seen(MARIA), memories=(wonders,)))
        assert f"ask {MARIA} who will run for mayor in the election next month" in asked
        talked = (
            f"They last talked 3 hours ago: {KLAUS} and {MARIA} talked about {wonders[38:]}."
        )
        again = moment(KLAUS, seen(MARIA, last_talk=talked), memories=(wonders,))
        assert not any("who will" in what for what in talks(again))
        knowing = moment(KLAUS, seen(SAM), memories=(wonders, CANDIDACY))
        assert not any("who will" in what for what in talks(knowing))

    def test_friends_are_spoken_to_more_than_strangers(self) -> None:
        friend = talks(
            moment(
                KLAUS, seen(MARIA), memories=(f"{KLAUS} has been close friends with {MARIA}",)
            )
        )
        assert len(friend) > 2 * len(talks(moment(KLAUS, seen(MARIA))))

    def test_whom_one_dislikes_is_left_alone(self) -> None:
        disliked = (f"{KLAUS} has known {MARIA} for a year and dislikes her", PARTY)
        assert len(talks(moment(KLAUS, seen(MARIA), memories=disliked))) < len(SEEDS) / 30

    @pytest.mark.parametrize("minutes", [0, 30, 89])
    def test_nobody_talks_again_at_once(self, minutes: int) -> None:
        again = seen(KLAUS, minutes_since_talk=minutes)
        assert talks(moment(ISABELLA, again, memories=(PARTY,))) == []

    def test_a_second_talk_of_the_day_is_rare(self) -> None:
        first = talks(moment(ISABELLA, seen(KLAUS), memories=(PARTY,)))
        again = seen(KLAUS, minutes_since_talk=200, last_talk="They talked about the weather.")
        assert len(talks(moment(ISABELLA, again, memories=(PARTY,)))) < len(first) / 2

    @pytest.mark.parametrize("doing", ["sleeping", "taking a shower"])
    def test_some_things_are_not_interrupted(self, doing: str) -> None:
        assert talks(moment(ISABELLA, seen(KLAUS, doing), memories=(PARTY,))) == []

    def test_work_leaves_less_room_than_a_meal(self) -> None:
        at_work = talks(moment(ISABELLA, seen(KLAUS, "writing at the desk"), memories=(PARTY,)))
        at_lunch = talks(moment(ISABELLA, seen(KLAUS, "eating lunch"), memories=(PARTY,)))
        assert len(at_work) < len(at_lunch)

    def test_who_may_not_be_talked_to_is_not(self) -> None:
        assert talks(moment(ISABELLA, seen(KLAUS, may_talk=False), memories=(PARTY,))) == []

    def test_what_is_in_no_memory_is_in_no_mind(self) -> None:
        wanted = talks(moment(ISABELLA, seen(KLAUS)))
        assert all(re.fullmatch(f"get to know {KLAUS}", what) for what in wanted)


class TestAMessage:
    SON, MOTHER, FATHER = "Eddy Lin", "Mei Lin", "John Lin"
    MESSAGE = f"tell {MOTHER} that {SON} wants to leave college"
    KNOWN = (
        f"{SON} loves his mother, {MOTHER}",
        f"{SON} respects his father, {FATHER}",
        f"{SON} has decided to tell their mother that {SON} wants to leave college",
    )

    def test_is_brought_to_the_one_it_is_for(self) -> None:
        assert set(talks(moment(self.SON, seen(self.MOTHER), memories=self.KNOWN))) == {
            self.MESSAGE
        }

    def test_is_brought_though_the_two_have_talked_today(self) -> None:
        mother = seen(self.MOTHER, minutes_since_talk=120)
        often = talks(moment(self.SON, mother, memories=self.KNOWN))
        assert len(often) > len(SEEDS) / 2

    def test_is_for_nobody_else(self) -> None:
        given = moment(self.SON, seen(self.FATHER), memories=self.KNOWN)
        assert not any("college" in what for what in talks(given))

    def test_is_not_brought_again(self) -> None:
        talked = f"{self.SON} and {self.MOTHER} talked about the news that {self.SON} wants to"
        known = (*self.KNOWN, f"{talked} leave college")
        given = moment(self.SON, seen(self.MOTHER), memories=known)
        assert self.MESSAGE not in talks(given)
