"""Finds in memories how a person stands to another (stand-in, not a language model).

Only what the person's own sentences say of the other counts, so it need not be mutual.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

# So many remembered conversations make of people who know each other friends of a kind.
TALKS_OF_FRIENDS = 4


class Closeness(IntEnum):
    """How close somebody feels to somebody else."""

    STRANGER = 0
    ACQUAINTED = 1
    FRIEND = 2
    CLOSE = 3
    FAMILY = 4


@dataclass(frozen=True, slots=True)
class Tie:
    """How a person stands to another; `kin` is what the other is to them, "" if no kin."""

    closeness: Closeness = Closeness.STRANGER
    kin: str = ""
    in_love: bool = False
    dislikes: bool = False

    @property
    def warm(self) -> bool:
        """Whether the person is glad to see the other."""
        return (self.closeness >= Closeness.FRIEND or self.in_love) and not self.dislikes


_KIN = "wife|husband|son|daughter|father|mother|brother|sister"
_SPOUSES = frozenset({"wife", "husband", "spouse"})
# OTHER stands for the name of the other one.
_OF_KIN = (
    rf"\b(?:his|her|their) (?P<kin>{_KIN}),? OTHER\b",
    rf"\bOTHER,? (?:is )?(?:his|her|their) (?P<kin>{_KIN})\b",
    r"\b(?:his|her|their) (?P<kin>parents),? (?:[\w ]+ and )?OTHER\b",
    r"\b(?P<kin>married) to OTHER\b",
)
_CLOSE = (
    r"\bclose friends?\b|\bclose (?:classmate )?of OTHER\b|\bvery close\b|\bbest friend|"
    r"\bgood friends?\b|\bloves OTHER\b|\blike a (?:son|daughter|brother|sister)\b|"
    r"\bas a mentor\b|\bclose classmate\b"
)
_FRIEND = (
    r"\bfriends?\b|\blikes (?:him|her|OTHER)\b|\b(?:kind|nice)(?:-hearted)?\b|"
    r"\bsomewhat close to\b"
)
_LOVE = r"\bcrush on OTHER\b|\bin love with OTHER\b|\bcute\b"
_DISLIKE = (
    r"\b(?:dislikes|hates|despises) (?:him|her|them|OTHER)\b|\bOTHER is annoying\b|\bcoward\b|"
    r"\bnever see (?:him|her|them)\b|\btoo (?:pushy|aggressive)\b|\ba little too pushy\b|"
    r"\buncomfortable around (?:him|her|them|OTHER)\b|\bnot care for (?:him|her|them|OTHER)\b|"
    r"\bcomplaints about OTHER\b|\bagainst OTHER\b"
)
_NEVER_MET = re.compile(r"\bhas heard of\b.*\b(?:never|not)\b")
_TOLD = re.compile(r"\b(?:talked|told|invited|asked|agreed|greeted each other)\b")


def tie_to(other: str, agent: str, memories: Sequence[str]) -> Tie:
    """Return how the agent stands to the other by the agent's memories of them."""
    named = [memory for memory in memories if other in memory]
    own = [memory for memory in named if memory.startswith(agent)]
    kins = [found for memory in own if (found := _kin(memory, other))]
    # "his parents" may be either: what says more comes first.
    kin = min(kins, key=lambda said: said == "parents", default="")
    ties = [memory for memory in own if not _TOLD.search(memory)]
    talks = sum(1 for memory in named if _is_talk(memory, agent, other))
    return Tie(
        closeness=Closeness.FAMILY if kin else _closeness(ties, talks, other),
        kin="spouse" if kin in _SPOUSES or kin == "married" else kin,
        in_love=any(_says(_LOVE, memory, other) for memory in ties),
        dislikes=any(_says(_DISLIKE, memory, other) for memory in ties),
    )


def opinion_of(subject: str, agent: str, memories: Sequence[str]) -> int:
    """Return what the agent thinks of the subject: 1 well, -1 badly, 0 nothing known."""
    tie = tie_to(subject, agent, memories)
    if tie.dislikes:
        return -1
    return 1 if tie.closeness >= Closeness.FRIEND or tie.in_love else 0


def _closeness(own: Sequence[str], talks: int, other: str) -> Closeness:
    met = [memory for memory in own if not _NEVER_MET.search(memory)]
    if any(_says(_CLOSE, memory, other) for memory in met):
        return Closeness.CLOSE
    if talks >= TALKS_OF_FRIENDS or any(_says(_FRIEND, memory, other) for memory in met):
        return Closeness.FRIEND
    return Closeness.ACQUAINTED if talks or met else Closeness.STRANGER


def _is_talk(memory: str, agent: str, other: str) -> bool:
    """Whether the memory is the gist of a conversation of the two."""
    return memory.startswith((f"{agent} and {other} ", f"{other} and {agent} "))


def _kin(memory: str, other: str) -> str:
    for pattern in _OF_KIN:
        match = re.search(pattern.replace("OTHER", re.escape(other)), memory)
        if match:
            return match["kin"]
    return ""


def _says(pattern: str, memory: str, other: str) -> bool:
    return re.search(pattern.replace("OTHER", re.escape(other)), memory) is not None
