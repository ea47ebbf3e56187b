"""What a turn may ask of dialogue: say something, and look back on what was said.

Both read nothing but their arguments and the mind, and return events that the turn appends.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from apps.dialogue.chains.takeaways import TAKEAWAYS, ConversationToDigest
from apps.dialogue.chains.utterance import UTTERANCE, Line, TurnToSpeak
from apps.dialogue.decisions import Digest, digest
from apps.dialogue.events import Said
from apps.dialogue.rules import spoken_words
from apps.dialogue.voices import Spoken
from apps.llm.mind import Mind


@dataclass(frozen=True, slots=True, kw_only=True)
class Encounter:
    """Two people who talk, as one of them has it: who, where, when, how they look.

    `names` are full names by slug; the sentences are those of `TurnToSpeak`.
    """

    agent: str
    other: str
    names: Callable[[str], str]
    summary: str
    now: str
    place: str
    status: str
    other_status: str
    plans: tuple[str, ...]
    last_talk: str

    def lines(self, spoken: Sequence[Spoken]) -> tuple[Line, ...]:
        """Return what was said as lines with names."""
        return tuple(Line(speaker=self.names(said.agent), text=said.text) for said in spoken)


def speak(  # noqa: PLR0913 (what an utterance depends on, nothing less)
    mind: Mind,
    encounter: Encounter,
    *,
    conversation: str,
    number: int,
    intent: str,
    spoken: Sequence[Spoken],
    memories: Sequence[tuple[int, str]],
    utterances_max: int,
) -> Said:
    """Return what the person says next; the last words that are allowed end it (D1).

    `number` is that of the utterance in its conversation, from 1, and `spoken` what the agent
    has heard of the conversation; `memories` are numbers and descriptions.
    """
    left = max(1, utterances_max - number + 1)
    answer = mind.ask(
        UTTERANCE,
        TurnToSpeak(
            agent_name=encounter.names(encounter.agent),
            other_name=encounter.names(encounter.other),
            summary=encounter.summary,
            now=encounter.now,
            place=encounter.place,
            status=encounter.status,
            other_status=encounter.other_status,
            intent=intent,
            plans=encounter.plans,
            last_talk=encounter.last_talk,
            memories=tuple(description for _, description in memories),
            lines=encounter.lines(spoken),
            utterances_left=left,
        ),
    )
    return Said(
        conversation=conversation,
        to=encounter.other,
        number=number,
        text=spoken_words(answer.utterance),
        ends=answer.ends or left == 1,
        memories=tuple(number for number, _ in memories),
    )


def look_back(
    mind: Mind, encounter: Encounter, *, conversation: str, today: str, spoken: Sequence[Spoken]
) -> Digest:
    """Return what the person takes from a conversation that is over (D3, R4)."""
    answer = mind.ask(
        TAKEAWAYS,
        ConversationToDigest(
            agent_name=encounter.names(encounter.agent),
            other_name=encounter.names(encounter.other),
            summary=encounter.summary,
            now=encounter.now,
            today=today,
            place=encounter.place,
            lines=encounter.lines(spoken),
        ),
    )
    return digest(answer, other=encounter.other, conversation=conversation, spoken=spoken)
