"""What an agent works on, and what it wants to know of everybody."""

import re
from collections.abc import Iterable, Iterator, Sequence

from apps.memory.events import MemoryOrigin
from apps.memory.items import MemoryItem
from apps.rule_model.language.topics import stems_of, topic_of
from apps.rule_model.language.words import vocabulary

_PATTERNS = vocabulary("phrases_knowledge")["pursuits"]
_PURSUIT = re.compile(
    rf"^(?:is|has been) (?:now |currently )?(?:{_PATTERNS['working']}) .|^(?:studies|teaches) "
)
_MOMENTARY = re.compile(_PATTERNS["momentary"])
_QUESTION = re.compile("^" + _PATTERNS["wondering"])
_ASKS = re.compile(r"\b(?:asks|asked|curious|wonders)\b")


def is_pursuit(core: str, subject: str) -> bool:
    """Return whether the sentence says what its subject works on, beyond the moment."""
    said = core.removeprefix(subject).strip()
    return bool(subject) and _PURSUIT.match(said) is not None and not _MOMENTARY.search(said)


def work_of(name: str, memories: Iterable[MemoryItem]) -> Iterator[str]:
    """Yield what the memories say that somebody works on: "Ada Finch's book"."""
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
    found = (_QUESTION.match(text) for text in said)
    return [match["question"].rstrip(".") for match in found if match]


def open_questions(memories: Sequence[MemoryItem], agent: str) -> Iterator[str]:
    """Yield what the agent wants to know of everybody, and no memory answers."""
    known = [one.description for one in memories]
    return (one for one in questions(memories, agent) if not is_answered(one, known))


def is_answered(question: str, known: Iterable[str]) -> bool:
    """Return whether a sentence that asks nothing holds what is asked: all words but one."""
    asked = stems_of(question)
    telling = (sentence for sentence in known if not _ASKS.search(sentence))
    return any(len(asked & stems_of(sentence)) >= len(asked) - 1 for sentence in telling)
