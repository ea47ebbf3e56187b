"""The context of an interview: the agent's knowledge as of a tick (U1, E2)."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from apps.agents import queries as agent_queries
from apps.agents.events import Tile
from apps.agents.status import AgentStatus, Agreement, Deed, PlannedTime
from apps.agents.summary import NO_FACTS, AgentSummary, LastingFacts
from apps.dialogue.queries import open_commitments
from apps.interaction.conditions import condition_named
from apps.interaction.inputs import InterviewInput
from apps.interaction.models import InterviewRow
from apps.kernel.language import noted, phrase
from apps.kernel.words import words_of
from apps.llm.calls.agent_llm import AgentLLM
from apps.llm.cleaning import in_one_line
from apps.memory import queries as memory_queries
from apps.memory.commands import agent_summary, renew_summary
from apps.memory.events import RetrievalPurpose
from apps.memory.facts import lasting_facts
from apps.memory.items import MemoryItem, StoredMemory, memory_item, without_outlined
from apps.memory.queries import current_facts, current_summary
from apps.memory.retrieval import RankedMemory
from apps.memory.retrieval_session import RetrievalSession
from apps.planning import queries as plan_queries
from apps.planning.deeds import deeds_between
from apps.reflection.queries import last_consolidated
from apps.simulation.ports import Constants
from apps.simulation.turn.decide.intervene import subject_of_persona
from apps.simulation.turn.perceive.relationships import STREET


def identity_query(name: str) -> str:
    """Return the query for the memories about the agent of the full name itself."""
    return phrase(
        "who {name} is: what {name} does, studies or owns, who {name} lives with, "
        "what {name} likes and loves",
        name=name,
    )


def persona_query(name: str, persona: str) -> str:
    """Return the query for what the agent knows of the interviewer."""
    return phrase("What does {name} know of {persona}?", name=name, persona=persona)


def recent_query(name: str) -> str:
    """Return the query for what the agent has done of late."""
    return phrase("what {name} has lately done, thought and talked about", name=name)


EARLIER_MEMORIES_MAX = 3
DAY = timedelta(days=1)
PERSONA_DEFAULT = noted("somebody who asks questions")
# A question with one of these words may mean the subject of the one before it.
REFERRING = noted("it its them they he she him her")


@dataclass(frozen=True, slots=True)
class RetrievedMemory:
    """A memory in the prompt of an interview, and the query that retrieved it."""

    memory: RankedMemory
    query: str


def persona_of(row: InterviewRow) -> str:
    """Return the persona of the interviewer; the default one in the language of the world."""
    return in_one_line(
        phrase(PERSONA_DEFAULT) if row.persona == PERSONA_DEFAULT else row.persona
    )


class InterviewContext:
    """What the agent knows as of the tick of an interview."""

    def __init__(self, constants: Constants, row: InterviewRow, llm: AgentLLM) -> None:
        self._constants = constants
        self._simulation_id = row.simulation_id
        self._agent = row.agent
        self._persona = persona_of(row)
        self._question = in_one_line(row.question)
        refers_back = not set(words_of(phrase(REFERRING))).isdisjoint(words_of(row.question))
        self._question_before = in_one_line(row.question_before) if refers_back else ""
        self._condition = condition_named(row.conditions)
        self._tick = row.as_of_tick
        self._llm = llm
        self._identity = agent_queries.fixed_facts(row.simulation_id, row.agent).identity
        self._retrieval = RetrievalSession(
            simulation_id=row.simulation_id,
            agent=row.agent,
            as_of_tick=row.as_of_tick,
            llm=llm,
            settings=constants.retrieval,
            calendar=constants.calendar,
            kinds=None if self._condition.is_full else self._condition.kinds,
            condensed_tick=last_consolidated(
                row.simulation_id, row.agent, as_of_tick=row.as_of_tick
            ),
        )
        self._now = constants.calendar.time_at(row.as_of_tick)
        self._midnight = datetime.combine(self._now.date(), datetime.min.time())
        self._track = agent_queries.tracks(
            row.simulation_id,
            from_tick=row.as_of_tick,
            to_tick=row.as_of_tick,
            agents=[row.agent],
        )[row.agent]

    def retrieve(self) -> tuple[RetrievedMemory, ...]:
        """Return memories for the question, of the agent itself, of the persona, and recent."""
        name, settings = self._identity.name, self._constants.settings
        budget = settings.retrieval_tokens
        queries = (
            (f"{self._question_before} {self._question}".strip(), True, budget * 3 // 8),
            (identity_query(name), True, budget // 4),
            (persona_query(name, self._persona), True, budget // 8),
            (recent_query(name), False, budget // 4),
        )
        self._retrieval.embed([query for query, *_ in queries])
        retrieved: dict[int, RetrievedMemory] = {}
        for query, is_question, tokens in queries:
            for memory in self._retrieval.retrieve(
                query, RetrievalPurpose.INTERVIEW, token_budget=tokens, is_question=is_question
            ):
                retrieved.setdefault(memory.number, RetrievedMemory(memory, query))
        return self._beside_plans(retrieved.values())

    def _beside_plans(
        self, retrieved: Collection[RetrievedMemory]
    ) -> tuple[RetrievedMemory, ...]:
        """Return the memories without those of what was once planned for today."""
        items = self._items(one.memory for one in retrieved)
        kept = {item.number for item in without_outlined(items, self._shown_plans())}
        return tuple(one for one in retrieved if one.memory.number in kept)

    def input(self, retrieved: Iterable[RetrievedMemory]) -> InterviewInput:
        """Return the input of the LLM task, without what the condition leaves out."""
        identity, tree = self._identity, self._constants.world.tree
        observes = self._condition.observes
        return InterviewInput(
            agent_name=identity.name,
            summary=self._summary(),
            wake_minute=identity.hours.wake,
            bed_minute=identity.hours.sleep,
            home=tree.place_of(identity.home),
            workplace=tree.place_of(identity.workplace) if identity.workplace else "",
            persona=self._persona,
            now=self._now,
            place=self._place(),
            status=self._status() if observes else None,
            plans=self._shown_plans(),
            agreements=self._agreements() if self._condition.plans else (),
            spent=self._spent() if observes else (),
            memories=self._items(self._with_ended(retrieved)),
            earlier=self._earlier() if observes else (),
            question=self._question,
            question_before=self._question_before,
        )

    def _with_ended(self, retrieved: Iterable[RetrievedMemory]) -> list[StoredMemory]:
        """Return the memories, and those of the latest ends of agreements besides.

        A question may retrieve none of them, and the agent knows them all the same.
        """
        memories: dict[int, StoredMemory] = {one.memory.number: one.memory for one in retrieved}
        if self._condition.observes:
            for ended in self._retrieval.ended(since_tick=0):
                memories.setdefault(ended.number, ended)
        return list(memories.values())

    def _summary(self) -> AgentSummary:
        """Return the current summary; under a condition, a new one of fewer memories.

        A condition that leaves out observations leaves out the facts that rest on them.
        """
        lasting = self._lasting() if self._condition.observes else NO_FACTS
        if self._condition.is_full:
            current = current_summary(self._simulation_id, self._agent, as_of_tick=self._tick)
            if current is not None:
                return agent_summary(self._identity, current, lasting)
        renewed = renew_summary(
            self._llm,
            self._identity,
            self._retrieval,
            items=self._items,
            lasting=lasting,
            now=self._now,
            due_tick=self._tick,
            token_budget=self._constants.settings.retrieval_tokens,
        )
        return agent_summary(self._identity, renewed, lasting)

    def _lasting(self) -> LastingFacts:
        """Return the facts that hold at the tick of the interview, with all relationships."""
        facts = current_facts(self._simulation_id, self._agent, as_of_tick=self._tick)
        return lasting_facts(facts, self._constants.calendar, self._tick)

    def _status(self) -> AgentStatus:
        is_present = self._track.tile_at(self._tick) is not None
        action = self._track.action_at(self._tick) if is_present else None
        return AgentStatus(
            agent_name=self._identity.name,
            activity="" if action is None else action.description,
        )

    def _place(self) -> str:
        """Return the agent's area in words, "" after it has left."""
        tile = self._track.tile_at(self._tick)
        return "" if tile is None else self._place_at(tile)

    def _place_at(self, tile: Tile) -> str:
        world = self._constants.world
        area = world.map.area_at(tile)
        return world.tree.words(area) if area else phrase(STREET)

    def _spent(self) -> tuple[Deed, ...]:
        """Return what the agent did since yesterday's midnight."""
        return deeds_between(
            self._simulation_id,
            self._agent,
            people=self._constants.world.names,
            calendar=self._constants.calendar,
            from_tick=self._first_tick(self._midnight - DAY),
            to_tick=self._tick,
        )

    def _shown_plans(self) -> tuple[PlannedTime, ...]:
        """Return the planned hours of the day of the interview, from midnight to midnight.

        None under a condition that leaves plans out.
        """
        if not self._condition.plans:
            return ()
        calendar = self._constants.calendar
        hours = plan_queries.items_between(
            self._simulation_id,
            self._agent,
            level="hour",
            from_tick=self._first_tick(self._midnight),
            to_tick=calendar.tick_at(self._midnight + DAY),
            as_of_tick=self._tick,
        )
        return tuple(
            replace(planned, starts=max(self._midnight, planned.starts))
            for planned in plan_queries.planned_times(hours, calendar)
        )

    def _agreements(self) -> tuple[Agreement, ...]:
        """Return the agreements that are open at the tick of the interview."""
        commitments = open_commitments(
            self._simulation_id, self._agent, now=self._now, as_of_tick=self._tick
        )
        return tuple(
            one.with_names(partial(agent_queries.name_of_agent, self._simulation_id))
            for one in commitments
        )

    def _earlier(self) -> tuple[MemoryItem, ...]:
        """Return the latest memories of interviews by the same persona."""
        return self._items(
            memory_queries.dialogue_memories_about(
                self._simulation_id,
                self._agent,
                subject=subject_of_persona(self._persona),
                as_of_tick=self._tick,
                count=EARLIER_MEMORIES_MAX,
            )
        )

    def _items(self, memories: Iterable[StoredMemory]) -> tuple[MemoryItem, ...]:
        calendar = self._constants.calendar
        name_of = partial(agent_queries.name_of_agent, self._simulation_id)
        return tuple(
            memory_item(memory, time_at=calendar.time_at, name_of=name_of, now=self._now)
            for memory in memories
        )

    def _first_tick(self, time: datetime) -> int:
        return max(0, self._constants.calendar.tick_at(time))
