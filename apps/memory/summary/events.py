"""The renewal of a summary description (S1)."""

from dataclasses import dataclass
from typing import ClassVar

from apps.eventlog.event import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfSummarised(Event):
    """The summary description of an agent was renewed from its memories (S1).

    `core`, `occupation` and `feeling` are the three summaries, each "" without memories;
    `text` is the whole description as printed in prompts. The next renewal is due at
    `due_tick`.
    """

    type: ClassVar[str] = "self_summary.renewed.v1"
    core: str
    occupation: str
    feeling: str
    text: str
    due_tick: int


EVENTS = (SelfSummarised,)
