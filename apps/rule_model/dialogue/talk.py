"""A conversation that is over, as one of the two has understood it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from apps.dialogue.inputs import TakeawaysInput
from apps.rule_model.dialogue.invitations import proposed
from apps.rule_model.knowledge.gatherings import Gathering
from apps.rule_model.language.moments import written
from apps.rule_model.language.persons import in_third_person
from apps.rule_model.phrasebook import PHRASES, Heard

PROPOSALS = frozenset({"invitation", "outing", "request"})
ANSWERS = frozenset({"accept", "decline", "maybe", "offer_of_help", "refusal_of_help"})


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a conversation: in which line, by whom, and what it does."""

    line: int
    speaker: str
    listener: str
    heard: Heard
    today: date

    @property
    def act(self) -> str:
        """What the sentence does."""
        return self.heard.act

    @property
    def core(self) -> str:
        """What it tells, in the third person and with dates in full, "" for nothing."""
        return self.in_full(self.heard.slots.get("news", ""))

    def in_full(self, said: str) -> str:
        """Return words of the sentence in the third person and with dates in full."""
        return written(in_third_person(said, self.speaker, self.listener), self.today)


@dataclass(frozen=True, slots=True)
class Proposal:
    """What one proposed to the other, and the act that answered it ("" for none)."""

    by: Sentence
    gathering: Gathering
    answer: str


@dataclass(frozen=True, slots=True)
class Talk:
    """The sentences of a conversation; `me` looks back on it."""

    me: str
    you: str
    today: date
    sentences: tuple[Sentence, ...]

    def by(self, speaker: str) -> Iterator[Sentence]:
        """Yield the sentences of one of the two."""
        return (one for one in self.sentences if one.speaker == speaker)

    def proposals(self, by: str) -> list[Proposal]:
        """Return what one of the two has proposed, each with the last answer to it."""
        found: list[Proposal] = []
        for at, one in enumerate(self.sentences):
            if one.speaker != by or one.act not in PROPOSALS:
                continue
            gathering = self._gathering(one)
            if gathering is not None:
                found.append(Proposal(one, gathering, self._answer(at, one)))
        return found

    def _gathering(self, one: Sentence) -> Gathering | None:
        if one.act != "request":
            return proposed(one.heard, one.speaker, one.listener, self.today)
        deed = one.in_full(f"help me {one.heard.slots.get('what', '')}".strip())
        heard = Heard("outing", one.heard.sentence, {"deed": deed})
        return proposed(heard, one.speaker, one.listener, self.today)

    def _answer(self, at: int, proposal: Sentence) -> str:
        """Return the last answer before the next proposal of the same speaker."""
        found = ""
        for later in self.sentences[at + 1 :]:
            if later.speaker == proposal.speaker and later.act in PROPOSALS:
                break
            if later.speaker != proposal.speaker and later.act in ANSWERS:
                found = later.act
        return {"offer_of_help": "accept", "refusal_of_help": "decline"}.get(found, found)


def talk_of(given: TakeawaysInput) -> Talk:
    """Return the conversation of an input, understood."""
    today = given.now.date()
    names = {given.agent_name: given.other_name}
    sentences = [
        Sentence(number, line.speaker, names.get(line.speaker, given.agent_name), heard, today)
        for number, line in enumerate(given.lines, start=1)
        for heard in PHRASES.understand(line.text)
    ]
    return Talk(given.agent_name, given.other_name, today, tuple(sentences))
