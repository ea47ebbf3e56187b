"""How an agent stands to others, what it works on and what it wonders, by its own memories."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from apps.agents.status import STRANGER, Acquaintance, Standing, TieKind
from apps.memory.events import MemoryOrigin
from apps.memory.items import MemoryItem
from apps.rule_model.content import patterns, vocabulary
from apps.rule_model.language.subjects import (
    people_in,
    stems_of,
    topic_of,
)

_PATTERNS = patterns("pursuits")

# As many remembered conversations make friends of a kind.
TALKS_OF_FRIENDS = 4
PATTERNS_KEPT = 4_096
_TIES = vocabulary("phrases_knowledge")["relationships"]
_TOLD = frozenset({MemoryOrigin.DESCRIPTION, MemoryOrigin.INSIGHT})
_OUTGOING, _SHY = (frozenset(_TIES[name].split()) for name in ("outgoing", "shy"))
_BAD = frozenset({Standing.COOL, Standing.HOSTILE})
_NEAR = ("close", "friend", "shares")
_SPOUSES = frozenset({"wife", "husband", "married"})


class Closeness(IntEnum):
    """How close an agent feels to another one."""

    STRANGER = 0
    ACQUAINTED = 1
    FRIEND = 2
    CLOSE = 3
    FAMILY = 4


@dataclass(frozen=True, slots=True)
class Relationship:
    """How an agent stands to another one; `kin` is what the other is to it, "" for none."""

    closeness: Closeness = Closeness.STRANGER
    kin: str = ""
    in_love: bool = False
    dislikes: bool = False

    @property
    def is_warm(self) -> bool:
        """Whether the agent likes to see the other agent."""
        return (self.closeness >= Closeness.FRIEND or self.in_love) and not self.dislikes

    @property
    def opinion(self) -> int:
        """The agent's opinion of the other agent: 1 good, -1 bad, 0 neither."""
        return -1 if self.dislikes else int(self.is_warm)


def relationship(
    agent: str,
    other: str,
    memories: Sequence[MemoryItem],
    acquaintance: Acquaintance = STRANGER,
) -> Relationship:
    """Return the relationship of the agent to the other, by memories and acquaintance."""
    about = [one for one in memories if other in one.description or one.subject_name == other]
    told = (one.description for one in about if one.origin in _TOLD)
    said = (*acquaintance.facts, *told)
    phrases = [one for one in said if one.startswith(agent) and other in one]
    is_known = acquaintance.tie not in {None, TieKind.BY_NAME}
    have_met = is_known or bool(acquaintance.home) or acquaintance.last_talk is not None
    talks = sum(one.origin is MemoryOrigin.CONVERSATION for one in about)
    kin = _kin(phrases, other)
    closeness = _closeness(phrases, other, talks, have_met=have_met)
    return Relationship(
        closeness=Closeness.FAMILY if kin else closeness,
        kin="spouse" if kin in _SPOUSES else kin,
        in_love=_any("love", phrases, other),
        dislikes=acquaintance.standing in _BAD or _any("dislike", phrases, other),
    )


def tie_of(of_other: Relationship, other: str, said: Sequence[str]) -> TieKind:
    """Return the kind of tie to the other agent that the words about both name."""
    if of_other.kin:
        return TieKind(_TIES["ties_of_kin"][of_other.kin])
    if _any("never_met", said, other):
        return TieKind.BY_NAME
    words = _TIES["ties"].items()
    named = (tie for tie, text in words if any(re.search(text, one) for one in said))
    return TieKind(next(named, TieKind.ACQUAINTANCE))


def confidants_in(said: Sequence[str]) -> list[str]:
    """Return the names of the relatives, friends and housemates in the statements."""
    about = {name: [one for one in said if name in one] for name in people_in("; ".join(said))}
    named = [(name, phrases) for name, phrases in about.items() if _any("named", phrases, name)]
    near = [name for name, phrases in named if any(_any(it, phrases, name) for it in _NEAR)]
    return [*near, *(name for name in about if name not in near and _kin(about[name], name))]


def sociability(traits: Iterable[str]) -> int:
    """Return 1 for outgoing traits, -1 for shy ones, 0 for neither or both."""
    known = frozenset(trait.lower() for trait in traits)
    return bool(known & _OUTGOING) - bool(known & _SHY)


def _closeness(phrases: Sequence[str], other: str, talks: int, *, have_met: bool) -> Closeness:
    never_met = _pattern("never_met", other)
    met = [phrase for phrase in phrases if not never_met.search(phrase)]
    if _any("close", met, other):
        return Closeness.CLOSE
    if talks >= TALKS_OF_FRIENDS or _any("friend", met, other):
        return Closeness.FRIEND
    return Closeness.ACQUAINTED if met or talks or have_met else Closeness.STRANGER


def _kin(phrases: Sequence[str], other: str) -> str:
    matches = (pattern.search(one) for one in phrases for pattern in _kin_patterns(other))
    found = [match["kin"] for match in matches if match]
    # "parents" may be either: what says more comes first.
    return min(found, key=lambda kin: kin == "parents", default="")


def _any(name: str, phrases: Sequence[str], other: str) -> bool:
    return any(_pattern(name, other).search(phrase) for phrase in phrases)


@lru_cache(maxsize=PATTERNS_KEPT)
def _pattern(name: str, other: str) -> re.Pattern[str]:
    return re.compile(_TIES[name].replace("OTHER", re.escape(other)))


@lru_cache(maxsize=PATTERNS_KEPT)
def _kin_patterns(other: str) -> tuple[re.Pattern[str], ...]:
    texts = (text.replace("KIN", _TIES["kin"]) for text in _TIES["kin_of"])
    return tuple(re.compile(text.replace("OTHER", re.escape(other))) for text in texts)


def is_pursuit(core: str, subject: str) -> bool:
    """Return whether the sentence says what its subject works on, beyond the moment."""
    said = core.removeprefix(subject).strip()
    is_work = subject and _PATTERNS["pursuit"].match(said)
    return bool(is_work) and not _PATTERNS["momentary"].search(said)


def work_of(name: str, memories: Iterable[MemoryItem]) -> Iterator[str]:
    """Yield the works of agents in the memories: "Ada Finch's book"."""
    for memory in memories:
        core = memory.description
        if memory.origin is MemoryOrigin.LEARNED:
            core = core.partition(" that ")[2]
        topic = topic_of(core, name) if is_pursuit(core, name) else ""
        if topic.startswith(f"{name}'s "):
            yield topic


def questions(memories: Sequence[MemoryItem], agent: str) -> list[str]:
    """Return what the agent wants to know of everybody, best first: "who ..."."""
    said = (one.description.removeprefix(f"{agent} ") for one in memories)
    found = (_PATTERNS["wondering"].match(text) for text in said)
    return [match["question"].rstrip(".") for match in found if match]


def open_questions(memories: Sequence[MemoryItem], agent: str) -> Iterator[str]:
    """Yield what the agent wants to know of everybody, and no memory answers."""
    known = [one.description for one in memories]
    return (one for one in questions(memories, agent) if not is_answered(one, known))


def is_answered(question: str, known: Iterable[str]) -> bool:
    """Return whether a statement answers the question: it has all words but one."""
    asked = stems_of(question)
    telling = (sentence for sentence in known if not _PATTERNS["asks"].search(sentence))
    return any(len(asked & stems_of(sentence)) >= len(asked) - 1 for sentence in telling)
