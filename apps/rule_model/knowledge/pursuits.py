"""What an agent works on, wants to know of everybody, and has decided to say to another one."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from apps.memory.events import MemoryOrigin
from apps.memory.items import MemoryItem
from apps.rule_model.language.subjects import first_name, is_about, stems_of, topic_of
from apps.rule_model.language.words import patterns, vocabulary

_CALLED: dict[str, str] = vocabulary("phrases_knowledge")["called"]
_PATTERNS = patterns("pursuits")
_SAID = frozenset({MemoryOrigin.CONVERSATION, MemoryOrigin.OWN_UTTERANCE, MemoryOrigin.OPINION})
_VERBS = stems_of("tell ask invite thank apologize apologise say sorry")


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


@dataclass(frozen=True, slots=True)
class Message:
    """What is to be said to another agent: a verb ("tell"), and the rest ("that ...")."""

    verb: str
    rest: str

    @property
    def statement(self) -> str:
        """The news to tell, "" for other purposes."""
        return self.rest.removeprefix("that ") if self.verb == "tell" else ""

    def intent(self, other: str) -> str:
        """Return the message as an intent: "tell Ada Park that ..."."""
        return f"{self.verb} {other} {self.rest}".strip()


def messages(
    agent: str,
    other: str,
    memories: Sequence[MemoryItem],
    *,
    kin: str,
    said: Iterable[str] = (),
) -> list[Message]:
    """Return what the agent has decided to say to the other one and has not said yet.

    `kin` is what the other one is to the agent, "" for none; `said` are texts that were said.
    """
    with_other = (one for one in memories if one.subject_name == other)
    heard = [*said, *(one.description for one in with_other if one.origin in _SAID)]
    found = dict.fromkeys(_decided(agent, other, memories, kin))
    return [one for one in found if not _was_said(one, (agent, other), heard)]


def _decided(
    agent: str, other: str, memories: Iterable[MemoryItem], kin: str
) -> Iterator[Message]:
    for memory in memories:
        if memory.origin is not MemoryOrigin.DECIDED or memory.scheduled is None:
            continue
        decided = " ".join(memory.scheduled.activity.split()).rstrip(".")
        match = _PATTERNS["decided"].match(decided)
        if match is None:
            continue
        name = match["to"] or match["called"]
        is_named = name in (other, first_name(other))
        if is_named or (not name and match["kin"] in _CALLED.get(kin, "").split()):
            rest = match["rest"].strip()
            yield Message(match["verb"], f"that {rest}" if rest.startswith(agent) else rest)


def _was_said(message: Message, both: tuple[str, str], heard: Iterable[str]) -> bool:
    words = stems_of(message.rest) - _VERBS - stems_of(" ".join(both))
    return any(is_about(text, words) for text in heard)
