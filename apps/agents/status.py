"""What an agent is doing, as the inputs of LLM tasks have it; plain Python."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentStatus:
    """What an agent is doing, as it is seen.

    `activity` is what follows "is" after the name ("reading a book"), "" where it is not
    known; `until` is the game time at which it ends, None where it has no end or others
    cannot know it. With `is_before_talk` it is what the agent did before the conversation
    that it is in.
    """

    agent_name: str
    activity: str
    until: datetime | None = None
    is_before_talk: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTime:
    """What an agent has planned for a time of the day.

    `activity` is an infinitive without "to"; `place` is in words, "" for anywhere.
    """

    starts: datetime
    ends: datetime
    activity: str
    place: str
    is_asleep: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LastTalk:
    """The latest conversation that two agents had and that is over."""

    minutes_ago: int
    gist: str
