"""The context of a turn: what it reads, and the events that it gathers."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from apps.agents import queries as agent_queries
from apps.agents.events import ActionBegan, Tile, TurnedAway, WalkBegan
from apps.agents.identity import Identity
from apps.agents.summary import AgentSummary
from apps.agents.track import Action
from apps.dialogue import queries as dialogue_queries
from apps.dialogue.voices import Talk
from apps.eventlog.event import Event, EventId
from apps.eventlog.store import NewEvent
from apps.llm.agent_llm import AgentLLM
from apps.llm.opening import open_agent_llm
from apps.memory import queries as memory_queries
from apps.memory.events import MemoryKind, MemoryOrigin, ScheduledActivity
from apps.memory.formation import MemoryDraft
from apps.memory.items import MemoryItem, StoredMemory, memory_item
from apps.memory.retrieval_session import RetrievalSession
from apps.planning import queries as plan_queries
from apps.planning.events import ActionsPlanned, HoursPlanned
from apps.simulation import queries
from apps.simulation.embodiment.queries import control_of
from apps.simulation.embodiment.rules import Control
from apps.simulation.interventions import Intervention, interventions_at
from apps.simulation.ports import Constants, Ports, constants_of
from apps.simulation.snapshot.local_view import LocalView
from apps.simulation.snapshot.opening_hours import closes_now
from apps.simulation.snapshot.perception import Acquainted
from apps.simulation.snapshot.world_snapshot import read_surroundings
from apps.world.people import seed_phrases


@dataclass(slots=True, kw_only=True)
class Turn:
    """One person at one tick: what they know at its beginning, and what comes of it.

    `view` is what the turn may read of other agents; `talk` is the conversation that the
    person is in, None once they have left it; `told` is what users tell the person in this
    tick; `control` is the control by a user, None for an agent that decides itself.
    """

    constants: Constants
    identity: Identity
    seeds: tuple[str, ...]
    tick: int
    view: LocalView
    known: frozenset[str]
    acquainted: Acquainted
    llm: AgentLLM
    retrieval: RetrievalSession
    memories: MemoryDraft
    is_first: bool
    talk: Talk | None = None
    told: tuple[Intervention, ...] = ()
    control: Control | None = None
    leaves_town: bool = False
    events: list[NewEvent] = field(default_factory=list)
    summary: AgentSummary | None = None
    _last_talks: dict[str, Talk] | None = None
    _causes: list[str] = field(default_factory=list)

    @property
    def before(self) -> int:
        """The tick at whose end the world is seen."""
        return self.tick - 1

    @property
    def now(self) -> datetime:
        """The game time at which the turn is taken."""
        return self.constants.calendar.time_at(self.tick)

    @property
    def tile(self) -> Tile:
        """Where the person stands."""
        return self.view.own_tile

    @property
    def area(self) -> str:
        """The area that the person stands in, "" outdoors."""
        return self.constants.world.map.area_at(self.tile)

    @property
    def action(self) -> Action | None:
        """What the person is doing."""
        return self.view.own_track.action_at(self.before)

    def last_talks(self) -> dict[str, Talk]:
        """Return the latest conversation that is over with each person, by slug."""
        if self._last_talks is None:
            self._last_talks = dialogue_queries.last_talks(
                self.constants.simulation_id, self.identity.slug, as_of_tick=self.before
            )
        return self._last_talks

    @property
    def is_over(self) -> bool:
        """Whether what the person was doing has come to its end."""
        return self.action is None or self.action.until_tick <= self.tick

    @property
    def sleeps_on(self) -> bool:
        """Whether the person was asleep and has not begun anything else in this turn."""
        if self.action is None or not self.action.asleep:
            return False
        begun = [
            new.event for new in self.events if isinstance(new.event, ActionBegan | WalkBegan)
        ]
        return all(isinstance(event, ActionBegan) and event.asleep for event in begun)

    @property
    def is_walking_out(self) -> bool:
        """Whether the person is on the way to somewhere outside the place they are in."""
        tree = self.constants.world.tree
        towards = self.action.towards if self.action is not None else ""
        return bool(towards) and tree.place_of(towards) != tree.place_of(self.area)

    @property
    def is_put_out(self) -> bool:
        """Whether the place that the person is in closes to them in this tick (W5)."""
        return closes_now(
            self.constants.world.tree,
            self.constants.calendar,
            person=self.identity.name,
            area=self.area,
            tick=self.tick,
        )

    def next_plan_number(self) -> int:
        """Return the number of the next plan item, those of this turn included."""
        planned = [
            item.number
            for new in self.events
            if isinstance(new.event, HoursPlanned | ActionsPlanned)
            for item in new.event.items
        ]
        if planned:
            return max(planned) + 1
        return plan_queries.next_number(
            self.constants.simulation_id, self.identity.slug, as_of_tick=self.before
        )

    def lost_attempt(self) -> str | None:
        """Return what the person tried to use or enter a tick ago without success."""
        return self.view.lost_attempt()

    def turned_away(self) -> str:
        """Return why the person could not go or use what they wanted in this turn, or ""."""
        refusals = [new.event for new in self.events if isinstance(new.event, TurnedAway)]
        return refusals[0].why if refusals else ""

    def say(self, event: Event, *, cause: str = "") -> str:
        """Add an event with the model calls made for it; return its identity."""
        self.events.append(
            NewEvent(event=event, cause=cause, model_calls=self.llm.take_calls())
        )
        return str(EventId(self.tick, self.identity.slug, len(self.events) - 1))

    def remember(  # noqa: PLR0913 (the fields of a memory)
        self,
        kind: MemoryKind,
        description: str,
        *,
        origin: MemoryOrigin,
        cause: str = "",
        subject: str = "",
        perceived: bool = False,
        importance: int | None = None,
        evidence: Iterable[int] = (),
        scheduled: ScheduledActivity | None = None,
    ) -> int:
        """Draft a memory, which is formed at the end of the turn; return its number."""
        number = self.memories.add(
            kind,
            description,
            importance=importance,
            evidence=evidence,
            subject=subject,
            perceived=perceived,
            origin=origin,
            scheduled=scheduled,
        )
        self._causes.append(cause)
        return number

    def items(self, memories: Iterable[StoredMemory]) -> tuple[MemoryItem, ...]:
        """Return memories of the agent as inputs of LLM tasks, in the same order."""
        return tuple(
            memory_item(memory, time_at=self.constants.calendar.time_at, name_of=self._name_of)
            for memory in memories
        )

    def _name_of(self, subject: str) -> str:
        return agent_queries.name_of_agent(self.constants.simulation_id, subject)

    def remember_all(self) -> None:
        """Form the memories of the turn, one request for their importance (M3)."""
        formed = self.memories.form(self.llm, person=self.identity)
        for event, cause in zip(formed, self._causes, strict=True):
            self.say(event, cause=cause)
        self._causes.clear()
        for recalled in self.retrieval.events():
            self.say(recalled)


def open_turn(ports: Ports, *, simulation_id: UUID, agent: str, tick: int) -> Turn:
    """Read what the person knows at the beginning of the tick; change nothing."""
    constants = constants_of(simulation_id, ports.worlds_root)
    facts = agent_queries.fixed_facts(simulation_id, agent)
    spec = queries.model_of(simulation_id)
    models = ports.open_models(spec, constants.seed)
    llm = open_agent_llm(
        simulation_id=simulation_id, tick=tick, stream=agent, models=models, deferred=True
    )
    people, objects = agent_queries.last_seen(simulation_id, agent, as_of_tick=tick - 1)
    town = read_surroundings(
        simulation_id,
        agent,
        world=constants.world,
        seed=constants.seed,
        tick=tick - 1,
        distance=constants.settings.vision + constants.reach,
        heard_from_tick=tick - 1 - constants.hearing_ticks,
    )
    view = LocalView(constants, town, agent, tick=tick)
    next_memory = memory_queries.next_number(simulation_id, agent, as_of_tick=tick - 1)
    return Turn(
        constants=constants,
        identity=facts.identity,
        seeds=seed_phrases(facts.description),
        tick=tick,
        view=view,
        talk=view.own_talk,
        told=interventions_at(simulation_id, agent, tick),
        control=control_of(simulation_id, agent, tick=tick),
        known=frozenset(objects),
        acquainted=Acquainted(people=people, objects=objects),
        llm=llm,
        retrieval=RetrievalSession(
            simulation_id=simulation_id,
            agent=agent,
            as_of_tick=tick - 1,
            llm=llm,
            settings=constants.retrieval,
        ),
        memories=MemoryDraft(
            next_number=next_memory,
            embedded_by=spec.embedding_model,
            dimensions=spec.embedding_dimensions,
        ),
        is_first=next_memory == 1,
    )
