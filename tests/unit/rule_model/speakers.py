"""Agents of a fishing village, to let them talk, react and answer through the rules."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from apps.agents.status import STRANGER, Acquaintance, AgentStatus, LastTalk, PlannedTime
from apps.agents.summary import AgentSummary, LastingFacts
from apps.dialogue.inputs import (
    EarlierAgreement,
    EarlierPromise,
    Line,
    NewsToTell,
    TakeawaysInput,
    UtteranceInput,
)
from apps.dialogue.llm_tasks import TAKEAWAYS, UTTERANCE
from apps.dialogue.llm_tasks.takeaways import Takeaways
from apps.dialogue.llm_tasks.utterance import Utterance
from apps.interaction.inputs import InterviewInput
from apps.memory.events import MemoryKind, MemoryOrigin, ScheduledActivity
from apps.memory.items import MemoryItem
from apps.rule_model.model import Chance
from tests.support.rules import TASK_RULES
from tools.world_rehearsal import done_as

UNA, TAVISH, MOR, FINN = "Una Garvie", "Tavish Boyd", "Mor Lennox", "Finn Boyd"
NOW = datetime(1872, 6, 3, 9, 30)  # a Monday
SUPPER = (
    f"{UNA} is planning a harvest supper at Kelp Hall on June 4, 1872, from 6:00 pm to 8:00 pm"
)
HERRING = f"{MOR} is building a boat for the herring"


def memory(
    description: str,
    origin: MemoryOrigin = MemoryOrigin.DESCRIPTION,
    *,
    subject: str = "",
    kind: MemoryKind = MemoryKind.OBSERVATION,
    scheduled: ScheduledActivity | None = None,
    importance: int = 5,
    number: int = 1,
) -> MemoryItem:
    """Return a memory; `subject` is the full name of an agent."""
    return MemoryItem(
        number=number,
        kind=kind,
        origin=origin,
        description=description,
        importance=importance,
        formed_at=NOW,
        subject=subject.lower().replace(" ", "-"),
        subject_name=subject,
        scheduled=scheduled,
    )


def planned(starts: int, ends: int, activity: str, place: str = "") -> PlannedTime:
    """Return what is planned for hours of today."""
    return PlannedTime(
        starts=NOW.replace(hour=starts, minute=0),
        ends=NOW.replace(hour=ends, minute=0),
        activity=activity,
        place=place,
    )


@dataclass(frozen=True)
class Speaker:
    """An agent with memories."""

    name: str
    memories: tuple[MemoryItem, ...] = ()
    traits: tuple[str, ...] = ("kind",)
    outline: tuple[PlannedTime, ...] = ()
    last_talk: LastTalk | None = None
    ties: tuple[str, ...] = ()

    @property
    def summary(self) -> AgentSummary:
        """The summary without what would need a model."""
        lasting = LastingFacts(relationships=self.ties)
        return AgentSummary(name=self.name, age=30, traits=self.traits, lasting=lasting)

    def remembering(self, *texts: str) -> "Speaker":
        """Return the agent with phrases of its description."""
        return replace(self, memories=(*self.memories, *map(memory, texts)))


def turn(
    speaker: Speaker, other: str, lines: Sequence[Line] = (), *, intent: str = ""
) -> UtteranceInput:
    """Return the input for what the speaker says next."""
    return UtteranceInput(
        agent_name=speaker.name,
        other_name=other,
        summary=speaker.summary,
        now=NOW,
        place="the harbour",
        status=AgentStatus(agent_name=speaker.name, activity="mending nets"),
        other_status=AgentStatus(agent_name=other, activity="resting"),
        intent=intent,
        outline=speaker.outline,
        performed=tuple(map(done_as, speaker.outline)),
        acquaintance=Acquaintance(last_talk=speaker.last_talk),
        memories=speaker.memories,
        lines=tuple(lines),
        utterances_left=10 - len(lines),
    )


def says(inputs: UtteranceInput, seed: int = 1) -> Utterance:
    """Return the answer of the rule, checked as the task checks it."""
    chance = Chance(seed, UTTERANCE.name, f"{inputs.agent_name}/{len(inputs.lines)}")
    answer = TASK_RULES[UTTERANCE.name](inputs, chance)
    assert isinstance(answer, Utterance)
    assert UTTERANCE.check is not None
    UTTERANCE.check(inputs, answer)
    return answer


def reply(speaker: Speaker, other: str, *said: str, seed: int = 1) -> str:
    """Return what the speaker replies to words of the other one."""
    lines = [Line(speaker=other, text=text) for text in said]
    return says(turn(speaker, other, lines), seed).utterance


def talk(opener: Speaker, other: Speaker, *, intent: str = "", seed: int = 1) -> list[Line]:
    """Return the whole conversation of two agents."""
    lines: list[Line] = []
    speaker, listener = opener, other
    for _ in range(10):
        inputs = turn(speaker, listener.name, lines, intent="" if lines else intent)
        said = says(inputs, seed)
        lines.append(Line(speaker=speaker.name, text=said.utterance))
        if said.ends:
            return lines
        speaker, listener = listener, speaker
    raise AssertionError(f"the conversation does not end: {lines}")


def taken(
    me: str,
    you: str,
    lines: Sequence[Line],
    seed: int = 1,
    agreements: tuple[EarlierAgreement, ...] = (),
    promises: tuple[EarlierPromise, ...] = (),
    news: tuple[NewsToTell, ...] = (),
) -> Takeaways:
    """Return what an agent takes from a conversation, checked as the task checks it."""
    inputs = TakeawaysInput(
        agent_name=me,
        other_name=you,
        summary=AgentSummary(name=me, age=30, traits=()),
        acquaintance=STRANGER,
        now=NOW,
        place="the harbour",
        lines=tuple(lines),
        agreements=agreements,
        promises=promises,
        news=news,
    )
    answer = TASK_RULES[TAKEAWAYS.name](inputs, Chance(seed, TAKEAWAYS.name, me))
    assert isinstance(answer, Takeaways)
    assert TAKEAWAYS.check is not None
    TAKEAWAYS.check(inputs, answer)
    return answer


def lines(*said: tuple[str, str]) -> list[Line]:
    """Return lines of speakers and texts."""
    return [Line(speaker=speaker, text=text) for speaker, text in said]


INTERVIEW_OF_UNA = InterviewInput(
    agent_name=UNA,
    summary=AgentSummary(name=UNA, age=41, traits=("kind",)),
    wake_minute=360,
    bed_minute=1320,
    home="Kelp Hall",
    workplace="the smokehouse",
    persona="a reporter",
    now=NOW,
    place="the smokehouse",
    status=AgentStatus(agent_name=UNA, activity="smoking herring"),
    plans=(planned(8, 11, "smoke herring", "the smokehouse"),),
    spent=(),
    memories=(),
    earlier=(),
    question="",
)
