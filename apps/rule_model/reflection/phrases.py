"""The stand-in's sentences for questions and insights.

An insight has a ladder: who came to the thought of one rung steps up to the next, so that
what was concluded before is built upon. The sentences of one rung say much the same.
"""

from enum import Enum

from apps.rule_model.reflection.matters import Sort

Ladder = tuple[tuple[str, ...], ...]


class Feeling(Enum):
    """How somebody stands to somebody else, as far as statements tell."""

    LOVE = "love"
    COLD = "cold"
    KIN = "kin"
    WARM = "warm"
    PLAIN = "plain"


ABOUT_MATTER: dict[Sort, tuple[str, ...]] = {
    Sort.WORK: (
        "What does {who} care about in {what}?",
        "Why does {who} keep working on {what}?",
    ),
    Sort.FIELD: ("What does {who} find in {what}?", "Why does {who} care about {what}?"),
    Sort.EVENT: ("What should {who} do about {what}?", "What does {who} expect of {what}?"),
}
ABOUT_TIE = (
    "What is going on between {who} and {other}?",
    "What is the relationship between {who} and {other}?",
)
ABOUT_PLACE = ("What draws {who} to {place}?", "What does {who} find at {place}?")
ABOUT_LIFE = (
    "What matters most to {who} these days?",
    "Whom does {who} feel close to?",
    "What has {who} yet to do?",
)

OWN_MATTER: dict[Sort, Ladder] = {
    Sort.WORK: (
        ("{who} is dedicated to {what}", "{who} puts a lot of work into {what}"),
        ("{who} keeps coming back to {what}",),
        ("{who} puts {what} before most other things",),
        ("{who} would find it hard to give up {what}",),
    ),
    Sort.FIELD: (
        ("{who} is serious about {what}", "{who} has a real interest in {what}"),
        ("{who} keeps coming back to {what}",),
        ("{who} finds a good deal of meaning in {what}",),
        ("{who} would find it hard to give up {what}",),
    ),
    Sort.EVENT: (
        ("{who} has {what} in mind a good deal", "{who} takes a lively interest in {what}"),
        ("{who} cares about the outcome of {what}",),
        ("{who} puts {what} before most other things",),
    ),
}
AWAITED: Ladder = (
    ("{who} is looking forward to {what}", "{who} is getting ready for {what}"),
    ("{who} wants other people to enjoy {what}", "{who} cares about the outcome of {what}"),
    ("{who} puts {what} before most other things",),
)
TWO_MATTERS: Ladder = (
    ("{who} has to make room for both {what} and {more}",),
    ("{who} would not want to choose between {what} and {more}",),
)
SHARED_MATTER: Ladder = (
    ("{who} and {other} both care about {what}",),
    ("{who} and {other} have {what} in common",),
)
SHARED_DOING: Ladder = (
    ("{who} and {other} both spend a good deal of time {doing}",),
    ("{who} and {other} have more in common than they have said",),
)
OTHERS_MATTER: Ladder = (
    ("{other} puts a lot of work into {what}", "{other} is taken up with {what}"),
    ("{who} could ask {other} about {what}",),
)
OTHERS_PLACE: Ladder = (
    ("{other} is often at {place}",),
    ("{who} can expect to meet {other} at {place}",),
)
OWN_PLACE: Ladder = (
    ("{who} spends a good part of the day at {place}",),
    ("{who} feels at home at {place}",),
    ("{who} would miss {place}",),
)
TALK: Ladder = (
    ("{who} and {other} often talk", "{who} and {other} have a good deal to say to each other"),
    ("{who} values what {other} has to say",),
    ("{who} and {other} know each other well by now",),
)
TIE: dict[Feeling, Ladder] = {
    Feeling.LOVE: (
        ("{other} is often on {who}'s mind", "{who} has strong feelings for {other}"),
        ("{who} would like to be closer to {other}",),
        ("{who} is waiting for the right moment with {other}",),
    ),
    Feeling.COLD: (
        ("{who} does not get along with {other}", "{who} finds {other} hard to bear"),
        ("{who} would rather keep away from {other}",),
        ("{who} and {other} are unlikely to become friends",),
    ),
    Feeling.KIN: (
        ("{who} cares a great deal about {other}", "{other} comes first for {who}"),
        ("{who} and {other} are a steady part of each other's days",),
        ("{who} wants {other} to be well",),
    ),
    Feeling.WARM: (
        ("{who} is glad to have {other} around", "{who} gets along well with {other}"),
        ("{who} would like to spend more time with {other}",),
        ("{who} can count on {other}",),
    ),
    Feeling.PLAIN: (
        ("{who} and {other} often cross paths", "{who} often comes across {other}"),
        ("{who} has got used to having {other} around",),
        ("{who} could get to know {other} better",),
    ),
}


def sentence(pattern: str, **fills: str) -> str:
    """Return the sentence with its names, beginning with a capital letter."""
    told = pattern.format(**fills)
    return told[:1].upper() + told[1:]
