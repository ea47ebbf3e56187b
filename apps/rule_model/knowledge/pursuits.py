"""What an agent works on, and what it wants to know of everybody."""

import re
from collections.abc import Iterable, Sequence

from apps.memory.items import MemoryItem
from apps.rule_model.language.topics import stems_of
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


def questions(memories: Iterable[MemoryItem], agent: str) -> list[str]:
    """Return what the agent wants to know of everybody, best first: "who ..."."""
    found = []
    for memory in memories:
        if memory.description.startswith(f"{agent} "):
            match = _QUESTION.match(memory.description.removeprefix(agent).strip())
            if match:
                found.append(match["question"].rstrip("."))
    return found


def is_answered(question: str, known: Sequence[str]) -> bool:
    """Return whether a sentence that asks nothing holds what is asked: all words but one."""
    asked = stems_of(question)
    telling = (sentence for sentence in known if not _ASKS.search(sentence))
    return any(len(asked & stems_of(sentence)) >= len(asked) - 1 for sentence in telling)
