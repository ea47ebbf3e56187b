"""The context of a turn: all that its steps read, and the ports by which they read more."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from apps.agents.events import Tile
from apps.agents.status import Deed
from apps.agents.summary import Identity
from apps.agents.track import Action
from apps.kernel.game_time import GameCalendar
from apps.kernel.names import slug_of
from apps.llm.calls.agent_llm import AgentLLM
from apps.llm.model_spec import ModelSpec
from apps.memory.items import MemoryItem, StoredMemory, memory_item
from apps.memory.retrieval_session import RetrievalSession
from apps.planning.rules import plan_day_at
from apps.simulation.embodiment.requested_actions import Control
from apps.simulation.interventions import Intervention
from apps.simulation.ports import Constants
from apps.simulation.settings import Attention, SimulationSettings
from apps.simulation.snapshot.conversation_view import ConversationView
from apps.simulation.snapshot.local_view import LocalView
from apps.simulation.snapshot.perception import Acquainted, InView
from apps.simulation.snapshot.utterance_view import UtteranceView
from apps.simulation.turn.context.records import AgentRecords
from apps.world.tile_map import TileMap
from apps.world.tree import WorldTree
from apps.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnContext:
    """One agent at one tick, as of the end of the tick before.

    - `description` holds the phrases of the agent's description;
    - `view`, `utterances` and `conversations` answer what the turn may read of other agents;
    - `records` are those of the agent's own stream, `acquainted` what it has noticed before;
    - `news` is what is in view and new to it, nearest first;
    - `interventions` are those of users that reach it at this tick;
    - `control` is the control by a user, None for an agent that decides itself.

    The others are ports: their questions arise while a step decides. They read as of the end
    of the tick before, and change nothing that a step reads.

    - `llm` and `retrieval` record what they were asked;
    - `deeds_today` returns what the agent has done in its plan-day so far, in order;
      it reads once, in the few turns that need it;
    - `name_of` returns the full name of an agent by slug, "" for any other subject; `home_of`
      returns the path of an agent's home, "" for none. Both never change.
    """

    constants: Constants
    identity: Identity
    description: tuple[str, ...]
    tick: int
    view: LocalView
    utterances: UtteranceView
    conversations: ConversationView
    records: AgentRecords
    acquainted: Acquainted
    news: tuple[InView, ...]
    model: ModelSpec
    llm: AgentLLM
    retrieval: RetrievalSession
    deeds_today: Callable[[], tuple[Deed, ...]]
    name_of: Callable[[str], str]
    home_of: Callable[[str], str]
    interventions: tuple[Intervention, ...] = ()
    control: Control | None = None

    @property
    def world(self) -> World:
        """The world of the simulation."""
        return self.constants.world

    @property
    def tree(self) -> WorldTree:
        """The places, areas and objects of the world."""
        return self.world.tree

    @property
    def map(self) -> TileMap:
        """The map of the world."""
        return self.world.map

    @property
    def calendar(self) -> GameCalendar:
        """The calendar of the simulation."""
        return self.constants.calendar

    @property
    def settings(self) -> SimulationSettings:
        """The settings of the simulation."""
        return self.constants.settings

    @property
    def seed(self) -> int:
        """The seed of all draws."""
        return self.constants.seed

    @property
    def attention(self) -> Attention:
        """The limits of perception."""
        return self.constants.attention

    @property
    def before(self) -> int:
        """The tick at whose end the world is seen."""
        return self.tick - 1

    @property
    def now(self) -> datetime:
        """The game time of the turn."""
        return self.calendar.time_at(self.tick)

    @property
    def tile(self) -> Tile:
        """The tile that the agent stands on."""
        return self.view.own_tile

    @property
    def area(self) -> str:
        """The area that the agent stands in, "" outdoors."""
        return self.map.area_at(self.tile)

    @property
    def action(self) -> Action | None:
        """The current action of the agent, None before the first."""
        return self.view.own_track.action_at(self.before)

    @property
    def is_action_over(self) -> bool:
        """Whether the agent has no action that goes on after this tick."""
        return self.action is None or self.action.until_tick <= self.tick

    @property
    def known(self) -> frozenset[str]:
        """The paths of the nodes that the agent knows."""
        return frozenset(self.acquainted.objects)

    @property
    def is_place_closing(self) -> bool:
        """Whether the place around the agent closes to it in this tick (W5)."""
        return self.constants.closes_now(self.identity.name, self.area, self.tick)

    @property
    def has_to_leave(self) -> bool:
        """Whether the place closes and the agent is not on its way to another one."""
        if not self.is_place_closing:
            return False
        tree = self.tree
        towards = self.action.towards if self.action is not None else ""
        return not towards or tree.place_of(towards) == tree.place_of(self.area)

    def name_known(self, slug: str) -> str:
        """Return the full name of an agent, also of one that is not in the simulation.

        Of somebody that the world does not have it is the name that was said, or the words of
        the slug.
        """
        named = self.name_of(slug) or self.world.names.get(slug)
        if named is None and slug == slug_of(slug):
            return " ".join(map(str.capitalize, slug.split("-")))
        return named or slug

    def ticks_of(self, *, minutes: float) -> int:
        """Return how many ticks the minutes last."""
        return self.calendar.ticks_of(minutes=minutes)

    def plan_day_of(self, tick: int) -> str:
        """Return the date of the agent's plan-day that holds the tick, "2023-02-13"."""
        return plan_day_at(self.identity.hours, self.calendar, tick).day

    def items(self, memories: Iterable[StoredMemory]) -> tuple[MemoryItem, ...]:
        """Return memories of the agent as inputs of LLM tasks, in the same order."""
        return tuple(
            memory_item(
                memory, time_at=self.calendar.time_at, name_of=self.name_of, now=self.now
            )
            for memory in memories
        )
