"""Lets two people talk to each other through the stand-in, each with memories of their own."""

from dataclasses import dataclass, replace

from apps.dialogue.chains.takeaways import ConversationToDigest, Takeaways
from apps.dialogue.chains.utterance import Line, TurnToSpeak, Utterance
from apps.rule_model.dialogue import TASK_RULES
from apps.rule_model.model import Chance

ISABELLA, KLAUS, MARIA = "Isabella Rodriguez", "Klaus Mueller", "Maria Lopez"
SAM, TOM, JOHN = "Sam Moore", "Tom Moreno", "John Lin"
AYESHA, EDDY = "Ayesha Khan", "Eddy Lin"
NOW, TODAY = "Monday, February 13, 2023, 12:40 pm", "2023-02-13"
PARTY = (
    f"{ISABELLA} is planning a Valentine's Day party at Hobbs Cafe on February 14, 2023, from "
    "5:00 pm to 7:00 pm"
)
INVITE_TO_PARTY = (
    "the Valentine's Day party at Hobbs Cafe on February 14, 2023, from 5:00 pm to 7:00 pm"
)
CANDIDACY = f"{SAM} will run for mayor in the local election next month"


@dataclass(frozen=True)
class Speaker:
    """Somebody with a memory."""

    name: str
    memories: tuple[str, ...] = ()
    traits: str = "kind"

    @property
    def summary(self) -> str:
        return f"Name: {self.name} (age: 30)\nInnate traits: {self.traits}"

    def remembering(self, *more: str) -> "Speaker":
        return replace(self, memories=(*self.memories, *more))


def turn(
    speaker: Speaker,
    other: str,
    lines: list[Line] | None = None,
    *,
    intent: str = "",
    plans: tuple[str, ...] = (),
) -> TurnToSpeak:
    said = tuple(lines or ())
    return TurnToSpeak(
        agent_name=speaker.name,
        other_name=other,
        summary=speaker.summary,
        now=NOW,
        place="Hobbs Cafe: cafe",
        status=f"{speaker.name} is having lunch",
        other_status=f"{other} is reading",
        intent=intent,
        plans=plans,
        last_talk="",
        memories=speaker.memories,
        lines=said,
        utterances_left=10 - len(said),
    )


def says(given: TurnToSpeak, seed: int = 1) -> Utterance:
    chance = Chance(seed, "dialogue.utterance", f"{given.agent_name}/{len(given.lines)}")
    answer = TASK_RULES["dialogue.utterance"](given, chance)
    assert isinstance(answer, Utterance)
    return answer


def answers_to(speaker: Speaker, other: str, *said: str, seed: int = 1) -> str:
    """Return what the speaker replies to the other one's words."""
    lines = [Line(speaker=other, text=text) for text in said]
    return says(turn(speaker, other, lines), seed).utterance


def talk(opener: Speaker, other: Speaker, *, intent: str, seed: int = 1) -> list[Line]:
    """Return the whole conversation."""
    lines: list[Line] = []
    speaker, listener = opener, other
    for _ in range(10):
        given = turn(speaker, listener.name, lines, intent="" if lines else intent)
        said = says(given, seed)
        lines.append(Line(speaker=speaker.name, text=said.utterance))
        if said.ends:
            break
        speaker, listener = listener, speaker
    return lines


def digested(
    me: Speaker, you: str, lines: list[Line], *, today: str = TODAY, seed: int = 1
) -> Takeaways:
    given = ConversationToDigest(
        agent_name=me.name,
        other_name=you,
        summary=me.summary,
        now=NOW,
        today=today,
        place="Hobbs Cafe",
        lines=tuple(lines),
    )
    answer = TASK_RULES["dialogue.takeaways"](
        given, Chance(seed, "dialogue.takeaways", me.name)
    )
    assert isinstance(answer, Takeaways)
    return answer


def learnt_by(me: Speaker, you: str, lines: list[Line]) -> list[str]:
    return [learnt.sentence for learnt in digested(me, you, lines).learnt]


def conversation(*said: tuple[str, str]) -> list[Line]:
    return [Line(speaker=who, text=text) for who, text in said]
