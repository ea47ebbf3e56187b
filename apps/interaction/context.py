"""What the agent of an interview knows as of a tick: the input of the LLM task (U1, E2)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from apps.agents import queries as agent_queries
from apps.agents.events import Tile
from apps.agents.identity import Identity
from apps.agents.status import AgentStatus, PlannedTime
from apps.agents.summary import AgentSummary
from apps.interaction.conditions import Condition
from apps.interaction.inputs import InterviewInput
from apps.interaction.spent import time_spent
from apps.llm.agent_llm import AgentLLM
from apps.memory import queries as memory_queries
from apps.memory.events import Weights
from apps.memory.items import MemoryItem, StoredMemory, memory_item
from apps.memory.purposes import RetrievalPurpose
from apps.memory.retrieval import RankedMemory
from apps.memory.retrieval_session import StoredRetrievalSession
from apps.memory.summary.commands import agent_summary, renew_summary
from apps.memory.summary.queries import current_summary
from apps.planning import queries as plan_queries
from apps.simulation.ports import Constants
from apps.simulation.turn.intervene import subject_of_persona

# A question asks for one thing: in this retrieval relevance outweighs the rest.
QUESTION_RELEVANCE = 4.0
EXCHANGES_MAX = 3
DAY = timedelta(days=1)
STREET = "the street"


@dataclass(frozen=True, slots=True, kw_only=True)
class Interview:
    """A question to an agent, as of the end of a tick; `number` counts in the simulation."""

    simulation_id: UUID
    number: int
    agent: str
    persona: str
    question: str
    condition: Condition
    as_of_tick: int


@dataclass(frozen=True, slots=True)
class Used:
    """A memory that went into the prompt, and the query that brought it up."""

    memory: RankedMemory
    query: str


class InterviewContext:
    """What the agent of an interview knows as of its tick."""

    def __init__(self, constants: Constants, interview: Interview, llm: AgentLLM) -> None:
        self._constants = constants
        self._interview = interview
        self._llm = llm
        self._identity: Identity = agent_queries.fixed_facts(
            interview.simulation_id, interview.agent
        ).identity
        kinds = interview.condition.kinds
        self._retrieval = StoredRetrievalSession(
            simulation_id=interview.simulation_id,
            agent=interview.agent,
            as_of_tick=interview.as_of_tick,
            llm=llm,
            settings=constants.retrieval,
            kinds=None if interview.condition is Condition.FULL else kinds,
        )
        tick = interview.as_of_tick
        self._now = constants.calendar.time_at(tick)
        self._midnight = datetime.combine(self._now.date(), datetime.min.time())
        self._track = agent_queries.tracks(
            interview.simulation_id,
            from_tick=self._first_tick(self._midnight - DAY),
            to_tick=tick,
            agents=[interview.agent],
        )[interview.agent]

    def retrieve(self) -> tuple[Used, ...]:
        """Return the memories of the question, of the agent, of the asker, and of late."""
        name, interview = self._identity.name, self._interview
        budget = self._constants.settings.retrieval_tokens
        usual = self._constants.settings.weights
        to_the_point = replace(usual, relevance=usual.relevance * QUESTION_RELEVANCE)
        wanted = (
            (interview.question, to_the_point, budget * 3 // 8),
            (
                f"who {name} is: what {name} does, studies or owns, who {name} lives with, "
                f"what {name} likes and loves",
                to_the_point,
                budget // 4,
            ),
            (f"What does {name} know of {interview.persona}?", to_the_point, budget // 8),
            (f"what {name} has lately done, thought and talked about", usual, budget // 4),
        )
        found: dict[int, Used] = {}
        for query, weights, tokens in wanted:
            for used in self._recalled(query, weights, tokens):
                found.setdefault(used.memory.number, used)
        return tuple(found.values())

    def input(self, used: Iterable[Used]) -> InterviewInput:
        """Return the input of the LLM task; the condition may leave out parts of it."""
        interview, identity = self._interview, self._identity
        observes = interview.condition.observes
        tree = self._constants.world.tree
        return InterviewInput(
            agent_name=identity.name,
            summary=self._summary(),
            wake_minute=identity.hours.wake,
            bed_minute=identity.hours.sleep,
            home=tree.place_of(identity.home),
            workplace=tree.place_of(identity.workplace) if identity.workplace else "",
            persona=interview.persona,
            now=self._now,
            place=self._place(),
            status=self._status() if observes else None,
            plans=tuple(self._plans()) if interview.condition.plans else (),
            spent=self._spent() if observes else (),
            memories=self._items(one.memory for one in used),
            earlier=self._items(self._earlier()) if observes else (),
            question=interview.question,
        )

    def _recalled(self, query: str, weights: Weights, tokens: int) -> Iterator[Used]:
        for memory in self._retrieval.retrieve(
            query, RetrievalPurpose.INTERVIEW, token_budget=tokens, weights=weights
        ):
            yield Used(memory, query)

    def _summary(self) -> AgentSummary:
        """Return the current summary; a new one of fewer memories under a condition."""
        interview, identity = self._interview, self._identity
        if interview.condition is Condition.FULL:
            current = current_summary(
                interview.simulation_id, interview.agent, as_of_tick=interview.as_of_tick
            )
            if current is not None:
                return agent_summary(identity, current)
        renewed = renew_summary(
            self._llm,
            identity,
            self._retrieval,
            items=self._items,
            now=self._now,
            due_tick=interview.as_of_tick,
            token_budget=self._constants.settings.retrieval_tokens,
        )
        return agent_summary(identity, renewed)

    def _status(self) -> AgentStatus:
        tick = self._interview.as_of_tick
        is_here = self._track.tile_at(tick) is not None
        action = self._track.action_at(tick) if is_here else None
        return AgentStatus(
            agent_name=self._identity.name,
            activity="" if action is None else action.description,
        )

    def _place(self) -> str:
        """Return where the agent is in words, "" after it has left."""
        tile = self._track.tile_at(self._interview.as_of_tick)
        return "" if tile is None else self._place_at(tile)

    def _place_at(self, tile: Tile) -> str:
        world = self._constants.world
        area = world.map.area_at(tile)
        return world.tree.words(area) if area else STREET

    def _spent(self) -> tuple[PlannedTime, ...]:
        """Return how the time since yesterday's midnight was spent."""
        calendar = self._constants.calendar
        return time_spent(
            self._track,
            starts=max(self._midnight - DAY, calendar.time_at(0)),
            now=self._now,
            tick_at=lambda time: min(calendar.tick_at(time), self._interview.as_of_tick),
            place_at=self._place_at,
        )

    def _plans(self) -> Iterator[PlannedTime]:
        """Yield the planned hours of the day of the interview, from midnight to midnight."""
        interview, calendar = self._interview, self._constants.calendar
        hours = plan_queries.items_between(
            interview.simulation_id,
            interview.agent,
            level="hour",
            from_tick=self._first_tick(self._midnight),
            to_tick=calendar.tick_at(self._midnight + DAY),
            as_of_tick=interview.as_of_tick,
        )
        for hour in hours:
            yield PlannedTime(
                starts=max(self._midnight, calendar.time_at(hour.from_tick)),
                ends=calendar.time_at(hour.to_tick),
                activity=hour.description,
                place=hour.place,
                is_asleep=hour.asleep,
            )

    def _earlier(self) -> Iterable[StoredMemory]:
        interview = self._interview
        return memory_queries.exchanges_about(
            interview.simulation_id,
            interview.agent,
            subject=subject_of_persona(interview.persona),
            as_of_tick=interview.as_of_tick,
            count=EXCHANGES_MAX,
        )

    def _items(self, memories: Iterable[StoredMemory]) -> tuple[MemoryItem, ...]:
        calendar = self._constants.calendar
        return tuple(
            memory_item(memory, time_at=calendar.time_at, name_of=self._name_of)
            for memory in memories
        )

    def _name_of(self, subject: str) -> str:
        return agent_queries.name_of_agent(self._interview.simulation_id, subject)

    def _first_tick(self, time: datetime) -> int:
        return max(0, self._constants.calendar.tick_at(time))
