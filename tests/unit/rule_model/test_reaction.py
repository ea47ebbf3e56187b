"""Reactions by rules: danger first, then damage and obstacles, then agents."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.agents.status import Acquaintance, AgentStatus, LastTalk
from apps.agents.summary import LastingFacts
from apps.memory.events import MemoryOrigin
from apps.reaction.inputs import (
    DecisionInput,
    KnockHeard,
    Observed,
    ObservedAgent,
    ObservedObject,
    Obstacle,
    Prevented,
    ReasonToTalk,
    StateInput,
    TalkReason,
    UserObservation,
)
from apps.reaction.llm_tasks import DECISION, Decision
from apps.rule_model.model import Chance
from apps.rule_model.phrasebook import INTENTS, PHRASES
from apps.rule_model.reaction import judged_state
from tests.support.rules import TASK_RULES
from tests.unit.rule_model.speakers import (
    FINN,
    MOR,
    NOW,
    SUPPER,
    TAVISH,
    UNA,
    Speaker,
    memory,
    planned,
)
from tools.world_rehearsal import done_as

SEEDS = range(1, 41)
STOVE = ObservedObject(name="stove", state="burning", is_alarming=True)


def seen(name: str, activity: str = "resting", last: LastTalk | None = None) -> ObservedAgent:
    status = AgentStatus(agent_name=name, activity=activity)
    known = Acquaintance(last_talk=last)
    return ObservedAgent(status=status, may_talk=True, acquaintance=known)


def moment(speaker: Speaker, *observed: Observed, activity: str = "resting") -> DecisionInput:
    return DecisionInput(
        agent_name=speaker.name,
        summary=speaker.summary,
        now=NOW,
        place="the harbour",
        status=AgentStatus(agent_name=speaker.name, activity=activity),
        observed=observed,
        memories=speaker.memories,
        known_places=(),
    )


def decides(inputs: DecisionInput, seed: int = 1) -> Decision:
    answer = TASK_RULES[DECISION.name](inputs, Chance(seed, DECISION.name, "1"))
    assert isinstance(answer, Decision)
    assert DECISION.check is not None
    DECISION.check(inputs, answer)
    return answer


def talked_before(days: int, *, hours: int) -> LastTalk:
    return LastTalk(minutes_ago=(days * 24 + hours) * 60, gist="")


def share_of_talks(inputs: DecisionInput) -> float:
    return sum(decides(inputs, seed).choice == "talk" for seed in SEEDS) / len(SEEDS)


class TestKnock:
    @pytest.mark.parametrize(("hour", "choice"), [(15, "open"), (3, "go on")])
    def test_is_answered_except_at_night(self, hour: int, choice: str) -> None:
        knock = KnockHeard(agent=replace(seen(TAVISH, "knocking at the door"), may_talk=False))
        inputs = moment(Speaker(UNA), knock)
        assert decides(replace(inputs, now=NOW.replace(hour=hour))).choice == choice


class TestMishaps:
    def test_a_fire_comes_before_everybody(self) -> None:
        una = Speaker(UNA).remembering(SUPPER)
        for seed in SEEDS:
            answer = decides(moment(una, seen(TAVISH), STOVE), seed)
            assert (answer.choice, answer.observation) == ("act", 2)
            assert answer.what == "put out the fire at the stove"

    def test_a_fire_at_a_meal_is_put_out_and_the_meal_stays_planned(self) -> None:
        answer = decides(moment(Speaker(UNA), STOVE, activity="making breakfast at the stove"))
        assert answer.what == "put out the fire at the stove"

    @pytest.mark.parametrize(
        ("state", "prevents", "ends_by_itself", "remedy"),
        [
            ("occupied by a visitor", Prevented.USE, True, ""),
            ("empty", Prevented.USE, False, "refill the stove"),
            ("locked", Prevented.USE_BY_OTHERS, False, "unlock the stove"),
            ("unlocked", Prevented.NOTHING, False, ""),
            ("burning", Prevented.USE, False, "put out the fire at the stove"),
            ("brewing coffee", Prevented.NOTHING, False, ""),
        ],
    )
    def test_a_state_prevents_use_or_nothing(
        self, state: str, prevents: Prevented, ends_by_itself: bool, remedy: str
    ) -> None:
        inputs = StateInput(name="stove", state=state, place="the kitchen")
        judged = judged_state(inputs, Chance(7, "reaction.state", "1"))
        assert (judged.prevents, judged.ends_by_itself, judged.remedy) == (
            prevents,
            ends_by_itself,
            remedy,
        )

    def test_is_left_to_another_agent_that_is_at_it(self) -> None:
        helper = replace(seen(TAVISH, "putting out the fire"), may_talk=False)
        assert decides(moment(Speaker(UNA), STOVE, helper)).choice == "go on"

    def test_a_leak_is_mended_and_an_idle_object_is_not(self) -> None:
        leak = ObservedObject(name="cistern", state="leaking water")
        whats = {decides(moment(Speaker(UNA), leak), seed).what for seed in SEEDS}
        assert "fetch tools and mend the leaking cistern" in whats
        idle = ObservedObject(name="cistern", state="full of rain")
        assert {decides(moment(Speaker(UNA), idle), seed).choice for seed in SEEDS} == {"go on"}

    def test_an_obstacle_is_waited_for_or_something_else_is_done(self) -> None:
        taken = Obstacle(description="The slip is taken")
        choices = {decides(moment(Speaker(UNA), taken), seed).choice for seed in SEEDS}
        assert choices == {"go on", "act"}

    def test_what_users_tell_is_reacted_to(self) -> None:
        told = UserObservation(text="The net loft is on fire", is_alarming=True)
        assert "net loft" in decides(moment(Speaker(UNA), told)).what
        talk = UserObservation(text="Tavish Boyd looks sad", agent=seen(TAVISH))
        friend = Speaker(UNA).remembering(f"{UNA} is a close friend of {TAVISH}")
        assert "talk" in {decides(moment(friend, talk), seed).choice for seed in SEEDS}


class TestTalking:
    def test_invites_those_whom_the_agent_invites_everybody(self) -> None:
        una = Speaker(UNA).remembering(
            SUPPER, f"{UNA} invites everyone she meets to the supper"
        )
        whats = {decides(moment(una, seen(TAVISH)), seed).what for seed in SEEDS}
        read = [INTENTS.read(what) for what in whats if what]
        assert any(intent and intent.act == "invite" for intent in read)
        assert share_of_talks(moment(una, seen(TAVISH))) > share_of_talks(
            moment(Speaker(UNA), seen(TAVISH))
        )

    def test_invites_nobody_to_what_the_agent_has_called_off(self) -> None:
        tired = f"{UNA} is too tired to give a harvest supper. {UNA} is going to cancel it"
        una = Speaker(UNA, (memory(tired, MemoryOrigin.INNER_VOICE),)).remembering(
            SUPPER, f"{UNA} invites everyone she meets to the supper"
        )
        read = [INTENTS.read(decides(moment(una, seen(TAVISH)), seed).what) for seed in SEEDS]
        assert not any(intent and intent.act == "invite" for intent in read)

    @pytest.mark.parametrize("is_declined", [False, True])
    def test_asks_a_loved_one_along_only_to_what_it_has_not_declined(
        self, *, is_declined: bool
    ) -> None:
        refusal = memory(
            f"{TAVISH} declined to come to {UNA}'s harvest supper", MemoryOrigin.DECLINED
        )
        tavish = Speaker(TAVISH, (refusal,) if is_declined else ()).remembering(
            f"{TAVISH} is in love with {MOR}",
            f"{UNA} invited {TAVISH} to a harvest supper",
            SUPPER,
        )
        read = [INTENTS.read(decides(moment(tavish, seen(MOR)), seed).what) for seed in SEEDS]
        invites = any(intent and intent.act == "invite" for intent in read)
        assert invites is not is_declined

    def test_is_likelier_with_friends_and_unlikely_with_the_disliked(self) -> None:
        friend = Speaker(UNA).remembering(f"{UNA} is a close friend of {TAVISH}")
        enemy = Speaker(UNA).remembering(f"{UNA} dislikes {TAVISH}")
        by_closeness = [
            share_of_talks(moment(one, seen(TAVISH))) for one in (friend, Speaker(UNA), enemy)
        ]
        assert by_closeness == sorted(by_closeness, reverse=True)
        assert by_closeness[0] > by_closeness[1]

    def test_tells_of_a_pursuit_that_no_retrieved_memory_names(self) -> None:
        """What lasts is in mind, however small the budget of a retrieval is."""
        pursuit = f"{UNA} will run for mayor in the election next month"
        lasting = LastingFacts(pursuits=(pursuit,))
        friend = Speaker(UNA).remembering(f"{UNA} is a close friend of {MOR}")
        plain = moment(friend, seen(MOR))
        candidate = replace(plain, summary=replace(plain.summary, lasting=lasting))
        told = [decides(candidate, seed).what for seed in SEEDS]
        assert any("run for mayor" in what for what in told)
        assert not any("run for mayor" in decides(plain, seed).what for seed in SEEDS)

    def test_tells_an_own_new_resolve_before_all_else(self) -> None:
        voice = memory(f"{UNA} is going to leave the island", MemoryOrigin.INNER_VOICE)
        una = Speaker(UNA, (voice,)).remembering(f"{UNA} is a close friend of {TAVISH}")
        whats = {decides(moment(una, seen(TAVISH)), seed).what for seed in SEEDS} - {""}
        assert whats == {f"tell {TAVISH} that {UNA} is going to leave the island"}

    @pytest.mark.parametrize("activity", ["sleeping", "taking a shower"])
    def test_leaves_alone_who_has_no_room_for_it(self, activity: str) -> None:
        friend = Speaker(UNA).remembering(f"{UNA} is a close friend of {TAVISH}")
        assert share_of_talks(moment(friend, seen(TAVISH, activity))) == 0

    def test_leaves_alone_who_has_just_been_talked_with(self) -> None:
        just = seen(TAVISH, last=LastTalk(minutes_ago=10, gist=""))
        friend = Speaker(UNA).remembering(f"{UNA} is a close friend of {TAVISH}")
        assert share_of_talks(moment(friend, just)) == 0

    def test_is_likelier_the_longer_they_have_not_talked(self) -> None:
        friend = Speaker(UNA).remembering(f"{UNA} is a close friend of {TAVISH}")
        yesterday, lately, long_ago = (
            share_of_talks(
                moment(
                    friend, seen(TAVISH, "drinking tea", last=talked_before(days, hours=hours))
                )
            )
            for days, hours in ((0, 15), (3, 5), (30, 5))
        )
        assert yesterday < lately == long_ago

    def test_is_sooner_again_with_a_relative(self) -> None:
        last = talked_before(0, hours=10)
        friend, wife = (
            share_of_talks(
                moment(Speaker(UNA).remembering(tie), seen(TAVISH, "eating", last=last))
            )
            for tie in (
                f"{UNA} is a close friend of {TAVISH}",
                f"{UNA} lives with her husband, {TAVISH}",
            )
        )
        assert friend < 0.1 < wife

    def test_is_not_the_talk_of_every_day_at_this_hour(self) -> None:
        friend = Speaker(UNA).remembering(f"{UNA} is a close friend of {TAVISH}")
        last = talked_before(3, hours=5)
        choices = {
            days: [
                decides(
                    moment(friend, seen(TAVISH, last=replace(last, same_time_days=days))), seed
                ).choice
                for seed in SEEDS
            ]
            for days in (0, 1)
        }
        assert "talk" in choices[0]
        assert "talk" not in choices[1]
        assert choices[1].count("later") == choices[0].count("talk")

    def test_is_put_off_again_at_this_hour_and_held_at_another(self) -> None:
        friend = Speaker(UNA).remembering(f"{UNA} is a close friend of {TAVISH}")
        last = talked_before(3, hours=5)
        meant = ReasonToTalk(kind=TalkReason.INTENDED, text=f"greet {TAVISH}")
        for days, choice in ((0, "talk"), (1, "later")):
            met = seen(TAVISH, "eating", last=replace(last, same_time_days=days))
            inputs = moment(friend, replace(met, reasons=(meant,)))
            chosen = [decides(inputs, seed).choice for seed in SEEDS]
            assert sum(one == choice for one in chosen) > len(chosen) / 2

    def test_is_felt_like_more_with_a_day_to_tell_of(self) -> None:
        friend = Speaker(UNA).remembering(f"{UNA} is a close friend of {TAVISH}")
        idle = moment(friend, seen(TAVISH))
        spent = planned(7, 9, "go on carving the oar", "Kelp Cottage")
        full = replace(idle, performed=(done_as(spent),))
        talks = [[decides(one, seed).choice for seed in SEEDS] for one in (idle, full)]
        empty, told = (choices.count("talk") for choices in talks)
        assert 0 < empty < told

    def test_does_not_greet_again_who_has_not_heard_the_first_words(self) -> None:
        words = f"Hello, {TAVISH.split()[0]}. How are things?"
        unheard = replace(
            seen(TAVISH), reasons=(ReasonToTalk(kind=TalkReason.UNANSWERED, text=words),)
        )
        friend = Speaker(UNA).remembering(f"{UNA} is a close friend of {TAVISH}")
        said = {decides(moment(friend, unheard), seed).say for seed in SEEDS} - {""}
        acts = {heard.act for text in said for heard in PHRASES.understand(text)}
        assert said
        assert "greeting" not in acts

    def test_needs_one_who_is_free(self) -> None:
        busy = replace(seen(TAVISH), may_talk=False)
        friend = Speaker(UNA).remembering(f"{UNA} is a close friend of {TAVISH}")
        assert share_of_talks(moment(friend, busy)) == 0

    def test_tells_no_news_to_its_teller(self) -> None:
        heard = memory(
            f"{TAVISH} told {UNA} that {MOR} will marry {FINN} on June 9, 1872",
            MemoryOrigin.LEARNED,
            subject=TAVISH,
        )
        for seed in SEEDS:
            assert (
                "marry" not in decides(moment(Speaker(UNA, (heard,)), seen(TAVISH)), seed).what
            )


@given(
    phrases=st.lists(st.text(max_size=80), max_size=4),
    state=st.text(max_size=40),
    seed=st.integers(0, 2**32),
)
@settings(deadline=None)
def test_any_input_has_an_answer_that_the_task_accepts(
    phrases: list[str], state: str, seed: int
) -> None:
    una = Speaker(UNA).remembering(*phrases)
    thing = ObservedObject(name="thing", state=state)
    answer = decides(moment(una, thing, seen(TAVISH)), seed)
    assert 1 <= answer.observation <= 2
    assert answer.choice == "go on" or answer.what.strip()
