"""A conversation that is over, as one of the two has understood it."""

from dataclasses import dataclass
from datetime import date

from apps.dialogue.inputs import TakeawaysInput
from apps.rule_model.dialogue.invitations import proposed
from apps.rule_model.knowledge.gatherings import Gathering
from apps.rule_model.language.moments import written
from apps.rule_model.language.names import subject_of
from apps.rule_model.language.persons import in_third_person
from apps.rule_model.phrasebook import PHRASES, Heard

_PROPOSALS = frozenset({"invitation", "outing", "request"})
_ANSWERS = {
    "accept": "accept",
    "offer_of_help": "accept",
    "decline": "decline",
    "refusal_of_help": "decline",
    "maybe": "maybe",
}


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a conversation: in which line, by whom, and what it does.

    `core` is what it tells, in the third person and with dates in full, and `subject` the
    agent that this is about; both are "" for nothing.
    """

    line: int
    speaker: str
    act: str
    core: str
    subject: str
    source: str
    proposal: Gathering | None


@dataclass(frozen=True, slots=True)
class Proposal:
    """What an agent proposed to the other, and the answer: accept, decline, maybe or ""."""

    by: str
    act: str
    gathering: Gathering
    answer: str


@dataclass(frozen=True, slots=True)
class Talk:
    """The sentences of a conversation, and what was proposed in it; `me` looks back."""

    me: str
    you: str
    today: date
    sentences: tuple[Sentence, ...]
    proposals: tuple[Proposal, ...]

    def answered(self, by: str, answer: str) -> list[Proposal]:
        """Return the proposals of one of the two that were answered so."""
        return [one for one in self.proposals if one.by == by and one.answer == answer]

    def did(self, by: str, act: str) -> bool:
        """Return whether one of the two has done so."""
        return any(one.speaker == by and one.act == act for one in self.sentences)


def talk_of(given: TakeawaysInput) -> Talk:
    """Return the conversation of an input, understood."""
    me, you, today = given.agent_name, given.other_name, given.now.date()
    sentences = tuple(
        _sentence(number, line.speaker, you if line.speaker == me else me, heard, today)
        for number, line in enumerate(given.lines, start=1)
        for heard in PHRASES.understand(line.text)
    )
    proposals = tuple(
        Proposal(one.speaker, one.act, one.proposal, _answer(sentences[at + 1 :], one))
        for at, one in enumerate(sentences)
        if one.proposal is not None
    )
    return Talk(me, you, today, sentences, proposals)


def _sentence(line: int, speaker: str, listener: str, heard: Heard, today: date) -> Sentence:
    core = written(in_third_person(heard.slots.get("news", ""), speaker, listener), today)
    source = in_third_person(heard.slots.get("teller", ""), speaker, listener)
    if heard.act == "request":
        heard = Heard(
            "request", heard.sentence, {"deed": _helping(heard.slots.get("what", ""))}
        )
    is_proposal = heard.act in _PROPOSALS
    return Sentence(
        line=line,
        speaker=speaker,
        act=heard.act,
        core=core,
        subject=subject_of(core, (speaker, listener)) if core else "",
        source=source,
        proposal=proposed(heard, speaker, listener, today) if is_proposal else None,
    )


def _helping(what: str) -> str:
    return what if what.startswith(("help", "give", "lend", "bring")) else f"help me {what}"


def _answer(later: tuple[Sentence, ...], proposal: Sentence) -> str:
    """Return the last answer before the next proposal of the same speaker."""
    found = ""
    for one in later:
        if one.speaker == proposal.speaker and one.proposal is not None:
            break
        if one.speaker != proposal.speaker:
            found = _ANSWERS.get(one.act, found)
    return found
