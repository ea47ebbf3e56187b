"""Several steps told in one text, and read back (stand-in)."""

from apps.rule_model.planning.telling import Told, as_text, joint, last_step, shares, told_steps

NOON, HALF_PAST_TWELVE = 720, 750
MORNING = joint("write poems", HALF_PAST_TWELVE, "have lunch")


class TestTelling:
    def test_says_when_the_next_step_begins(self) -> None:
        assert MORNING == "write poems, then from 12:30 pm have lunch"
        assert last_step(MORNING) == "have lunch"

    def test_is_read_back(self) -> None:
        steps = told_steps(MORNING, 600)
        assert steps == [Told(600, "write poems"), Told(HALF_PAST_TWELVE, "have lunch")]
        assert as_text(steps) == MORNING

    def test_leaves_one_step_as_it_is(self) -> None:
        assert told_steps("take a walk, then rest", 600) == [
            Told(600, "take a walk, then rest")
        ]

    def test_goes_on_after_midnight(self) -> None:
        told = joint("write a novel", 24 * 60 + 30, "read a book")
        assert told_steps(told, 21 * 60)[1] == Told(24 * 60 + 30, "read a book")

    def test_keeps_in_the_past_what_is_over(self) -> None:
        # An hour that is planned anew a little later has its first step behind it.
        assert told_steps(MORNING, 760)[1].start == HALF_PAST_TWELVE


class TestShares:
    def test_holds_both_steps_of_an_hour_in_which_the_second_begins(self) -> None:
        steps = told_steps(MORNING, 600)
        assert shares(steps, NOON, 780) == [
            Told(NOON, "write poems"),
            Told(HALF_PAST_TWELVE, "have lunch"),
        ]

    def test_leaves_out_what_is_only_touched(self) -> None:
        steps = told_steps(MORNING, 600)
        assert shares(steps, 690, 760) == [Told(690, "write poems")]

    def test_goes_on_with_the_last_step(self) -> None:
        steps = told_steps(MORNING, 600)
        assert shares(steps, 780, 840) == [Told(780, "have lunch")]
