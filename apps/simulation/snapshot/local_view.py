"""Every read of another agent's state in a turn, each with the distance that bounds it.

The lookahead policy (engine/lookahead.py) lets an agent a take its turn at tick t although
another agent b has only come to tick c < t, if b is more than vision + reach + speed * (t - c)
away. What b does in its ticks c to t - 1 is then unknown, and must not be read. A turn
therefore reads other agents through this module alone, and each read obeys one of these bounds:

read                                         bound
who is in view and what they do (news)       b is in view at the end of t - 1: within vision
whether b is free, in which conversation,    b is in view; otherwise the read raises
 has left one, waits for an answer, is
 controlled by a user
which agent a text names                     b is within vision + reach at the end of t - 1
occupants, capacity and state of a node      the node is within vision; whoever uses it is at
                                             most reach farther away
knocks at the node that a is in              b is within vision + reach at the end of t - 1
doors that b opened to a at a tick s < t     b was within vision + reach at the end of s - 1
utterances to a, said by b at a tick s < t   a was in b's view at the end of s - 1, so that b
                                             was within vision + (t - s) of where a is now
utterances to a that a has heard             b is in view when they have been said in full
utterances to others that a overhears, and   b is in view when they have been said in full
 with which it joins a conversation
calls to a that have rung, and the other     a and b are in one call: neither is ahead of the
 side of a's call                            other (engine/calls.py)

The bound on utterances holds because an agent addresses nobody who is out of its view
(`require_in_view`). All reads are as of the end of t - 1. ADR 19 gives the reasons.
"""

from collections.abc import Mapping, Sequence
from operator import attrgetter

from apps.agents.events import Tile
from apps.agents.naming import agent_named_first
from apps.agents.sharing import DoorOpening, SetState, Use
from apps.agents.track import Action, Track
from apps.dialogue.utterances import Spoken, Talk
from apps.simulation.ports import Constants
from apps.simulation.snapshot.hearing import (
    is_answered,
    overheard_at,
    said_in_full_at,
)
from apps.simulation.snapshot.knocking import Knock, knocks_heard
from apps.simulation.snapshot.perception import Acquainted, InView, agents_in_view, news_for
from apps.simulation.snapshot.world_snapshot import WorldSnapshot
from apps.world.geometry import chebyshev
from apps.world.node import NodeKind


class OutOfView(RuntimeError):
    """A turn tried to read what the lookahead policy does not guarantee to be known."""


class LocalView:
    """What one agent may read in its turn at a tick, as of the end of the tick before.

    The snapshot holds the tracks, uses, talks and utterances of agents within vision + reach,
    and the utterances addressed to the agent (`read_surroundings`).
    """

    def __init__(
        self,
        constants: Constants,
        snapshot: WorldSnapshot,
        agent: str,
        *,
        tick: int,
        spoken: Mapping[str, tuple[Spoken, ...]],
        controlled: frozenset[str] = frozenset(),
        doors_opened: tuple[DoorOpening, ...] = (),
    ) -> None:
        """Take what holds at the end of `tick` - 1.

        `spoken` are the utterances of the conversations that the agent takes part in, by
        conversation and in order; `controlled` are the agents that users control;
        `doors_opened` are those that were opened to the agent lately, while it is at a door,
        in order.
        """
        self._constants = constants
        self._snapshot = snapshot
        self._spoken = spoken
        self._controlled = controlled
        self._doors_opened = doors_opened
        self._agent = agent
        self._tick = tick
        self._before = tick - 1

    # --- The agent itself --------------------------------------------------------------------

    @property
    def own_track(self) -> Track:
        """Where the agent is and what it does."""
        return self._snapshot.tracks[self._agent]

    @property
    def own_tile(self) -> Tile:
        """The tile that the agent stands on."""
        tile = self.own_track.tile_at(self._before)
        assert tile is not None, "an agent that takes a turn is in the world"
        return tile

    @property
    def own_talk(self) -> Talk | None:
        """The conversation that the agent is in."""
        return self._snapshot.talk_of(self._agent, self._before)

    def own_rooms(self) -> list[str]:
        """Return the areas of limited capacity that count the agent as an occupant."""
        return self._snapshot.rooms_occupied_by(self._agent, self._before)

    # --- Agents in view ----------------------------------------------------------------------

    def agents_in_view(self) -> list[tuple[int, str]]:
        """Return the distance in tiles and the slug of each agent in view, nearest first."""
        vision = self._constants.attention.vision
        return agents_in_view(self._snapshot, self._agent, self._before, vision=vision)

    def is_in_view(self, other: str) -> bool:
        """Return whether the agent sees the other one."""
        return any(slug == other for _distance, slug in self.agents_in_view())

    def is_on_phone_with(self, other: str) -> bool:
        """Return whether the agent is in a call with the other one, or is called by it."""
        own = self.own_talk
        if own is not None:
            return own.by_phone and own.other == other
        return any(said.agent == other for said in self.calls())

    def calls(self) -> list[Spoken]:
        """Return the words that open calls to the agent, which has not answered them."""
        return [
            said
            for said in self._openings()
            if said.rings
            and said.to == self._agent
            and self._constants.said_in_full_tick(said) <= self._tick
            and not self.has_spoken_in(said.conversation)
            and is_answered(self._snapshot, self._agent, said, self._tick)
        ]

    def require_in_touch(self, other: str) -> None:
        """Raise an error unless the agent sees the other one, or is in a call with it.

        :raises OutOfView: if it does not.
        """
        if not self.is_on_phone_with(other):
            self.require_in_view(other)

    def require_in_view(self, other: str) -> None:
        """Raise an error unless the agent sees the other one.

        :raises OutOfView: if it does not.
        """
        if not self.is_in_view(other):
            raise OutOfView(f"{self._agent} does not see {other} at tick {self._tick}")

    def news(self, known: Acquainted) -> tuple[InView, ...]:
        """Return what is in view and new to the agent, nearest first (W6)."""
        attention = self._constants.attention
        snapshot, before = self._snapshot, self._before
        return tuple(news_for(snapshot, self._agent, before, known=known, attention=attention))

    def action_of(self, other: str) -> Action | None:
        """Return what an agent does, the agent itself included.

        None where the other one is out of view, and before its first action.
        """
        if other != self._agent and not self.is_in_view(other):
            return None
        return self._snapshot.tracks[other].action_at(self._before)

    def is_asleep(self, other: str) -> bool:
        """Return whether the other one sleeps.

        :raises OutOfView: if the other one is not in view.
        """
        self.require_in_view(other)
        action = self.action_of(other)
        return action is not None and action.asleep

    def talk_of(self, other: str) -> Talk | None:
        """Return the conversation that the other one is in.

        :raises OutOfView: if the other one is neither in view nor on the telephone.
        """
        self.require_in_touch(other)
        return self._snapshot.talk_of(other, self._before)

    def has_left(self, talk: Talk) -> bool:
        """Return whether the other one, having spoken in the conversation, has ended it.

        :raises OutOfView: if the other one is neither in view nor on the telephone.
        """
        self.require_in_touch(talk.other)
        return any(
            theirs.conversation == talk.conversation
            and theirs.to_tick is not None
            and theirs.to_tick <= self._before
            for theirs in self._snapshot.talks.get(talk.other, ())
        )

    def has_answered(self, call: Talk) -> bool:
        """Return whether the other one has answered the call, with words or by listening."""
        self.require_in_touch(call.other)
        talks = self._snapshot.talks.get(call.other, ())
        return any(theirs.conversation == call.conversation for theirs in talks)

    def is_busy(self, other: str, conversation: str) -> bool:
        """Return whether the other one is in an answered conversation besides this one.

        :raises OutOfView: if the other one is not in view.
        """
        theirs = self.talk_of(other)
        if theirs is None or theirs.conversation == conversation:
            return False
        return len(self.talking_in(theirs.conversation)) > 1

    def talking_in(self, conversation: str) -> tuple[str, ...]:
        """Return the agents in view that are in the conversation, in the order of slugs."""
        talks = {other: self.talk_of(other) for _distance, other in self.agents_in_view()}
        return tuple(
            sorted(
                other
                for other, talk in talks.items()
                if talk is not None and talk.conversation == conversation
            )
        )

    def joinable(self, conversation: str) -> tuple[int, tuple[str, ...]] | None:
        """Return the number of an utterance with which the agent joins, and whom it reaches.

        It follows the latest utterances of the agents in view, and reaches these and the free
        agents in view to whom they are said. None for a conversation of the agent itself, and
        if nobody in view has spoken in it lately or is there besides the speaker.
        """
        talking = self.talking_in(conversation)
        spoken = [
            said
            for speaker in talking
            for said in self._snapshot.spoken.get(speaker, ())
            if said.conversation == conversation
        ]
        is_own = any(self._agent in said.hearers or said.by_phone for said in spoken)
        members = {*talking, *self._listening(spoken)}
        if is_own or not spoken or len(members) == 1 or self.has_spoken_in(conversation):
            return None
        return 1 + max(said.number for said in spoken), tuple(sorted(members))

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
            for said in self._utterances_of(conversation)
        )

    def is_of_several(self, conversation: str) -> bool:
        """Return whether the conversation of the agent has had more than one other agent."""
        spoken = self._utterances_of(conversation)
        members = {one for said in spoken for one in (said.agent, *said.hearers)}
        return len(members - {self._agent}) > 1

    def others_in(self, conversation: str) -> tuple[str, ...]:
        """Return the agents in view that take part in the conversation, in the order of slugs.

        They are in it and have not taken their leave, or have only listened and are free.
        """
        spoken = self._utterances_of(conversation)
        leaving = {said.agent for said in spoken if said.ends}
        members = {*self.talking_in(conversation), *self._listening(spoken)}
        return tuple(sorted(members - leaving))

    def _listening(self, spoken: Sequence[Spoken]) -> set[str]:
        """Return the free agents in view that have only listened to the utterances."""
        listeners = {one for said in spoken for one in said.hearers}
        listeners -= {said.agent for said in spoken}
        return {
            other
            for _distance, other in self.agents_in_view()
            if other in listeners and self.talk_of(other) is None and not self.is_asleep(other)
        }

    def is_controlled_by_user(self, other: str) -> bool:
        """Return whether a user acts for the other one.

        :raises OutOfView: if the other one is neither in view nor on the telephone.
        """
        self.require_in_touch(other)
        return other in self._controlled

    # --- Agents near by, in view or not ------------------------------------------------------

    def agents_near(self) -> frozenset[str]:
        """Return the agents within vision + reach."""
        return frozenset(self._snapshot.tracks) - {self._agent}

    def tile_near(self, other: str) -> Tile:
        """Return the tile of an agent within vision + reach.

        :raises OutOfView: if the other one is farther away.
        """
        tile = self._snapshot.tile_of(other, self._before)
        if tile is None:
            raise OutOfView(f"{other} is not near {self._agent} at tick {self._tick}")
        return tile

    def interlocutors(self) -> frozenset[str]:
        """Return the agents that have lately talked with or spoken to the agent."""
        talks = self._snapshot.talks.get(self._agent, ())
        spoken = self._snapshot.spoken_to(self._agent)
        return frozenset(talk.other for talk in talks) | {said.agent for said in spoken}

    def agent_named_by(self, text: str) -> str:
        """Return the slug of the agent near by whose name the text begins with, "" if none."""
        others = (
            (slug, track.name)
            for slug, track in self._snapshot.tracks.items()
            if slug != self._agent
        )
        return agent_named_first(text, others)

    # --- Doors -------------------------------------------------------------------------------

    def knocks(self) -> list[Knock]:
        """Return the knocks of the tick before that the agent, at home or visiting, hears."""
        distance = self._constants.knock_distance
        return knocks_heard(self._snapshot, self._agent, self._before, distance=distance)

    def door_opened(self, node: str) -> DoorOpening | None:
        """Return the latest opening of the node's door to the agent, None without one."""
        opened = [one for one in self._doors_opened if one.node == node]
        return opened[-1] if opened else None

    # --- Utterances --------------------------------------------------------------------------

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
        spoken = self._utterances_of(conversation)
        return [said for said in (*self._crossing(spoken), *spoken) if self._knows(said)]

    def heard_beside(self, conversation: str) -> list[Spoken]:
        """Return what others said to the agent while it was in a conversation, in order.

        These are openings that the agent heard in full since its own first utterance in the
        conversation, and has not answered.
        """
        spoken = self._utterances_of(conversation)
        own = [said.tick for said in spoken if said.agent == self._agent]
        if not own:
            return []
        crossing = self._crossing(spoken)
        beside = [
            said
            for said in self._openings()
            if said.to == self._agent
            and not said.by_phone
            and self._constants.said_in_full_tick(said) >= own[0]
            and self._knows(said)
            and said not in crossing
            and not self.has_spoken_in(said.conversation)
        ]
        return sorted(beside, key=attrgetter("order"))

    def waiting(self) -> list[Spoken]:
        """Return the openings whose speakers, in view, wait for the agent to answer them.

        The earliest come first; those of one tick in the order of their speakers.
        """
        talks = (self.talk_of(other) for _distance, other in self.agents_in_view())
        conversations = {
            talk.conversation
            for talk in talks
            if talk and talk.other == self._agent and not talk.by_phone
        }
        waiting = [
            said
            for said in self._openings()
            if said.conversation in conversations
            and said.to == self._agent
            and not said.ends
            and self._knows(said)
            and not self.has_spoken_in(said.conversation)
        ]
        return sorted(waiting, key=attrgetter("order"))

    def is_being_answered(self, conversation: str) -> bool:
        """Return whether another one has said something that the agent has not heard yet."""
        return any(not self._knows(said) for said in self._utterances_of(conversation))

    def next_number_in(self, conversation: str) -> int:
        """Return the number of the next utterance of a conversation; the first is 1."""
        return 1 + max((said.number for said in self._utterances_of(conversation)), default=0)

    def _said_in_full(self) -> list[Spoken]:
        return said_in_full_at(self._constants, self._snapshot, self._agent, self._tick)

    def _openings(self) -> list[Spoken]:
        """Return the first utterances of the conversations that have been read."""
        return [said for spoken in self._spoken.values() for said in spoken if said.number == 1]

    def _crossing(self, spoken: Sequence[Spoken]) -> list[Spoken]:
        """Return the words of the one that gave way to the opener of a conversation."""
        if not spoken or spoken[0].number > 1 or spoken[0].by_phone:
            return []
        first = spoken[0]
        if self._agent not in {first.agent, first.to}:
            return []
        return [
            said
            for said in self._openings()
            if (said.tick, said.agent, said.to) == (first.tick, first.to, first.agent)
            and not said.by_phone
        ]

    def has_spoken_in(self, conversation: str) -> bool:
        """Return whether the agent has said something in the conversation."""
        spoken = self._spoken.get(conversation, ())
        return any(said.agent == self._agent for said in spoken)

    def _utterances_of(self, conversation: str) -> tuple[Spoken, ...]:
        """Return the utterances by and to the agent of a conversation that it takes part in.

        An agent that has joined a conversation knows also the words that it overheard then, of
        the agent that it spoke to first.
        """
        spoken = self._spoken.get(conversation, ())
        own = next((said for said in spoken if said.agent == self._agent), None)
        known = tuple(
            said
            for said in spoken
            if self._agent in {said.agent, *said.hearers}
            or (
                own is not None
                and said.agent == own.to
                and self._constants.said_in_full_tick(said) == own.tick
            )
        )
        if spoken and not known:
            raise OutOfView(f"{self._agent} takes no part in conversation {conversation}")
        return known

    def _knows(self, said: Spoken) -> bool:
        """Return whether the agent has said the utterance or heard it in full.

        An agent leaves a conversation at the first utterance that it cannot hear to the end:
        in one that goes on it has heard all that ended before this tick.
        """
        if said.agent == self._agent:
            return True
        ends = self._constants.said_in_full_tick(said)
        return ends < self._tick or (ends == self._tick and self._reaches(said))

    def _reaches(self, said: Spoken) -> bool:
        """Return whether an utterance to the agent that ends now is heard by it."""
        if said.rings:
            return is_answered(self._snapshot, self._agent, said, self._tick)
        if not said.by_phone:
            return self.is_in_view(said.agent)
        own = self.own_talk
        return own is not None and own.conversation == said.conversation

    # --- Nodes in view: rooms and objects ----------------------------------------------------

    def occupants_of(self, node: str) -> tuple[Use, ...]:
        """Return the uses of a node that succeeded.

        :raises OutOfView: if the node is not within vision.
        """
        self._require_node_in_view(node)
        return self._snapshot.occupants_of(node, self._before)

    def is_full(self, node: str) -> bool:
        """Return whether a node serves as many other agents as it can.

        :raises OutOfView: if the node is not within vision.
        """
        self._require_node_in_view(node)
        return self._snapshot.is_full(node, self._before, for_agent=self._agent)

    def set_state_of(self, node: str) -> SetState | None:
        """Return the state that a user has set of an object, if one holds.

        :raises OutOfView: if the object is not within vision.
        """
        self._require_node_in_view(node)
        return self._snapshot.set_state_of(node, self._before)

    def lost_attempt(self) -> str | None:
        """Return the node that the agent, being there, tried to use or enter in vain."""
        return self._snapshot.lost_attempt(self._agent, self._before)

    def _require_node_in_view(self, path: str) -> None:
        world, here = self._constants.world, self.own_tile
        if world.tree.node(path).kind is NodeKind.OBJECT:
            used_from = world.map.use_tiles(path)
            tiles = (*used_from, *world.map.tiles_of(path)) if used_from else ()
        else:
            tiles = world.map.area_tiles(path)
        distance = min((chebyshev(here, tile) for tile in tiles), default=0)
        if distance > self._constants.attention.vision:
            raise OutOfView(f"{path} is {distance} tiles from {self._agent} at {self._tick}")
