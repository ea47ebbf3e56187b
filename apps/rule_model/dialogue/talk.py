"""A conversation that is over, sentence by sentence: who did what with it (stand-in)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from apps.dialogue.chains.takeaways import ConversationToDigest
from apps.rule_model.dialogue.acts import Act
from apps.rule_model.dialogue.hearing import Heard, heard_in
from apps.rule_model.dialogue.recounting import names_in, recounted
from apps.rule_model.reading.gatherings import Gathering, gathering_in, outing_in
from apps.rule_model.reading.names import straight

# "My name is Vera, I'm new here and I lost my dog" tells three things.
_CLAUSES = re.compile(r"(?:,| and|, and|, but) (?=I(?:'m|'ve|'ll)? \w+ \w+)")
# "I would love to come, but I am ill" is no yes, though its first clause is one.
_TAKEN_BACK = re.compile(
    r"\bI would (?:\w+ ){0,2}(?:love|like|be \w+) to\b[^.!?]*\bbut\b", re.IGNORECASE
)
_SETTLED = re.compile(r"\b(?:anyway|already)\b")
ANSWERS = (Act.NO, Act.MAYBE, Act.YES)


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence that was said: in which line (from 1), by whom, and what it says of whom.

    `core` is in the third person, with names and dates for pronouns and "tomorrow".
    """

    line: int
    speaker: str
    heard: Heard
    core: str

    @property
    def act(self) -> Act:
        """What the sentence did."""
        return self.heard.act


@dataclass(frozen=True, slots=True)
class Proposal:
    """What one asked the other to, with the answer: YES, NO, MAYBE, or None for no answer.

    `is_settled` says that the answer was no new one: "I'm coming anyway".
    """

    said: Said
    gathering: Gathering | None
    answer: Act | None
    is_settled: bool = False


@dataclass(frozen=True, slots=True)
class Talk:
    """The whole conversation."""

    me: str
    you: str
    today: date
    names: tuple[str, ...]
    said: tuple[Said, ...]

    def by(self, speaker: str) -> Iterator[Said]:
        """Yield what the speaker said."""
        return (one for one in self.said if one.speaker == speaker)

    def proposals(self, by: str) -> list[Proposal]:
        """Return what the speaker invited or asked the other one to."""
        return [
            self._proposal(one)
            for one in self.by(by)
            if one.act in (Act.INVITATION, Act.REQUEST)
        ]

    def _proposal(self, said: Said) -> Proposal:
        answers = self._answers_to(said)
        answer = min((one.act for one in answers), key=ANSWERS.index, default=None)
        is_settled = any(_SETTLED.search(one.heard.sentence) for one in answers)
        return Proposal(said, self._meant(said), answer, is_settled)

    def _meant(self, proposal: Said) -> Gathering | None:
        """Return the gathering: the proposal's own words first, then what was said around."""
        same = [one.core for one in self.by(proposal.speaker) if one.line == proposal.line]
        others = [one.core for one in self.said if one.line != proposal.line]
        return (
            gathering_in(same, self.today)
            or outing_in(proposal.core, self.today)
            or gathering_in(others, self.today)
        )

    def _answers_to(self, proposal: Said) -> list[Said]:
        """Return what the other one answered, in the first line that has an answer.

        Of several no and maybe weigh more than yes: "I'd love to, but I can't".
        """
        later = [
            one
            for one in self.said
            if one.line > proposal.line
            and one.speaker != proposal.speaker
            and one.act in ANSWERS
        ]
        return [one for one in later if one.line == later[0].line]


def talk_of(given: ConversationToDigest) -> Talk:
    """Return the conversation as the one who looks back on it takes it apart."""
    today = _date(given.today)
    people = (given.agent_name, given.other_name)
    names = tuple(dict.fromkeys([*people, *names_in(given.lines)]))
    return Talk(
        given.agent_name, given.other_name, today, names, tuple(_said(given, today, names))
    )


def _said(given: ConversationToDigest, today: date, names: Sequence[str]) -> Iterator[Said]:
    for number, line in enumerate(given.lines, start=1):
        listener = given.agent_name if line.speaker != given.agent_name else given.other_name
        text = straight(line.text)
        is_taken_back = _TAKEN_BACK.search(text) is not None
        for one in heard_in(_CLAUSES.sub(". ", text)):
            is_no = is_taken_back and one.act is Act.YES
            heard = replace(one, act=Act.NO) if is_no else one
            core = recounted(
                heard.sentence,
                speaker=line.speaker,
                listener=listener,
                today=today,
                names=names,
            )
            yield Said(number, line.speaker, heard, core)


def _date(today: str) -> date:
    try:
        return date.fromisoformat(today)
    except ValueError:
        return date.min
