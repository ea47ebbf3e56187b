"""The summary description reads as the paper's does (S1, appendix A)."""

from dataclasses import replace

from apps.agents.identity import Hours, Identity
from apps.self_summary.rules import summary_text

EDDY = Identity(
    slug="eddy-lin",
    name="Eddy Lin",
    age=19,
    traits=("friendly", "outgoing", "hospitable"),
    hours=Hours(wake=420, sleep=1_380),
    home="Lin family's house: Eddy Lin's bedroom",
    bed="Lin family's house: Eddy Lin's bedroom: bed",
    workplace=None,
)


class TestSummaryText:
    def test_puts_identity_before_the_three_summaries(self) -> None:
        text = summary_text(EDDY, ("He loves music.", "He studies.", "He is glad."))
        assert text.splitlines() == [
            "Name: Eddy Lin (age: 19)",
            "Innate traits: friendly, outgoing, hospitable",
            "He loves music.",
            "He studies.",
            "He is glad.",
        ]

    def test_leaves_no_line_for_what_is_not_known(self) -> None:
        assert len(summary_text(EDDY, ("", "He studies.", " ")).splitlines()) == 3

    def test_leaves_no_line_for_traits_that_nobody_named(self) -> None:
        assert "traits" not in summary_text(replace(EDDY, traits=()), ())
