"""A name that nobody has leads to those who may be meant."""

import pytest

from apps.agents.naming import NEAR_MAX, AgentUnknown, near_to

TOWN = ("eddy-lin", "isabella-rodriguez", "john-lin", "klaus-mueller", "mei-lin")


class TestNearTo:
    @pytest.mark.parametrize(
        ("words", "near"),
        [
            ("Isabella Rodriguez", ("isabella-rodriguez",)),
            ("rodriguez,  ISABELLA", ("isabella-rodriguez",)),
            ("Klaus", ("klaus-mueller",)),
            ("Lin", ("eddy-lin", "john-lin", "mei-lin")),
            ("Mei Lin", ("mei-lin",)),
            ("isabela-rodrigues", ("isabella-rodriguez",)),
            ("nobody", ()),
            ("Klaus Lin", ()),
            ("li", ()),
            ("", ()),
            ("\x00 ':--", ()),
        ],
    )
    def test_finds_who_has_all_of_the_words_or_nearly_the_name(
        self, words: str, near: tuple[str, ...]
    ) -> None:
        assert near_to(words, TOWN) == near

    def test_finds_few(self) -> None:
        assert len(near_to("lin", [f"lin-{number}" for number in range(50)])) == NEAR_MAX


class TestAgentUnknown:
    def test_says_who_may_be_meant(self) -> None:
        assert AgentUnknown("Eddy", TOWN).message == (
            "there is no agent 'Eddy'; did you mean 'eddy-lin'?"
        )
        assert AgentUnknown("Lin", TOWN).message.endswith(
            "did you mean 'eddy-lin', 'john-lin' or 'mei-lin'?"
        )

    def test_says_where_people_are_listed_if_it_is_nobody(self) -> None:
        unknown = AgentUnknown("x" * 10_000, TOWN)
        assert unknown.message.endswith("; GET …/agents lists the agents")
        assert len(unknown.message) < 200
        assert unknown.near == ()
