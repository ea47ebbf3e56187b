"""What a person keeps in memory of a conversation: words, agreements, thoughts (D3)."""

from collections.abc import Sequence

from apps.dialogue.decisions import Digest, commitment_in_words
from apps.dialogue.voices import Spoken, Talk
from apps.memory import queries as memory_queries
from apps.memory.events import MemoryKind
from apps.simulation.turn.context import Turn
from apps.simulation.turn.observe import learn_place_named
from apps.simulation.turn.relationships import name_of


def keep_words(turn: Turn, said: Spoken) -> None:
    """Remember words that the person heard and did not answer."""
    turn.remember(
        MemoryKind.DIALOGUE,
        f"{name_of(turn, said.agent)} said to {turn.identity.name}: {said.text}",
        cause=said.event,
        subject=said.agent,
        perceived=True,
    )


def keep_that_words_were_cut_off(turn: Turn, said: Spoken) -> None:
    """Remember that another agent, now out of view, had begun to say something."""
    name, other = turn.identity.name, name_of(turn, said.agent)
    turn.remember(
        MemoryKind.OBSERVATION,
        f"{other} began to say something to {name}, but they lost sight of each other before "
        "it was said",
        cause=said.event,
        subject=said.agent,
        perceived=True,
    )


def keep_that_nobody_answered(
    turn: Turn, talk: Talk, spoken: Sequence[Spoken], ended: str
) -> None:
    """Remember that own words had no answer, or, where none was waited for, what they were."""
    name, other = turn.identity.name, name_of(turn, talk.other)
    unanswered = f"{other} did not answer {name}"
    last = spoken[-1]
    turn.remember(
        MemoryKind.OBSERVATION,
        f"{name} said to {other}: {last.text}" if last.ends else unanswered,
        cause=ended,
        subject=talk.other,
    )


def keep_digest(turn: Turn, other: str, kept: Digest, ended: str) -> None:
    """Remember what was heard, agreed to and thought; thoughts rest on what was heard."""
    heard = [
        turn.remember(
            MemoryKind.DIALOGUE,
            sentence.sentence,
            cause=sentence.heard_in or ended,
            subject=other,
            perceived=True,
        )
        for sentence in kept.heard
    ]
    for agreed in kept.agreed:
        cause = turn.say(agreed, cause=ended)
        learn_place_named(turn, agreed.place, cause=cause)
        turn.remember(
            MemoryKind.PLAN,
            commitment_in_words(turn.identity.name, agreed),
            cause=cause,
            subject=other,
        )
    for declined in kept.declined:
        cause = turn.say(declined, cause=ended)
        turn.remember(
            MemoryKind.DIALOGUE,
            f"{turn.identity.name} declined to {declined.activity}",
            cause=cause,
            subject=other,
        )
    for thought in kept.thoughts:
        if not _has_been_thought(turn, thought):
            turn.remember(
                MemoryKind.REFLECTION, thought, cause=ended, subject=other, evidence=heard
            )


def _has_been_thought(turn: Turn, thought: str) -> bool:
    """Say whether the person has had the very same thought before."""
    return memory_queries.remembers(
        turn.constants.simulation_id, turn.identity.slug, thought, as_of_tick=turn.before
    )
