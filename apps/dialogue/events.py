"""Events of conversations, each in the stream of its agent (D1, D2, D3)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from apps.eventlog.event import Event
from apps.memory.events import AgreementOutcome

ADDRESSEE_CHARACTERS_MAX = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Said(Event):
    """An agent said something to another one (D2).

    `conversation` is "<tick>/<slug>" of its first utterance; `to` is a slug; `number` counts
    the utterances of the conversation from 1; with `ends` the speaker wants no reply;
    `memories` are the numbers of the memories in the prompt. `participants` are the slugs of
    all agents that it is said to, `to` among them; empty if it is `to` alone. `by_phone` is
    whether it is said on the telephone; `intent` is the speaker's reason for the conversation,
    with its first words, "" for none. With `leaves` the speaker goes elsewhere afterwards.
    """

    type: ClassVar[str] = "dialogue.said.v1"
    conversation: str
    to: str
    number: int
    text: str
    ends: bool
    memories: tuple[int, ...]
    participants: tuple[str, ...] = ()
    by_phone: bool = False
    intent: str = ""
    leaves: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkEnded(Event):
    """A conversation ended for an agent; `why` is one of `apps.dialogue.utterances.Ending`.

    `heard_by` are the agents besides `other` that were near enough to hear its end.
    """

    type: ClassVar[str] = "dialogue.talk-ended.v1"
    conversation: str
    other: str
    why: str
    heard_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Overheard(Event):
    """An agent overheard utterances of a conversation of others (D2).

    `utterances` are the ids of their events, in order. With `is_over` the agent hears no more
    of the conversation, and remembers what it has overheard.
    """

    type: ClassVar[str] = "dialogue.overheard.v1"
    conversation: str
    utterances: tuple[str, ...]
    is_over: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreed(Event):
    """An agent agreed in a conversation to do something at a time (D3).

    `activity` is an infinitive ("come to the party"); `place` is in words, "" for none;
    `day` is a date such as "2023-02-14"; the minutes count from that day's midnight.
    `replaces` is the id of the event of an earlier agreement that this one changes, or
    cancels with `cancelled`; "" for a new agreement. `besides` are the slugs of the other
    speakers in the conversation. `node` is the path of the place in the world, "" where it is
    not known.
    """

    type: ClassVar[str] = "dialogue.agreed.v1"
    conversation: str
    other: str
    activity: str
    place: str
    day: str
    from_minute: int
    to_minute: int
    replaces: str = ""
    cancelled: bool = False
    besides: tuple[str, ...] = ()
    node: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined(Event):
    """An agent declined an activity in a conversation (D4)."""

    type: ClassVar[str] = "dialogue.declined.v1"
    conversation: str
    other: str
    activity: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementEnded(Event):
    """The time of an agreement has passed (D3).

    `agreements` are the ids of its events, one for each agent that it was made with; `outcome`
    follows from the attendance of the agent; `present` are the slugs of all agents that it saw
    there.
    """

    type: ClassVar[str] = "dialogue.agreement-ended.v1"
    agreements: tuple[str, ...]
    outcome: AgreementOutcome
    present: tuple[str, ...] = ()


class PromiseOutcome(StrEnum):
    """The end of a promise to pass something on; all but KEPT are reasons to drop it."""

    KEPT = "kept"
    KNOWN = "known"  # the other agent knew it already
    OUTDATED = "outdated"  # it no longer holds
    NO_MEETING = "no-meeting"  # there was no conversation with an agent to tell
    NOT_SAID = "not-said"  # there was such a conversation, on other subjects


@dataclass(frozen=True, slots=True, kw_only=True)
class Promised(Event):
    """An agent promised in a conversation to pass something on (D3).

    `what` is a whole sentence in the third person; `to` is the slug of the agent to tell, the
    name of a person who is not an agent, cut to ADDRESSEE_CHARACTERS_MAX, or "" for anybody;
    `memory` is the number of the memory of the promise.
    """

    type: ClassVar[str] = "dialogue.promised.v1"
    conversation: str
    other: str
    what: str
    to: str
    memory: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PromiseEnded(Event):
    """A promise was kept or dropped; `promise` is the id of its event."""

    type: ClassVar[str] = "dialogue.promise-ended.v1"
    promise: str
    outcome: PromiseOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Told(Event):
    """An agent told news in a conversation that has ended for it (D3).

    `memories` are the numbers of its memories of the news. All participants have heard it.
    """

    type: ClassVar[str] = "dialogue.told.v1"
    conversation: str
    memories: tuple[int, ...]


EVENTS = (
    Said,
    TalkEnded,
    Overheard,
    Agreed,
    Declined,
    AgreementEnded,
    Promised,
    PromiseEnded,
    Told,
)
