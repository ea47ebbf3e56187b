"""Every read of the utterances to an agent in its turn, each with the distance that bounds it.

A turn reads utterances through this module alone (local_view.py):

read                                         bound
utterances to a, said by b at a tick s < t   a was in b's view at the end of s - 1, so that b
                                             was within vision + (t - s) of where a is now
utterances to a that a has heard             b is in view when they have been said in full
utterances to others that a overhears, and   b is in view when they have been said in full
 those that were said while it joined        or was in a's view when it joined
calls to a that have rung, and the other     a and b are in one call: neither is ahead of the
 side of a's call                            other (engine/calls.py)

The bound on utterances holds because an agent addresses nobody who is out of its view
(`LocalView.require_in_view`).
"""

from collections.abc import Mapping, Sequence
from operator import attrgetter

from apps.dialogue.utterances import Spoken
from apps.simulation.snapshot.hearing import is_answered, overheard_at, said_in_full_at
from apps.simulation.snapshot.local_view import LocalView, OutOfView
from apps.simulation.snapshot.world_snapshot import WorldSnapshot


class UtteranceView:
    """The utterances that one agent has said, heard and overheard by the tick of its turn."""

    def __init__(
        self,
        view: LocalView,
        snapshot: WorldSnapshot,
        spoken: Mapping[str, tuple[Spoken, ...]],
    ) -> None:
        """Take the utterances of the conversations that the agent takes part in.

        `spoken` has them by conversation and in order.
        """
        self._view = view
        self._snapshot = snapshot
        self._spoken = spoken
        self._constants = view.constants
        self._agent = view.agent
        self._tick = view.tick

    def heard(self) -> list[Spoken]:
        """Return the utterances to the agent that it has heard in full by this tick.

        They end at this tick and their speaker is in view or on the telephone, in order of
        tick and speaker.
        """
        return [said for said in self._said_in_full() if self._reaches(said)]

    def cut_off(self) -> list[Spoken]:
        """Return the utterances that end at this tick and whose speaker is out of view."""
        return [
            said
            for said in self._said_in_full()
            if not said.by_phone and not self._reaches(said)
        ]

    def overheard(self) -> list[Spoken]:
        """Return the utterances to others that end now and that the agent overhears."""
        return overheard_at(self._constants, self._snapshot, self._agent, self._tick)

    def heard_in(self, conversation: str) -> list[Spoken]:
        """Return what the agent has said and heard in full in a conversation, in order.

        Of two agents that addressed each other in one tick, the words of the one that gave
        way are a part of the conversation that goes on; they come first.
        """
        spoken = self.utterances_of(conversation)
        return [said for said in (*self._crossing(spoken), *spoken) if self.knows(said)]

    def said_in(self, conversation: str) -> list[Spoken]:
        """Return what the agent itself has said in a conversation, in order."""
        return [said for said in self.heard_in(conversation) if said.agent == self._agent]

    def heard_beside(self, conversation: str) -> list[Spoken]:
        """Return what others said to the agent while it was in a conversation, in order.

        These are openings that the agent heard in full since its own first utterance in the
        conversation, and has not answered.
        """
        spoken = self.utterances_of(conversation)
        own = [said.tick for said in spoken if said.agent == self._agent]
        if not own:
            return []
        crossing = self._crossing(spoken)
        beside = [
            said
            for said in self.openings()
            if said.to == self._agent
            and not said.by_phone
            and self._constants.said_in_full_tick(said) >= own[0]
            and self.knows(said)
            and said not in crossing
            and not self.has_spoken_in(said.conversation)
        ]
        return sorted(beside, key=attrgetter("order"))

    def is_being_answered(self, conversation: str) -> bool:
        """Return whether another one has said something that the agent has not heard yet."""
        return any(not self.knows(said) for said in self.utterances_of(conversation))

    def next_number_in(self, conversation: str) -> int:
        """Return the number of the next utterance of a conversation; the first is 1."""
        return 1 + max((said.number for said in self.utterances_of(conversation)), default=0)

    def has_spoken_in(self, conversation: str) -> bool:
        """Return whether the agent has said something in the conversation."""
        spoken = self._spoken.get(conversation, ())
        return any(said.agent == self._agent for said in spoken)

    def is_open_to_answer(self, said: Spoken) -> bool:
        """Return whether an utterance is to the agent, which has not spoken there before."""
        return said.to == self._agent and not self.has_spoken_in(said.conversation)

    def is_spoken_to_in(self, conversation: str) -> bool:
        """Return whether something was lately said to the agent in the conversation."""
        spoken = self._snapshot.spoken_to(self._agent)
        return any(said.conversation == conversation for said in spoken)

    def is_speaking_in(self, conversation: str) -> bool:
        """Return whether the agent has not yet said its own words in full."""
        return any(
            said.agent == self._agent and self._constants.said_in_full_tick(said) > self._tick
            for said in self.utterances_of(conversation)
        )

    def is_of_several(self, conversation: str) -> bool:
        """Return whether the conversation of the agent has had more than one other agent."""
        spoken = self.utterances_of(conversation)
        members = {one for said in spoken for one in (said.agent, *said.hearers)}
        return len(members - {self._agent}) > 1

    def openings(self) -> list[Spoken]:
        """Return the first utterances of the conversations that have been read."""
        return [said for spoken in self._spoken.values() for said in spoken if said.number == 1]

    def utterances_of(self, conversation: str) -> tuple[Spoken, ...]:
        """Return the utterances by and to the agent of a conversation that it takes part in.

        An agent that has joined a conversation knows also what those that it spoke to first
        were saying then.

        :raises OutOfView: if it takes no part in the conversation.
        """
        spoken = self._spoken.get(conversation, ())
        own = next((said for said in spoken if said.agent == self._agent), None)
        known = tuple(
            said
            for said in spoken
            if self._agent in {said.agent, *said.hearers}
            or (
                own is not None
                and said.agent in own.hearers
                and said.tick <= own.tick <= self._constants.said_in_full_tick(said)
            )
        )
        if spoken and not known:
            raise OutOfView(f"{self._agent} takes no part in conversation {conversation}")
        return known

    def knows(self, said: Spoken) -> bool:
        """Return whether the agent has said the utterance or heard it in full.

        An agent leaves a conversation at the first utterance that it cannot hear to the end:
        in one that goes on it has heard all that ended before this tick.
        """
        if said.agent == self._agent:
            return True
        ends = self._constants.said_in_full_tick(said)
        return ends < self._tick or (ends == self._tick and self._reaches(said))

    def _said_in_full(self) -> list[Spoken]:
        return said_in_full_at(self._constants, self._snapshot, self._agent, self._tick)

    def _crossing(self, spoken: Sequence[Spoken]) -> list[Spoken]:
        """Return the words of the one that gave way to the opener of a conversation."""
        if not spoken or spoken[0].number > 1 or spoken[0].by_phone:
            return []
        first = spoken[0]
        if self._agent not in {first.agent, first.to}:
            return []
        return [
            said
            for said in self.openings()
            if (said.tick, said.agent, said.to) == (first.tick, first.to, first.agent)
            and not said.by_phone
        ]

    def _reaches(self, said: Spoken) -> bool:
        """Return whether an utterance to the agent that ends now is heard by it."""
        if said.rings:
            return is_answered(self._snapshot, self._agent, said, self._tick)
        if not said.by_phone:
            return self._view.is_in_view(said.agent)
        own = self._view.own_talk
        return own is not None and own.conversation == said.conversation
