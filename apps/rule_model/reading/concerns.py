"""Finds what somebody works on and what they want to know of everybody (stand-in).

Not a language model: a few verbs of working and of wondering behind the person's name.
"""

import re
from collections.abc import Sequence

from apps.rule_model.reading.topics import stems_of

_WORKING = "|".join(
    (
        "writing|working on|preparing|planning|filming|developing|drawing|composing|painting",
        "studying for|training for|learning|putting together|looking for|experimenting with",
        "gathering|organizing|building",
    )
)
_PURSUIT = re.compile(
    rf"^(?:is|has been) (?:now |currently )?(?:{_WORKING}) .|^(?:studies|teaches) "
)
# A piece of work at a table is of the moment.
_AT = (
    r"table|desk|counter|board|blackboard|seating|piano|easel|stove|shelf|shelves|bench|laptop|"
    r"computer"
)
_PIECE = (
    r"paragraph|page|sentence|chapter|line|frame|panel|thought|list|letter|captions?|exercise|"
    r"problem"
)
_MOMENTARY = re.compile(
    rf" (?:at|in|on|behind|from) (?:a|the|his|her) (?:[\w ]+ )?(?:{_AT})\b"
    rf"|\bwriting (?:down|out)\b|\b(?:{_PIECE})\b"
)
_WONDERING = "|".join(
    (
        r"asks everyone (?:he|she|they) meets?",
        r"is (?:\w+ )?curious",
        r"wonders",
        r"wants to know",
    )
)
_QUESTION = re.compile(
    rf"^(?:{_WONDERING}) (?P<question>(?:who|what|when|where|whether|why|how)\b.+)"
)
# A memory with one of these asks, and does not answer.
_ASKS = re.compile(r"\b(?:asks|asked|curious|wonders|who will)\b")


def is_pursuit(core: str, subject: str) -> bool:
    """Whether the sentence says what its subject works on, not just what they are doing."""
    said = core.removeprefix(subject).strip()
    return bool(subject) and _PURSUIT.match(said) is not None and not _MOMENTARY.search(said)


def question_in(memory: str, name: str) -> str:
    """Return what the person wants to know of everybody, "" for no such memory."""
    if not memory.startswith(f"{name} "):
        return ""
    match = _QUESTION.match(memory.removeprefix(name).strip())
    return match["question"].rstrip(".") if match else ""


def is_asking(memory: str) -> bool:
    """Whether the memory has a question in it rather than an answer."""
    return _ASKS.search(memory) is not None


def is_answered(question: str, known: Sequence[str]) -> bool:
    """Whether one of the sentences holds what is asked: all of its words but one."""
    asked = stems_of(question)
    telling = (sentence for sentence in known if not is_asking(sentence))
    return any(len(asked & stems_of(sentence)) >= len(asked) - 1 for sentence in telling)
