"""A person is asked a question as of some tick: what they know then, and what they answer.

Nothing of it is written but the model call: no event, no memory, no retrieval (design 5).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from apps.agents import queries as agent_queries
from apps.agents.events import Tile
from apps.agents.identity import Identity
from apps.interaction.chains.answer import ANSWER, PlannedTime, QuestionAsked, SpentTime
from apps.interaction.conditions import Condition
from apps.interaction.spent import time_spent
from apps.kernel.game_time import spoken_time
from apps.llm.mind import Mind
from apps.llm.opening import open_mind
from apps.memory import queries as memory_queries
from apps.memory.events import Weights
from apps.memory.recollection import Recollection
from apps.memory.retrieval import RankedMemory
from apps.planning import queries as plan_queries
from apps.self_summary import commands as self_summary
from apps.self_summary import queries as summary_queries
from apps.simulation import queries
from apps.simulation.ports import Constants, Ports, constants_of
from apps.simulation.turn.intervene import subject_of_persona

PURPOSE = "interview.answer"
# A question asks for one thing: in this retrieval relevance outweighs the rest.
QUESTION_RELEVANCE = 4.0
EXCHANGES_MAX = 3
STREET = "the street"


@dataclass(frozen=True, slots=True, kw_only=True)
class Interview:
    """A question to a person, as of the end of a tick; `number` counts in the simulation."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What was answered, from which memories, by which model calls."""

    answer: str
    used: tuple[Used, ...]
    model_calls: tuple[str, ...]


def ask(ports: Ports, interview: Interview) -> Answered:
    """Put the question to the model. Holds no connection while a remote one thinks.

    :raises BudgetSpent: if the simulation has used as much as it may (L5).
    :raises ModelUnavailable: if the model stays away.
    """
    constants = constants_of(interview.simulation_id, ports.worlds_root)
    spec = queries.model_of(interview.simulation_id)
    mind = open_mind(
        simulation_id=interview.simulation_id,
        tick=interview.as_of_tick,
        stream=interview.agent,
        models=ports.open_models(spec, constants.seed),
        first_ordinal=interview.number,
    )
    asking = _Asking(constants, interview, mind)
    used = asking.used()
    answer = mind.ask(ANSWER, asking.given(used))
    return Answered(
        answer=" ".join(answer.answer.split()),
        used=used,
        model_calls=mind.calls,
    )


class _Asking:
    """One interview while it is put together."""

    def __init__(self, constants: Constants, interview: Interview, mind: Mind) -> None:
        self._constants = constants
        self._interview = interview
        self._mind = mind
        self._person: Identity = agent_queries.fixed_facts(
            interview.simulation_id, interview.agent
        ).identity
        kinds = interview.condition.kinds
        self._recollection = Recollection(
            simulation_id=interview.simulation_id,
            agent=interview.agent,
            as_of_tick=interview.as_of_tick,
            mind=mind,
            settings=constants.recall,
            kinds=None if interview.condition is Condition.FULL else kinds,
        )
        tick = interview.as_of_tick
        self._track = agent_queries.tracks(
            interview.simulation_id, from_tick=tick, to_tick=tick, agents=[interview.agent]
        )[interview.agent]

    def used(self) -> tuple[Used, ...]:
        """Return what comes to mind of the question, oneself, the asker, and of late."""
        name, interview = self._person.name, self._interview
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

    def given(self, used: tuple[Used, ...]) -> QuestionAsked:
        """Return what the model is given."""
        interview, person = self._interview, self._person
        observes = interview.condition.observes
        now = self._constants.calendar.time_at(interview.as_of_tick)
        tree = self._constants.world.tree
        return QuestionAsked(
            agent_name=person.name,
            summary=self._summary(),
            wake_minute=person.hours.wake,
            bed_minute=person.hours.sleep,
            home=tree.place_of(person.home),
            workplace=tree.place_of(person.workplace) if person.workplace else "",
            persona=interview.persona,
            now=spoken_time(now),
            place=self._place(),
            status=self._status() if observes else "",
            plans=tuple(self._plans()) if interview.condition.plans else (),
            spent=self._spent() if observes else (),
            memories=tuple(one.memory.description for one in used),
            earlier=tuple(self._earlier()) if observes else (),
            question=interview.question,
        )

    def _recalled(self, query: str, weights: Weights, tokens: int) -> Iterator[Used]:
        for memory in self._recollection.recall(
            query, PURPOSE, token_budget=tokens, weights=weights
        ):
            yield Used(memory, query)

    def _summary(self) -> str:
        """Return the summary that stood then; one made of less, where less may be known."""
        interview = self._interview
        if interview.condition is Condition.FULL:
            current = summary_queries.current_summary(
                interview.simulation_id, interview.agent, as_of_tick=interview.as_of_tick
            )
            if current is not None:
                return current.text
        renewed = self_summary.renew_summary(
            self._mind,
            self._person,
            self._recollection,
            now=self._constants.calendar.time_at(interview.as_of_tick),
            due_tick=interview.as_of_tick,
            token_budget=self._constants.settings.retrieval_tokens,
        )
        return renewed.text

    def _status(self) -> str:
        tick = self._interview.as_of_tick
        if self._track.tile_at(tick) is None:
            return f"{self._person.name} has left town"
        return self._track.doing_at(tick)

    def _place(self) -> str:
        tile = self._track.tile_at(self._interview.as_of_tick)
        return self._place_at(tile) if tile is not None else STREET

    def _place_at(self, tile: Tile) -> str:
        world = self._constants.world
        area = world.map.area_at(tile)
        return world.tree.words(area) if area else STREET

    def _spent(self) -> tuple[SpentTime, ...]:
        """Return how the time since yesterday's midnight went."""
        interview, calendar = self._interview, self._constants.calendar
        now = calendar.time_at(interview.as_of_tick)
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        minute = timedelta(minutes=1)
        begins = max(midnight - timedelta(days=1), calendar.time_at(0))
        tracks = agent_queries.tracks(
            interview.simulation_id,
            from_tick=calendar.tick_at(begins),
            to_tick=interview.as_of_tick,
            agents=[interview.agent],
        )
        return time_spent(
            tracks[interview.agent],
            minutes=range((begins - midnight) // minute, (now - midnight) // minute + 1),
            tick_at=lambda at: min(
                max(0, calendar.tick_at(midnight + at * minute)), interview.as_of_tick
            ),
            place_at=self._place_at,
        )

    def _plans(self) -> Iterator[PlannedTime]:
        """Yield what was planned for the day of the interview, from midnight to midnight."""
        interview, calendar = self._interview, self._constants.calendar
        now = calendar.time_at(interview.as_of_tick)
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        hours = plan_queries.items_between(
            interview.simulation_id,
            interview.agent,
            level="hour",
            from_tick=max(0, calendar.tick_at(midnight)),
            to_tick=calendar.tick_at(midnight + timedelta(days=1)),
            as_of_tick=interview.as_of_tick,
        )
        for item in hours:
            begins, ends = (
                (calendar.time_at(tick) - midnight) // timedelta(minutes=1)
                for tick in (item.from_tick, item.to_tick)
            )
            yield PlannedTime(
                from_minute=max(0, begins),
                to_minute=ends,
                activity=item.description,
                place=item.place,
            )

    def _earlier(self) -> list[str]:
        interview = self._interview
        return memory_queries.exchanges_about(
            interview.simulation_id,
            interview.agent,
            subject=subject_of_persona(interview.persona),
            as_of_tick=interview.as_of_tick,
            count=EXCHANGES_MAX,
        )
