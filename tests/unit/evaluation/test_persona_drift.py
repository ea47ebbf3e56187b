"""How an agent's time, summary and badge are counted, on values written by hand."""

from xml.etree import ElementTree as ET

import pytest

from apps.agents.track import Action
from apps.evaluation.quality.counts import quality_badge
from apps.evaluation.quality.persona_drift import (
    AgentDrift,
    DriftOfDay,
    action_shares,
    has_statement,
    mean_drift,
)
from apps.evaluation.statistics.bootstrap import jensen_shannon_divergence

NAMES = frozenset({"isabella", "rodriguez"})


def action(from_tick: int, used: str, *, asleep: bool = False, towards: str = "") -> Action:
    return Action(
        from_tick=from_tick, until_tick=from_tick + 1, description="", emoji="", area="hall",
        object=used, object_state="", asleep=asleep, towards=towards, plan_item=0, event="",
    )  # fmt: skip


class TestTheSharesOfADay:
    def test_count_the_ticks_within_it_by_what_is_used(self) -> None:
        done = [action(0, "bed", asleep=True), action(10, "stove"), action(20, ""),
                action(25, "", towards="cafe"), action(30, "desk")]  # fmt: skip
        assert action_shares(done, 15, 40) == {"desk": 0.5, "hall": 0.25, "stove": 0.25}

    def test_are_empty_of_a_day_in_bed(self) -> None:
        assert action_shares([action(0, "bed", asleep=True)], 0, 40) == {}

    def test_diverge_by_one_bit_when_nothing_is_done_again(self) -> None:
        first = action_shares([action(0, "stove")], 0, 10)
        second = action_shares([action(0, "desk")], 10, 20)
        assert jensen_shannon_divergence(first, second) == pytest.approx(1.0)
        assert jensen_shannon_divergence(first, first) == 0


class TestAStatementInASummary:
    def test_is_found_in_other_words_of_one_sentence(self) -> None:
        summary = "Isabella is friendly. Isabella Rodriguez owns Hobbs Cafe and runs it well."
        assert has_statement(summary, "Isabella Rodriguez owns Hobbs Cafe", NAMES)

    def test_is_not_found_by_the_name_alone(self) -> None:
        assert not has_statement(
            "Isabella Rodriguez sleeps.", "Isabella Rodriguez is 34", NAMES
        )

    def test_is_not_put_together_from_several_sentences(self) -> None:
        summary = "Isabella owns a boat. She likes Hobbs. A cafe is near."
        assert not has_statement(summary, "Isabella owns Hobbs Cafe downtown", NAMES)


def drift(agent: str, *kept: float | None) -> AgentDrift:
    """Return the drift of an agent whose description is kept to these shares, day by day."""
    days = tuple(
        DriftOfDay(
            date=f"2023-02-{13 + day}",
            seeds_in_summary=None,
            occupation_in_summary=None,
            facts_kept=share,
            occupation_kept=None,
            pursuits_kept=None,
            facts_added=day,
            action_divergence=None,
        )
        for day, share in enumerate(kept)
    )
    return AgentDrift(agent=agent, days=days)


class TestTheMeanDrift:
    def test_is_that_of_the_latest_day(self) -> None:
        agents = [drift("isabella", 1.0, 0.5), drift("klaus", 1.0, 0.75)]
        assert mean_drift(agents, "facts_kept") == 0.625
        assert mean_drift(agents, "facts_added") == 1

    def test_leaves_out_agents_without_a_value(self) -> None:
        agents = [drift("isabella", 0.5), drift("klaus", None)]
        assert mean_drift(agents, "facts_kept") == 0.5
        assert mean_drift(agents, "seeds_in_summary") is None

    def test_has_no_value_before_the_first_day_ends(self) -> None:
        assert mean_drift([drift("isabella")], "facts_kept") is None


class TestTheBadge:
    @pytest.mark.parametrize(
        ("passed", "checks", "message", "colour"),
        [
            (17, 17, "17/17 checks", "#2e7d32"),
            (15, 17, "15/17 checks", "#9a6700"),
            (9, 17, "9/17 checks", "#b3261e"),
            (0, 0, "no whole day yet", "#5f6368"),
        ],
    )
    def test_says_how_many_checks_passed(
        self, passed: int, checks: int, message: str, colour: str
    ) -> None:
        image = ET.fromstring(quality_badge(passed, checks))  # noqa: S314 (our own)
        space = "{http://www.w3.org/2000/svg}"
        assert [one.text for one in image.iter(f"{space}text")] == ["run quality", message]
        assert image.attrib["aria-label"] == f"run quality: {message}"
        assert [one.attrib["fill"] for one in image.iter(f"{space}rect")][-1] == colour
