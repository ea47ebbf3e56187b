"""What somebody has decided to say, and to whom."""

import pytest

from apps.rule_model.reading.messages import messages_for
from apps.rule_model.reading.news import strength_of

EDDY, MEI = "Eddy Lin", "Mei Lin"
DECIDED = f"{EDDY} has decided to "
LEAVES = f"that {EDDY} wants to leave college"


@pytest.mark.parametrize(
    ("decided", "kin", "message"),
    [
        (f"tell their mother {LEAVES}", "mother", f"tell {MEI} {LEAVES}"),
        (f"tell their mom {LEAVES}", "parents", f"tell {MEI} {LEAVES}"),
        (
            f"tell their mother {EDDY} wants a dog",
            "mother",
            f"tell {MEI} that {EDDY} wants a dog",
        ),
        (f"tell his wife {LEAVES}", "spouse", f"tell {MEI} {LEAVES}"),
        (f"tell Mei {LEAVES}", "", f"tell {MEI} {LEAVES}"),
        (f"ask {MEI} for help", "", f"ask {MEI} for help"),
        ("apologize to their wife for it", "spouse", f"apologize to {MEI} for it"),
    ],
)
def test_is_for_who_is_named_or_meant(decided: str, kin: str, message: str) -> None:
    assert messages_for(MEI, EDDY, [f"{DECIDED}{decided}"], kin=kin) == [message]


@pytest.mark.parametrize(
    ("memory", "kin"),
    [
        (f"{DECIDED}tell their mother {LEAVES}", "father"),
        (f"{DECIDED}tell their mother {LEAVES}", ""),
        (f"{DECIDED}tell John Lin {LEAVES}", "mother"),
        (f"John Lin has decided to tell {MEI} {LEAVES}", "mother"),
        (f"{DECIDED}write a novel", "mother"),
    ],
)
def test_is_for_nobody_else(memory: str, kin: str) -> None:
    assert messages_for(MEI, EDDY, [memory], kin=kin) == []


def test_is_left_until_a_talk_was_about_it() -> None:
    decided = f"{DECIDED}tell {MEI} {LEAVES}"
    message, talked = f"tell {MEI} {LEAVES}", f"{EDDY} and {MEI} talked about"
    other, same = f"{talked} the election", f"{talked} the news {LEAVES}"
    assert messages_for(MEI, EDDY, [decided, other], kin="") == [message]
    assert messages_for(MEI, EDDY, [decided, same], kin="") == []
    assert messages_for(MEI, EDDY, [decided], kin="", said=["I want to leave college."]) == []


@pytest.mark.parametrize(
    "core",
    [
        f"{EDDY} is going to tell {EDDY}'s mother {LEAVES}",
        f"{EDDY} has decided to tell their mother {LEAVES}",
        f"{EDDY} will tell his wife {LEAVES}",
    ],
)
def test_that_it_is_to_be_said_is_no_news(core: str) -> None:
    assert strength_of(core, EDDY) == 0
    assert strength_of(f"{EDDY} is going to leave college", EDDY) > 0
