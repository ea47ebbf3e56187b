"""Status, planned times, agreements, acquaintances and ties of an agent, for LLM tasks."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class TieKind(StrEnum):
    """What another agent is to an agent, as far as it matters here."""

    PARTNER = "partner"
    PARENT = "parent"
    CHILD = "child"
    SIBLING = "sibling"
    RELATIVE = "relative"
    FRIEND = "friend"
    HOUSEMATE = "housemate"
    NEIGHBOUR = "neighbour"
    COLLEAGUE = "colleague"
    CLASSMATE = "classmate"
    TEACHER = "teacher"
    STUDENT = "student"
    CUSTOMER = "customer"
    ACQUAINTANCE = "acquaintance"
    BY_NAME = "by-name"


class Standing(StrEnum):
    """How an agent stands to another one, whatever the tie is."""

    LOVE = "love"
    CLOSE = "close"
    FRIENDLY = "friendly"
    NEUTRAL = "neutral"
    COOL = "cool"
    HOSTILE = "hostile"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentStatus:
    """The activity of an agent.

    `activity` follows "<name> is" ("reading a book"), "" if not known; `until` is the game
    time of its end, None without one or if not known. With `is_before_talk` it is the
    activity before the current conversation.
    """

    agent_name: str
    activity: str
    until: datetime | None = None
    is_before_talk: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTime:
    """A time of the day with its activity.

    `activity` is an infinitive without "to"; `place` is in words, "" for anywhere.
    """

    starts: datetime
    ends: datetime
    activity: str
    place: str
    is_asleep: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """What an agent did in a time, from its actions; all names are full names.

    `actions` are in progress form, in order, those that matter most; `activity` is the planned
    activity of which one was begun, an infinitive, "" for none. `company` are the participants
    that were there, `missing` those that the words name and that were not. `failed` are the
    sentences of what was tried in vain; `place` is in words.
    """

    starts: datetime
    ends: datetime
    actions: tuple[str, ...]
    activity: str = ""
    place: str = ""
    is_asleep: bool = False
    company: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    importance: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """The next planned activity of an agent in another area.

    `starts` is its game time, now if it is under way; `activity` is an infinitive without
    "to", `place` in words. `leaves_place` is whether it is outside of the place around the
    agent, or the agent is outdoors.
    """

    starts: datetime
    activity: str
    place: str
    leaves_place: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """An open agreement with one or more other agents.

    `other` is the full name of the first of them, and `besides` has those of the rest.
    `activity` is an infinitive without "to"; `place` is in words, "" for none.
    """

    activity: str
    place: str
    starts: datetime
    ends: datetime
    other: str
    besides: tuple[str, ...] = ()

    @property
    def others(self) -> tuple[str, ...]:
        """The full names of all other agents of the agreement."""
        return (self.other, *self.besides)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromiseToTell:
    """An open promise to `other` to tell something to `to`, "" for anybody; full names.

    `since` is what the agent has talked about since then with the one that is now to be told,
    "" for nothing.
    """

    what: str
    to: str
    other: str
    since: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LastTalk:
    """The latest finished conversation of two agents: how long ago it ended, and its gist.

    `same_time_days` is the number of the last 14 days on which they talked at this time of day.
    `said_today` are the agent's own words to the other one today, in order; `told` is the news
    that it has told the other one on any day, as it remembers it.
    """

    minutes_ago: int
    gist: str
    same_time_days: int = 0
    said_today: tuple[str, ...] = ()
    told: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Acquaintance:
    """What another agent is to an agent, and their latest conversation.

    `facts` are sentences of the relationship; `tie` and `standing` are None without one.
    `home` is the place in which both live, "" if they do not live together.
    """

    facts: tuple[str, ...] = ()
    tie: TieKind | None = None
    standing: Standing | None = None
    home: str = ""
    last_talk: LastTalk | None = None


STRANGER = Acquaintance()
