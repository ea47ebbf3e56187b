"""Finds what somebody has decided to say, and to whom (stand-in, not a language model).

"Eddy Lin has decided to tell their mother that Eddy Lin wants to leave college" is for Mei
Lin where she is his mother, and for nobody else.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from apps.rule_model.reading.names import first_name
from apps.rule_model.reading.topics import stems_of

# What somebody may be called, by what they are to the person.
_CALLED = {
    "spouse": frozenset({"wife", "husband", "spouse", "partner"}),
    "mother": frozenset({"mother", "mom", "mum", "parents"}),
    "father": frozenset({"father", "dad", "parents"}),
    "parents": frozenset({"mother", "mom", "mum", "father", "dad", "parents"}),
    "son": frozenset({"son", "child", "kid"}),
    "daughter": frozenset({"daughter", "child", "kid"}),
    "brother": frozenset({"brother"}),
    "sister": frozenset({"sister"}),
}
_KIN = "|".join(sorted(frozenset().union(*_CALLED.values())))
_NAME = r"[A-Z][\w'-]*(?: [A-Z][\w'-]*)?"
_DECIDED = re.compile(
    r"^ has decided to (?P<verb>tell|ask|invite|thank|apologi[sz]e to|say sorry to) "
    rf"(?:(?:his|her|their) (?P<kin>{_KIN})\b,?(?: (?P<called>{_NAME})(?=,| (?:that|to)\b))?,?|"
    rf"(?P<to>{_NAME}))(?P<rest> .+|)$"
)
_VERBS = stems_of("tell ask invite thank apologize apologise say sorry")


def messages_for(
    other: str, agent: str, memories: Sequence[str], *, kin: str, said: Iterable[str] = ()
) -> list[str]:
    """Return what the agent has decided to say to the other one: "tell Mei Lin that ...".

    `kin` is what the other one is to the agent, "" if no kin; what a remembered talk of the
    two was about, or `said` holds, has been said.
    """
    both = (agent, other)
    talks = (memory for memory in memories if _is_talk(memory, both))
    heard = [stems_of(text) for text in (*talks, *said)]
    messages = dict.fromkeys(_messages(other, agent, memories, kin))
    return [message for message in messages if not _was_said(message, both, heard)]


def _is_talk(memory: str, both: tuple[str, str]) -> bool:
    tells = " told " in memory or " talked " in memory
    return tells and all(name in memory for name in both)


def _was_said(message: str, both: tuple[str, str], heard: Iterable[frozenset[str]]) -> bool:
    """Whether one of the texts, as stems, holds all that the message says."""
    words = stems_of(message) - _VERBS - stems_of(" ".join(both))
    return bool(words) and any(words <= stems for stems in heard)


def _messages(other: str, agent: str, memories: Iterable[str], kin: str) -> Iterator[str]:
    for memory in memories:
        decided = _DECIDED.match(memory.removeprefix(agent)) if agent in memory else None
        if decided is None:
            continue
        name = decided["to"] or decided["called"]
        is_named = name in (other, first_name(other))
        if is_named or (not name and decided["kin"] in _CALLED.get(kin, frozenset())):
            yield f"{decided['verb']} {other}{_spelled_out(decided['rest'], agent)}".strip()


def _spelled_out(rest: str, agent: str) -> str:
    """Return "that X wants …" for the "X wants …" of "tell him X wants …"."""
    return f" that{rest}" if rest.startswith(f" {agent} ") else rest
