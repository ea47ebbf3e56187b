"""What happens to a person's summary of themselves: it is made anew (S1)."""

from dataclasses import dataclass
from typing import ClassVar

from apps.eventlog.event import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfSummarised(Event):
    """A person's summary description was made anew from what they remember (S1).

    `core`, `occupation` and `feeling` are the three summaries, "" where nothing came to
    mind; `text` is the whole of it as prompts have it, identity included. From `due_tick`
    on it is due again.
    """

    type: ClassVar[str] = "self_summary.renewed.v1"
    core: str
    occupation: str
    feeling: str
    text: str
    due_tick: int


EVENTS = (SelfSummarised,)
