"""Every read of others' conversations in a turn, each with the distance that bounds it.

A turn reads them through this module alone (local_view.py):

read                                         bound
in which conversation b is, whether it has   b is in view, or a and b are in one call: neither
 left one, is controlled by a user           is ahead of the other (engine/calls.py); otherwise
                                             the read raises
whether b waits for an answer, takes part    b is in view
 in a conversation that a may join, what it
 did before a conversation
"""

from collections.abc import Mapping, Sequence
from operator import attrgetter

from apps.dialogue.utterances import Spoken, Talk
from apps.simulation.snapshot.hearing import is_answered
from apps.simulation.snapshot.local_view import LocalView
from apps.simulation.snapshot.utterance_view import UtteranceView
from apps.simulation.snapshot.world_snapshot import WorldSnapshot


class ConversationView:
    """The conversations of the agents that one agent sees or calls in its turn."""

    def __init__(
        self,
        view: LocalView,
        snapshot: WorldSnapshot,
        utterances: UtteranceView,
        controlled: frozenset[str] = frozenset(),
        before_talk: Mapping[str, str] | None = None,
    ) -> None:
        """Take what holds at the end of the tick before.

        `controlled` are the agents that users control; `before_talk` is what talking agents
        did before, by slug.
        """
        self._view = view
        self._snapshot = snapshot
        self._utterances = utterances
        self._controlled = controlled
        self._before_talk = before_talk or {}
        self._constants = view.constants
        self._agent = view.agent
        self._tick = view.tick
        self._before = view.tick - 1

    def talk_of(self, other: str) -> Talk | None:
        """Return the conversation that the other agent is in.

        :raises OutOfView: if the other agent is neither in view nor on the telephone.
        """
        self.require_in_touch(other)
        return self._snapshot.talk_of(other, self._before)

    def doing_before_talk(self, other: str) -> str:
        """Return the latest action of a talking agent that is no conversation, "" if none.

        :raises OutOfView: if the other agent is not in view.
        """
        self._view.require_in_view(other)
        return self._before_talk.get(other, "")

    def calls(self) -> list[Spoken]:
        """Return the words that open calls to the agent, which has not answered them."""
        return [
            said
            for said in self._utterances.openings()
            if said.rings
            and said.to == self._agent
            and self._constants.said_in_full_tick(said) <= self._tick
            and not self._utterances.has_spoken_in(said.conversation)
            and is_answered(self._snapshot, self._agent, said, self._tick)
        ]

    def is_on_phone_with(self, other: str) -> bool:
        """Return whether the agent is in a call with the other agent, or is called by it."""
        own = self._view.own_talk
        if own is not None:
            return own.by_phone and own.other == other
        return any(said.agent == other for said in self.calls())

    def require_in_touch(self, other: str) -> None:
        """Raise an error unless the agent sees the other agent, or is in a call with it.

        :raises OutOfView: if it does not.
        """
        if not self.is_on_phone_with(other):
            self._view.require_in_view(other)

    def is_controlled_by_user(self, other: str) -> bool:
        """Return whether a user acts for the other agent.

        :raises OutOfView: if the other agent is neither in view nor on the telephone.
        """
        self.require_in_touch(other)
        return other in self._controlled

    def has_left(self, other: str, conversation: str) -> bool:
        """Return whether the other agent, having spoken in the conversation, has ended it.

        :raises OutOfView: if the other agent is neither in view nor on the telephone.
        """
        self.require_in_touch(other)
        return any(
            theirs.conversation == conversation
            and theirs.to_tick is not None
            and theirs.to_tick <= self._before
            for theirs in self._snapshot.talks.get(other, ())
        )

    def may_be_answered(self, said: Spoken) -> bool:
        """Return whether somebody is left in the conversation to hear an answer to the words.

        :raises OutOfView: if the speaker is neither in view nor on the telephone.
        """
        has_left = self.has_left(said.agent, said.conversation)
        return not has_left or bool(self.others_in(said.conversation))

    def has_answered(self, call: Talk) -> bool:
        """Return whether the other agent has answered the call, with words or by listening."""
        self.require_in_touch(call.other)
        talks = self._snapshot.talks.get(call.other, ())
        return any(theirs.conversation == call.conversation for theirs in talks)

    def is_busy(self, other: str, conversation: str) -> bool:
        """Return whether the other agent is in an answered conversation besides this one.

        :raises OutOfView: if the other agent is not in view.
        """
        theirs = self.talk_of(other)
        if theirs is None or theirs.conversation == conversation:
            return False
        return len(self.talking_in(theirs.conversation)) > 1

    def waiting(self) -> list[Spoken]:
        """Return the openings whose speakers, in view, wait for the agent to answer them.

        The earliest come first; those of one tick in the order of their speakers.
        """
        talks = (self.talk_of(other) for _distance, other in self._view.agents_in_view())
        conversations = {
            talk.conversation
            for talk in talks
            if talk and talk.other == self._agent and not talk.by_phone
        }
        waiting = [
            said
            for said in self._utterances.openings()
            if said.conversation in conversations
            and said.to == self._agent
            and not said.ends
            and self._utterances.knows(said)
            and not self._utterances.has_spoken_in(said.conversation)
        ]
        return sorted(waiting, key=attrgetter("order"))

    def interlocutors(self) -> frozenset[str]:
        """Return the agents that have lately talked with or spoken to the agent."""
        talks = self._snapshot.talks.get(self._agent, ())
        spoken = self._snapshot.spoken_to(self._agent)
        return frozenset(talk.other for talk in talks) | {said.agent for said in spoken}

    def talking_in(self, conversation: str) -> tuple[str, ...]:
        """Return the agents in view that are in the conversation, in the order of slugs."""
        talks = {other: self.talk_of(other) for _distance, other in self._view.agents_in_view()}
        return tuple(
            sorted(
                other
                for other, talk in talks.items()
                if talk is not None and talk.conversation == conversation
            )
        )

    def others_in(self, conversation: str) -> tuple[str, ...]:
        """Return the agents in view that take part in the conversation, in the order of slugs.

        They are in it and have not taken their leave, or have only listened and are free.
        """
        spoken = self._utterances.utterances_of(conversation)
        leaving = {said.agent for said in spoken if said.ends}
        members = {*self.talking_in(conversation), *self._listening(conversation, spoken)}
        return tuple(sorted(members - leaving))

    def joinable(self, conversation: str) -> tuple[int, tuple[str, ...]] | None:
        """Return the number of the agent's first utterance in it, and its listeners.

        The number follows the latest utterances of the agents in view; the listeners are these
        agents and their free addressees in view. None for a conversation of the agent itself,
        and if nobody in view has spoken in it lately or is there besides the speaker.
        """
        talking = self.talking_in(conversation)
        spoken = [
            said
            for speaker in talking
            for said in self._snapshot.spoken.get(speaker, ())
            if said.conversation == conversation
        ]
        is_own = any(self._agent in said.hearers or said.by_phone for said in spoken)
        members = {*talking, *self._listening(conversation, spoken)}
        if (
            is_own
            or not spoken
            or len(members) == 1
            or self._utterances.has_spoken_in(conversation)
        ):
            return None
        return 1 + max(said.number for said in spoken), tuple(sorted(members))

    def _listening(self, conversation: str, spoken: Sequence[Spoken]) -> set[str]:
        """Return the free agents in view that have only listened to the conversation.

        `spoken` are its utterances.
        """
        listeners = {one for said in spoken for one in said.hearers}
        listeners -= {said.agent for said in spoken}
        return {
            other
            for _distance, other in self._view.agents_in_view()
            if other in listeners
            and self.talk_of(other) is None
            and not self.has_left(other, conversation)
            and not self._view.is_asleep(other)
        }
