"""Every read of another agent's state in a turn, each with the distance that bounds it.

The lookahead policy (engine/lookahead.py) lets an agent a take its turn at tick t although
another agent b has only come to tick c < t, if b is more than vision + reach + speed * (t - c)
away, and more than speed * (t - c) from the room of a. What b does in its ticks c to t - 1 is
then unknown, and must not be read. A turn therefore reads other agents through the views alone,
and each read obeys one of these bounds:

read                                         bound
who is in view and what they do (news)       b is in view at the end of t - 1: within vision
whether b is asleep                          b is in view; otherwise the read raises
which agent a text names                     b is within vision + reach at the end of t - 1
who is in the same room                      b is in the room of a at the end of t - 1
occupants, capacity and state of a node      the node is within vision, and whoever uses it at
                                             most reach farther away, or both are in the room
knocks at the node that a is in              b is within vision + reach at the end of t - 1
doors that b opened to a at a tick s < t     b was within vision + reach at the end of s - 1

Conversations are read through conversation_view.py, utterances through utterance_view.py, each
with its bounds. All reads are as of the end of t - 1. ADR 19 gives the reasons.
"""

from apps.agents.events import Tile
from apps.agents.sharing import DoorOpening, SetState, Use
from apps.agents.track import Action, Track
from apps.dialogue.utterances import Talk
from apps.simulation.ports import Constants
from apps.simulation.snapshot.hearing import Knock, knocks_heard
from apps.simulation.snapshot.perception import Acquainted, InView, agents_in_view, news_for
from apps.simulation.snapshot.world_snapshot import WorldSnapshot
from apps.world.tile_map import chebyshev
from apps.world.tree import NodeKind


class OutOfView(RuntimeError):
    """A turn tried to read what the lookahead policy does not guarantee to be known."""


class LocalView:
    """The agents and nodes that one agent may read of in its turn, as of the tick before.

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
        doors_opened: tuple[DoorOpening, ...] = (),
    ) -> None:
        """Take what holds at the end of `tick` - 1.

        `doors_opened` are those that were opened to the agent lately, while it is at a door,
        in order.
        """
        self.constants = constants
        self.agent = agent
        self.tick = tick
        self._snapshot = snapshot
        self._doors_opened = doors_opened
        self._before = tick - 1

    # --- The agent itself --------------------------------------------------------------------

    @property
    def own_track(self) -> Track:
        """Where the agent is and what it does."""
        return self._snapshot.tracks[self.agent]

    @property
    def own_tile(self) -> Tile:
        """The tile that the agent stands on."""
        tile = self.own_track.tile_at(self._before)
        assert tile is not None, "an agent that takes a turn is in the world"
        return tile

    @property
    def own_talk(self) -> Talk | None:
        """The conversation that the agent is in."""
        return self._snapshot.talk_of(self.agent, self._before)

    def own_rooms(self) -> list[str]:
        """Return the areas of limited capacity that count the agent as an occupant."""
        return self._snapshot.rooms_occupied_by(self.agent, self._before)

    # --- Agents in view ----------------------------------------------------------------------

    def agents_in_view(self) -> list[tuple[int, str]]:
        """Return the distance in tiles and the slug of each agent in view, nearest first."""
        vision = self.constants.attention.vision
        return agents_in_view(self._snapshot, self.agent, self._before, vision=vision)

    def is_in_view(self, other: str) -> bool:
        """Return whether the agent sees the other agent."""
        return any(slug == other for _distance, slug in self.agents_in_view())

    def require_in_view(self, other: str) -> None:
        """Raise an error unless the agent sees the other agent.

        :raises OutOfView: if it does not.
        """
        if not self.is_in_view(other):
            raise OutOfView(f"{self.agent} does not see {other} at tick {self.tick}")

    def news(self, known: Acquainted) -> tuple[InView, ...]:
        """Return what is in view and new to the agent, nearest first (W6)."""
        attention = self.constants.attention
        snapshot, before = self._snapshot, self._before
        return tuple(news_for(snapshot, self.agent, before, known=known, attention=attention))

    def action_of(self, other: str) -> Action | None:
        """Return what an agent does, the agent itself included.

        None where the other agent is out of view, and before its first action.
        """
        if other != self.agent and not self.is_in_view(other):
            return None
        return self._snapshot.tracks[other].action_at(self._before)

    def is_asleep(self, other: str) -> bool:
        """Return whether the other agent sleeps.

        :raises OutOfView: if the other agent is not in view.
        """
        self.require_in_view(other)
        action = self.action_of(other)
        return action is not None and action.asleep

    # --- Agents near by, in view or not ------------------------------------------------------

    def agents_near(self) -> frozenset[str]:
        """Return the agents within vision + reach, and in the same room."""
        return frozenset(self._snapshot.tracks) - {self.agent}

    def tile_near(self, other: str) -> Tile:
        """Return the tile of an agent within vision + reach or in the same room.

        :raises OutOfView: if the other agent is farther away.
        """
        tile = self._snapshot.tile_of(other, self._before)
        if tile is None:
            raise OutOfView(f"{other} is not near {self.agent} at tick {self.tick}")
        return tile

    # --- Doors -------------------------------------------------------------------------------

    def knocks(self) -> list[Knock]:
        """Return the knocks of the tick before that the agent, at home or visiting, hears."""
        distance = self.constants.knock_distance
        return knocks_heard(self._snapshot, self.agent, self._before, distance=distance)

    def door_opened(self, node: str) -> DoorOpening | None:
        """Return the latest opening of the node's door to the agent, None without one."""
        opened = [one for one in self._doors_opened if one.node == node]
        return opened[-1] if opened else None

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
        return self._snapshot.is_full(node, self._before, for_agent=self.agent)

    def set_state_of(self, node: str) -> SetState | None:
        """Return the state that a user has set of an object, if one holds.

        :raises OutOfView: if the object is neither within vision nor in the same room.
        """
        self._require_node_in_view(node)
        return self._snapshot.set_state_of(node, self._before)

    def lost_attempt(self) -> str | None:
        """Return the node that the agent, being there, tried to use or enter in vain."""
        return self._snapshot.lost_attempt(self.agent, self._before)

    def _require_node_in_view(self, path: str) -> None:
        world, here = self.constants.world, self.own_tile
        room = world.map.room_at(here)
        if room is not None and room.area == world.tree.area_of(path):
            return
        if world.tree.node(path).kind is NodeKind.OBJECT:
            used_from = world.map.use_tiles(path)
            tiles = (*used_from, *world.map.tiles_of(path)) if used_from else ()
        else:
            tiles = world.map.area_tiles(path)
        distance = min((chebyshev(here, tile) for tile in tiles), default=0)
        if distance > self.constants.attention.vision:
            raise OutOfView(f"{path} is {distance} tiles from {self.agent} at {self.tick}")
