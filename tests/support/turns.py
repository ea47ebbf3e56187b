"""Contexts of turns built by hand: a cottage of two rooms, no database, and a scripted model.

Ada's turn is taken. Ticks last 10 seconds; tick 0 is midnight of Monday, June 3, 2024.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from apps.agents.events import ActionKind, Tile
from apps.agents.queries import Seen
from apps.agents.sharing import DoorOpening, SetState, Use
from apps.agents.status import Deed
from apps.agents.summary import Hours, Identity
from apps.agents.track import Action, Movement, Track
from apps.dialogue.utterances import Spoken, Talk, Voices
from apps.eventlog.event import Event
from apps.eventlog.store import NewEvent
from apps.kernel.game_time import FOREVER_TICK, GameCalendar
from apps.llm.model_spec import ModelSpec
from apps.memory.earlier_memories import EarlierMemory
from apps.memory.events import (
    MemoriesRetrieved,
    MemoryKind,
    MemoryOrigin,
    ScheduledActivity,
    Weights,
)
from apps.memory.focus import Focus
from apps.memory.queries import CurrentSummary
from apps.memory.retrieval import Parts, RankedMemory, ScorePart, Subject
from apps.memory.retrieval_session import RetrievalSession
from apps.memory.rules import RECENT_MEMORIES_DEFAULT, RETRIEVAL_TOKENS_DEFAULT
from apps.planning.rules import Level, PlanItem
from apps.simulation.embodiment.requested_actions import Control
from apps.simulation.interventions import Intervention, InterventionEvent
from apps.simulation.ports import Constants
from apps.simulation.settings import SimulationSettings
from apps.simulation.snapshot.conversation_view import ConversationView
from apps.simulation.snapshot.local_view import LocalView
from apps.simulation.snapshot.perception import Acquainted
from apps.simulation.snapshot.utterance_view import UtteranceView
from apps.simulation.snapshot.world_snapshot import UseSpan, WorldSnapshot
from apps.simulation.turn.context.outcome import Turn
from apps.simulation.turn.context.records import AgentRecords
from apps.world.tree import Norms, WorldTree
from apps.world.world import World
from tests.support.llm_doubles import ScriptedModel, agent_llm_in_memory
from tests.support.worlds import two_rooms

COTTAGE = two_rooms()
PLACE, KITCHEN, BEDROOM = "Mill Cottage", "Mill Cottage: kitchen", "Mill Cottage: bedroom"
STOVE, TABLE, DESK = f"{KITCHEN}: stove", f"{KITCHEN}: table", f"{BEDROOM}: desk"
ADA, BEN, CEM = "ada-finch", "ben-marsh", "cem-kaya"
NAMES = {ADA: "Ada Finch", BEN: "Ben Marsh", CEM: "Cem Kaya"}
TICKS_PER_MINUTE = 6

# With this seed Ada is the one who notices others in her turn at NOW.
NOTICING_SEED = 17

Script = Mapping[str, Any]


def tick_at(clock: str) -> int:
    """Return the tick of a game time of the first day, such as `tick_at("7:30")`."""
    hour, _, minute = clock.partition(":")
    return (int(hour) * 60 + int(minute)) * TICKS_PER_MINUTE


NOW = tick_at("10:00")


def identity(slug: str = ADA, **changes: Any) -> Identity:
    """Return an agent that is up from 6:30 am to 10 pm and lives in the bedroom."""
    facts: dict[str, Any] = {
        "slug": slug,
        "name": NAMES.get(slug, slug.title()),
        "age": 41,
        "traits": ("patient", "curious"),
        "hours": Hours(wake=390, sleep=1_320),
        "home": BEDROOM,
        "bed": f"{BEDROOM}: Ada's bed",
        "workplace": "",
    }
    return Identity(**facts | changes)


def action(description: str = "writing a letter", **changes: Any) -> Action:
    """Return an action that began an hour ago and ends at noon."""
    facts: dict[str, Any] = {
        "from_tick": tick_at("9:00"),
        "until_tick": tick_at("12:00"),
        "description": description,
        "emoji": "📝",
        "area": KITCHEN,
        "object": "",
        "object_state": "",
        "asleep": False,
        "towards": "",
        "plan_item": 3,
        "event": "3240/ada-finch/0",
        "kind": ActionKind.PLANNED,
    }
    return Action(**facts | changes)


OVER = action(until_tick=NOW)


def item(
    level: Level, starts: str, ends: str, description: str = "write letters", **changes: Any
) -> PlanItem:
    """Return a plan item in the kitchen."""
    facts: dict[str, Any] = {
        "number": 2 if level == "hour" else 3,
        "parent": 1 if level == "hour" else 2,
        "level": level,
        "day": "2024-06-03" if level == "hour" else "",
        "description": description,
        "place": KITCHEN,
        "object": "",
        "object_state": "",
        "emoji": "📝",
        "asleep": False,
        "from_tick": tick_at(starts),
        "to_tick": tick_at(ends),
    }
    return PlanItem(**facts | changes)


SUMMARY = CurrentSummary(
    core="Ada is patient.",
    occupation="",
    feeling="",
    text="Ada is patient.",
    from_tick=1,
    due_tick=FOREVER_TICK,
)
PLANNED = AgentRecords(
    next_memory=10,
    next_plan_item=10,
    hours=(item("hour", "9:00", "11:00"), item("hour", "11:00", "12:00", "cook lunch")),
    action=item("action", "9:30", "11:00", "writing to the mayor"),
    summary=SUMMARY,
)


class MemoryStreamInMemory(RetrievalSession):
    """A retrieval session that returns the same memories for every query.

    `queries` are those that were made; `ratings` are those of memories without an importance;
    `gists` are the gists of conversations by the agreements that they brought.
    """

    def __init__(
        self,
        *descriptions: str,
        ratings: Mapping[int, int] | None = None,
        agreed: Sequence[str] = (),
        ended: Sequence[str] = (),
        planned: ScheduledActivity | None = None,
        gists: Mapping[int, int] | None = None,
    ) -> None:
        self._gists = dict(gists or {})
        self.ratings = dict(ratings or {})
        self.activities: dict[tuple[str, str], EarlierMemory] = {}
        self.embedded: list[tuple[str, ...]] = []
        self._memories = [ranked(number, text) for number, text in enumerate(descriptions, 1)]
        self._memories += [
            replace(ranked(number, text), origin=MemoryOrigin.AGREED)
            for number, text in enumerate(agreed, len(descriptions) + 1)
        ]
        self._ended = [
            replace(ranked(number, text), origin=MemoryOrigin.ENDED)
            for number, text in enumerate(ended, len(self._memories) + 1)
        ]
        if planned is not None:
            memory = ranked(len(self._memories) + 1, planned.activity)
            self._memories.append(
                replace(memory, origin=MemoryOrigin.PLANNED, scheduled=planned)
            )
        self.queries: list[str] = []

    def place(self, number: int, **facts: Any) -> None:
        """Change facts of the memory of the number, such as its subject."""
        self._memories[number - 1] = replace(self._memories[number - 1], **facts)

    def make_insight(self, number: int) -> None:
        """Let the memory of the number be an insight."""
        self.place(number, kind=MemoryKind.REFLECTION, origin=MemoryOrigin.INSIGHT)

    def retrieve(
        self,
        query: str,
        purpose: str,
        *,
        token_budget: int = RETRIEVAL_TOKENS_DEFAULT,
        is_question: bool = False,
        subject: Subject | Focus | None = None,
    ) -> list[RankedMemory]:
        self.queries.append(query)
        return list(self._memories)

    def itself(self) -> Subject:
        return Subject(slug="", name="", other_names=())

    def recent(
        self, *, count: int = RECENT_MEMORIES_DEFAULT, kinds: Collection[MemoryKind] = ()
    ) -> list[RankedMemory]:
        found = [one for one in self._memories if not kinds or one.kind in kinds]
        return found[::-1][:count]

    def agreements(self, now: datetime) -> list[RankedMemory]:
        return [one for one in self._memories if one.origin is MemoryOrigin.AGREED]

    def ended(self, since_tick: int) -> list[RankedMemory]:
        return self._ended

    def contains(self, description: str) -> bool:
        return any(one.description == description for one in self._memories)

    def earlier(self, description: str, *, subject: str, origin: MemoryOrigin) -> int | None:
        found = [
            one.number
            for one in self._memories
            if (one.description, one.subject, one.origin) == (description, subject, origin)
        ]
        return max(found, default=None)

    def of_activity(self, activity: str, *, subject: str) -> EarlierMemory | None:
        return self.activities.get((activity, subject))

    def gists_with(self, agreements: Collection[int]) -> list[int]:
        return [gist for number, gist in self._gists.items() if number in agreements]

    def numbered(self, numbers: Collection[int]) -> list[RankedMemory]:
        return [one for one in self._memories if one.number in numbers]

    def embed(self, queries: Iterable[str]) -> None:
        self.embedded.append(tuple(queries))

    def rate(self) -> dict[int, int]:
        return self.ratings

    def events(self) -> list[NewEvent]:
        retrievals = [
            MemoriesRetrieved(
                purpose="test", query=query, weights=Weights(), decay=0.995, numbers=()
            )
            for query in self.queries
        ]
        return [NewEvent(event=event) for event in retrievals]


def ranked(number: int, description: str) -> RankedMemory:
    part = ScorePart(raw=0.0, scaled=0.0, weight=1.0)
    return RankedMemory(
        rank=number,
        number=number,
        kind=MemoryKind.OBSERVATION,
        description=description,
        importance=5,
        rated=True,
        evidence=(),
        subject="",
        origin=MemoryOrigin.DESCRIPTION,
        scheduled=None,
        formed_tick=1,
        last_retrieved_tick=None,
        action="",
        superseded=None,
        score=1.0,
        parts=Parts(recency=part, importance=part, relevance=part),
    )


def norms(path: str, world: World = COTTAGE, **changes: Any) -> World:
    """Return the world with other norms at a node, such as `norms(KITCHEN, holds=1)`."""
    nodes = (
        replace(node, norms=replace(Norms(), **changes)) if node.path == path else node
        for node in world.tree.nodes
    )
    return replace(world, tree=WorldTree(nodes))


def tile_in(area: str) -> Tile:
    return COTTAGE.map.area_tiles(area)[0]


def tile_at(node: str) -> Tile:
    """Return a tile from which the object is used."""
    return COTTAGE.map.use_tiles(node)[0]


@dataclass(kw_only=True)
class Scene:
    """What a turn of Ada's reads; `context()` builds its context.

    `own` and `bens` are their actions, None for none; `ben` is the tile of Ben, None where he
    is not in the world; `others` are the tiles of more agents. `noticed` are the
    sights that Ada knows; `set_states` were set by users; `uses` are attempts of agents to use
    nodes; `homes` are places by agent.
    """

    tick: int = NOW
    world: World = COTTAGE
    agent: Identity = field(default_factory=identity)
    tile: Tile = field(default_factory=lambda: tile_in(KITCHEN))
    own: Action | None = field(default_factory=action)
    ben: Tile | None = None
    bens: Action | None = field(default_factory=lambda: action("baking bread"))
    others: Mapping[str, Tile] = field(default_factory=dict)
    known: Iterable[str] = (PLACE, KITCHEN, BEDROOM, STOVE, TABLE, DESK)
    noticed: Mapping[str, str] = field(default_factory=dict)
    set_states: Sequence[SetState] = ()
    uses: Sequence[Use] = ()
    spoken: Sequence[Spoken] = ()
    talks: Sequence[Talk] = ()
    controlled: frozenset[str] = frozenset()
    before_talk: Mapping[str, str] = field(default_factory=dict)
    doors_opened: tuple[DoorOpening, ...] = ()
    performed: tuple[Deed, ...] = ()
    homes: Mapping[str, str] = field(default_factory=dict)
    records: AgentRecords = PLANNED
    told: Sequence[InterventionEvent] = ()
    control: Control | None = None
    script: Script = field(default_factory=dict)
    memories: MemoryStreamInMemory = field(default_factory=MemoryStreamInMemory)
    settings: SimulationSettings = field(default_factory=SimulationSettings)
    seed: int = 7

    def context(self) -> Turn:
        """Return the context of the scene."""
        constants = Constants(
            simulation_id=UUID(int=1),
            world=self.world,
            seed=self.seed,
            calendar=GameCalendar(start=datetime(2024, 6, 3), tick_seconds=10),
            settings=self.settings,
        )
        slug = self.agent.slug
        acquainted = Acquainted(
            agents=self._seen(agents=True), objects=self._seen(agents=False)
        )
        snapshot = self._snapshot()
        view = LocalView(
            constants, snapshot, slug, tick=self.tick, doors_opened=self.doors_opened
        )
        utterances = UtteranceView(view, snapshot, self._conversations())
        self.model = ScriptedModel(self.script)
        return Turn(
            constants=constants,
            identity=self.agent,
            description=("Ada Finch writes letters for a living",),
            tick=self.tick,
            view=view,
            utterances=utterances,
            conversations=ConversationView(
                view, snapshot, utterances, self.controlled, self.before_talk
            ),
            records=self.records,
            acquainted=acquainted,
            news=view.news(acquainted),
            model=ModelSpec(),
            llm=agent_llm_in_memory(self.model, tick=self.tick, stream=slug),
            retrieval=self.memories,
            deeds_today=lambda: self.performed,
            name_of=lambda subject: NAMES.get(subject, ""),
            home_of=lambda agent: self.homes.get(agent, ""),
            interventions=tuple(
                Intervention(event, f"{self.tick}/commands/{ordinal}")
                for ordinal, event in enumerate(self.told)
            ),
            control=self.control,
        )

    def inputs(self) -> Any:
        """Return the inputs of the first task that the model was asked."""
        return self.model.asked[0].inputs

    def _snapshot(self) -> WorldSnapshot:
        snapshot = WorldSnapshot(world=self.world, seed=NOTICING_SEED)
        tracks = [_track(self.agent.slug, self.tile, self.own)]
        if self.ben is not None:
            tracks.append(_track(BEN, self.ben, self.bens))
        tracks += [_track(one, tile, action("resting")) for one, tile in self.others.items()]
        snapshot.replace_tracks(tracks)
        snapshot.replace_uses(UseSpan(use, None) for use in self.uses)
        snapshot.replace_states(self.set_states)
        voices = Voices(spoken=tuple(self.spoken), talks=tuple(self.talks))
        snapshot.replace_voices(voices, of=voices.agents)
        return snapshot

    def _seen(self, *, agents: bool) -> dict[str, Seen]:
        known = dict.fromkeys(() if agents else self.known, "") | {
            subject: state
            for subject, state in self.noticed.items()
            if (subject in NAMES) is agents
        }
        return {
            one: Seen(description=state, tick=self.tick - 1) for one, state in known.items()
        }

    def _conversations(self) -> dict[str, tuple[Spoken, ...]]:
        found: dict[str, tuple[Spoken, ...]] = {}
        for said in self.spoken:
            found[said.conversation] = (*found.get(said.conversation, ()), said)
        return found


def run(step: Callable[[Turn], Turn], turn: Turn, **so_far: Any) -> Turn:
    """Return the turn after one step; `so_far` is what earlier steps have brought."""
    return step(replace(turn, **so_far))


def events_of(turn: Turn) -> list[Event]:
    return [new.event for new in turn.events]


def descriptions_of(turn: Turn) -> list[str]:
    """Return the descriptions of the memories that are to be formed."""
    return [memory.draft.description for memory in turn.memories]


def _track(agent: str, tile: Tile, doing: Action | None) -> Track:
    return Track(
        agent=agent,
        name=NAMES.get(agent, agent.title()),
        movements=[Movement(from_tick=0, steps=(tile,))],
        actions=[] if doing is None else [doing],
    )
