"""From a model's account of a conversation to what is kept of it; pure (D3, R4)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from apps.dialogue.chains.takeaways import (
    COMMITMENTS_MAX,
    LEARNT_MAX,
    Commitment,
    Takeaways,
    minutes_of,
)
from apps.dialogue.events import Agreed, Declined
from apps.dialogue.voices import Spoken

MINUTES_PER_DAY = 1_440
HOUR = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A sentence to remember, and the event in which it was heard ("" for a thought)."""

    sentence: str
    heard_in: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """What a person keeps of a conversation: what was heard, agreed to and thought."""

    heard: tuple[Kept, ...]
    agreed: tuple[Agreed, ...]
    declined: tuple[Declined, ...]
    thoughts: tuple[str, ...]


def digest(
    answer: Takeaways, *, other: str, conversation: str, spoken: Sequence[Spoken]
) -> Digest:
    """Return what is kept; what rests on a line of nobody else's is dropped."""
    last_heard = next((said.event for said in reversed(spoken) if said.agent == other), "")
    return Digest(
        heard=(
            Kept(sentence=_one_line(answer.gist), heard_in=last_heard),
            *_learnt(answer, other=other, spoken=spoken),
        ),
        agreed=tuple(
            _agreed(commitment, conversation=conversation, other=other)
            for commitment in answer.agreed[:COMMITMENTS_MAX]
            if commitment.activity.strip()
        ),
        declined=tuple(
            Declined(conversation=conversation, other=other, activity=_one_line(activity))
            for activity in answer.declined[:COMMITMENTS_MAX]
            if activity.strip()
        ),
        thoughts=tuple(
            _one_line(thought)
            for thought in (answer.about_other, answer.for_plans)
            if thought.strip()
        ),
    )


def commitment_in_words(name: str, agreed: Agreed) -> str:
    """Return the memory of a commitment, with its place, date and times."""
    day = date.fromisoformat(agreed.day)
    where = (
        f" at {agreed.place}" if agreed.place and agreed.place not in agreed.activity else ""
    )
    start, end = _spoken_clock(agreed.from_minute), _spoken_clock(agreed.to_minute)
    return (
        f"{name} agreed to {agreed.activity}{where} on {day:%A, %B} {day.day}, "
        f"from {start} to {end}"
    )


def _learnt(answer: Takeaways, *, other: str, spoken: Sequence[Spoken]) -> Iterator[Kept]:
    for learnt in answer.learnt[:LEARNT_MAX]:
        if not learnt.sentence.strip() or not 1 <= learnt.line <= len(spoken):
            continue
        said = spoken[learnt.line - 1]
        if said.agent == other:
            yield Kept(sentence=_one_line(learnt.sentence), heard_in=said.event)


def _agreed(commitment: Commitment, *, conversation: str, other: str) -> Agreed:
    start, end = minutes_of(commitment.starts), minutes_of(commitment.ends)
    assert start is not None, "the chain's check has asked for times"
    assert end is not None, "the chain's check has asked for times"
    if end <= start:
        end = end + MINUTES_PER_DAY if start - end > 12 * HOUR else start + HOUR
    return Agreed(
        conversation=conversation,
        other=other,
        activity=_one_line(commitment.activity).removeprefix("to "),
        place=_one_line(commitment.place),
        day=commitment.date,
        from_minute=start,
        to_minute=end,
    )


def _one_line(text: str) -> str:
    return " ".join(text.split()).rstrip(".")


def _spoken_clock(minute: int) -> str:
    hour = minute // HOUR % 24
    return f"{hour % 12 or 12}:{minute % HOUR:02d} {'AM' if hour < 12 else 'PM'}"
