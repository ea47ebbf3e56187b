"""The memories that conversations leave: utterances, agreements, opinions (D3).

Each sentence of a memory is built in a function of its own at the end of the module.
"""

from collections.abc import Sequence

from apps.dialogue.decisions import Digest, Heard, scheduled_activity
from apps.dialogue.events import Agreed
from apps.dialogue.voices import Spoken, Talk
from apps.kernel.game_time import format_clock
from apps.memory import queries as memory_queries
from apps.memory.events import MemoryKind, MemoryOrigin, ScheduledActivity
from apps.simulation.turn.context import Turn
from apps.simulation.turn.observe import learn_place_named
from apps.simulation.turn.relationships import name_of


def remember_utterance(turn: Turn, said: Spoken) -> None:
    """Remember an utterance that the agent heard and did not answer."""
    turn.remember(
        MemoryKind.DIALOGUE,
        _utterance(name_of(turn, said.agent), turn.identity.name, said.text),
        cause=said.event,
        subject=said.agent,
        perceived=True,
        origin=MemoryOrigin.UTTERANCE,
    )


def remember_unheard(turn: Turn, said: Spoken) -> None:
    """Remember that another agent, now out of view, had begun to say something."""
    turn.remember(
        MemoryKind.OBSERVATION,
        _unheard(name_of(turn, said.agent), turn.identity.name),
        cause=said.event,
        subject=said.agent,
        perceived=True,
        origin=MemoryOrigin.UNHEARD,
    )


def remember_own_utterance(
    turn: Turn, talk: Talk, spoken: Sequence[Spoken], ended: str
) -> None:
    """Remember that own words had no answer or, if they wanted none, the words."""
    name, other = turn.identity.name, name_of(turn, talk.other)
    last = spoken[-1]
    turn.remember(
        MemoryKind.OBSERVATION,
        _utterance(name, other, last.text) if last.ends else _unanswered(name, other),
        cause=ended,
        subject=talk.other,
        origin=MemoryOrigin.OWN_UTTERANCE,
    )


def remember_digest(turn: Turn, other: str, kept: Digest, ended: str) -> None:
    """Remember what a conversation was about and what came of it.

    `ended` is the event that ended it; opinion and plan note rest on what was heard.
    """
    heard = [_remember_heard(turn, other, kept.gist, ended, MemoryOrigin.CONVERSATION)]
    heard += [
        _remember_heard(turn, other, learned, ended, MemoryOrigin.LEARNED)
        for learned in kept.learned
    ]
    for agreed in kept.agreed:
        _remember_agreement(turn, other, agreed, ended)
    for declined in kept.declined:
        turn.remember(
            MemoryKind.DIALOGUE,
            _refusal(turn.identity.name, declined.activity),
            cause=turn.say(declined, cause=ended),
            subject=other,
            origin=MemoryOrigin.DECLINED,
        )
    for thought, origin in (
        (kept.opinion, MemoryOrigin.OPINION),
        (kept.plan_note, MemoryOrigin.PLAN_NOTE),
    ):
        if thought and not _is_remembered(turn, thought):
            turn.remember(
                MemoryKind.REFLECTION,
                thought,
                cause=ended,
                subject=other,
                evidence=heard,
                origin=origin,
            )


def _remember_heard(
    turn: Turn, other: str, heard: Heard, ended: str, origin: MemoryOrigin
) -> int:
    return turn.remember(
        MemoryKind.DIALOGUE,
        heard.sentence,
        cause=heard.event or ended,
        subject=other,
        perceived=True,
        origin=origin,
    )


def _remember_agreement(turn: Turn, other: str, agreed: Agreed, ended: str) -> None:
    cause = turn.say(agreed, cause=ended)
    learn_place_named(turn, agreed.place, cause=cause)
    scheduled = scheduled_activity(agreed)
    turn.remember(
        MemoryKind.PLAN,
        agreement_text(turn.identity.name, scheduled),
        cause=cause,
        subject=other,
        origin=MemoryOrigin.AGREED,
        scheduled=scheduled,
    )


def _is_remembered(turn: Turn, thought: str) -> bool:
    """Return whether the agent has had the same thought before, word for word."""
    return memory_queries.remembers(
        turn.constants.simulation_id, turn.identity.slug, thought, as_of_tick=turn.before
    )


# --- Sentences -------------------------------------------------------------------------------


def agreement_text(name: str, scheduled: ScheduledActivity) -> str:
    """Return the memory of an agreement, with its place, date and times."""
    starts, ends = scheduled.starts, scheduled.ends
    assert starts is not None, "an agreement has a start"
    assert ends is not None, "an agreement has an end"
    where = f" at {scheduled.place}" if scheduled.place else ""
    return (
        f"{name} agreed to {scheduled.activity}{where} on {starts:%A, %B} {starts.day}, "
        f"from {format_clock(starts)} to {format_clock(ends)}"
    )


def _refusal(name: str, activity: str) -> str:
    return f"{name} declined to {activity}"


def _utterance(speaker: str, listener: str, text: str) -> str:
    return f"{speaker} said to {listener}: {text}"


def _unanswered(name: str, other: str) -> str:
    return f"{other} did not answer {name}"


def _unheard(speaker: str, name: str) -> str:
    return (
        f"{speaker} began to say something to {name}, but they lost sight of each other "
        "before it was said"
    )
