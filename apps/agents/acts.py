"""Acts between agents: what an action does to or for another agent, and how it ended."""

from dataclasses import dataclass
from enum import StrEnum


class ActKind(StrEnum):
    """The kind of an act; NONE for an action that concerns no other agent.

    TOGETHER is that of a report: a participant of the action is not there.
    """

    NONE = "none"
    TALK_TO = "talk to"
    PHONE = "phone"
    LOOK_FOR = "look for"
    WAIT_FOR = "wait for"
    FOLLOW = "follow"
    TELL = "tell those present"
    GIVE = "give"
    LEAVE = "leave"
    TOGETHER = "together with"

    @property
    def names_agent(self) -> bool:
        """Whether the act is directed at one agent."""
        return self not in {ActKind.NONE, ActKind.TELL, ActKind.LEAVE}

    @property
    def may_name_agent(self) -> bool:
        """Whether it is directed at an agent, or leaves a thing for one."""
        return self.names_agent or self is ActKind.LEAVE

    @property
    def is_search(self) -> bool:
        """Whether an agent that is not in view is searched for."""
        return self in {ActKind.TALK_TO, ActKind.LOOK_FOR, ActKind.FOLLOW}

    @property
    def is_said(self) -> bool:
        """Whether the act opens a conversation."""
        return self in {ActKind.TALK_TO, ActKind.PHONE, ActKind.TELL}

    @property
    def leaves_thing(self) -> bool:
        """Whether the state of the object persists after the action."""
        return self in {ActKind.GIVE, ActKind.LEAVE}


class ActOutcome(StrEnum):
    """The outcome of an act, or of a part of it."""

    DONE = "done"
    NOT_HERE = "not here"  # the search goes on elsewhere
    NOT_FOUND = "not found"
    ASLEEP = "asleep"
    BUSY = "busy"
    NO_ANSWER = "no answer"
    OVERTAKEN = "overtaken"  # the two have talked since it was planned, and nothing is left

    @property
    def is_failure(self) -> bool:
        """Whether the act has ended in vain."""
        return self.is_over and self not in {ActOutcome.DONE, ActOutcome.OVERTAKEN}

    @property
    def is_over(self) -> bool:
        """Whether the act has ended."""
        return self is not ActOutcome.NOT_HERE


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """An act: its kind, the slug of the other agent, and what is said or handed over.

    `other` is "" for acts that name no agent; a thing may be left for one. `about` is "" where
    nothing is said or given.
    """

    kind: ActKind = ActKind.NONE
    other: str = ""
    about: str = ""

    @property
    def is_said(self) -> bool:
        """Whether the act opens a conversation, as a search with something to say does."""
        meets = self.kind in {ActKind.LOOK_FOR, ActKind.WAIT_FOR}
        return self.kind.is_said or (meets and bool(self.about))


NO_ACT = Act()
