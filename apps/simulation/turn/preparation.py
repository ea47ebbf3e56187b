"""Preparation: forms the seed memories of a simulation's agents at tick 0 (paper 3.1, U5).

A model of this process rates them when the simulation is created. A remote model is asked in
one task for each agent, which the scheduler dispatches like a turn; no agent takes a turn at
tick 1 before all agents have their seed memories.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from apps.agents import queries as agent_queries
from apps.agents.models import AgentRow
from apps.agents.summary import Identity
from apps.eventlog.event import Event, Recorded
from apps.eventlog.store import AlreadyWritten, NewEvent, acquire_append_lock
from apps.kernel.errors import Conflict
from apps.kernel.words import seed_phrases
from apps.llm.calls.agent_llm import AgentLLM, CallSeries
from apps.llm.model_spec import ModelSpec
from apps.llm.opening import Models
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.formation import DraftedMemory, form_memories, rate_memories
from apps.memory.models import MemoryRow
from apps.simulation import queries
from apps.simulation.models import SimulationRow, Status
from apps.simulation.notifications import wake_scheduler
from apps.simulation.ports import Constants, Ports, constants_of
from apps.simulation.turn.context.context_reading import open_llm
from apps.simulation.turn.remember.fact_changes import facts_described, known_by_facts

PREPARATION_TICK = 0


class SimulationPreparing(Conflict):
    """The seed memories of the agent have not been formed yet."""


@dataclass(frozen=True, slots=True)
class Preparation:
    """How many agents a simulation has, and how many of them have their seed memories."""

    agents: int = 0
    ready: int = 0


def is_local(models: Models) -> bool:
    """Return whether the models answer within this process, at once and without cost."""
    return models.chats_are_local and not models.embedding.remote


def seed_memories(
    llm: AgentLLM, agent: Identity, description: str, spec: ModelSpec, constants: Constants
) -> list[NewEvent]:
    """Return the events of one memory of each phrase of a description, and of its facts.

    All memories are rated.
    """
    phrases = seed_phrases(description)
    drafts = [
        DraftedMemory(
            number=number,
            kind=MemoryKind.OBSERVATION,
            description=phrase,
            origin=MemoryOrigin.DESCRIPTION,
        )
        for number, phrase in enumerate(phrases, start=1)
    ]
    ratings = rate_memories(llm, agent, drafts)
    rating_calls = llm.take_calls()
    facts = facts_described(llm, constants, agent, phrases, tick=PREPARATION_TICK)
    calls_of_facts, known = llm.take_calls(), known_by_facts(facts)
    complete = [
        replace(draft, importance=ratings[draft.number], **known.get(draft.number, {}))
        for draft in drafts
    ]
    formed = form_memories(complete, llm, spec)
    calls = (*rating_calls, *llm.take_calls())
    return [*_caused_by(formed, calls), *_caused_by(facts, calls_of_facts)]


def _caused_by(events: Sequence[Event], calls: tuple[str, ...]) -> list[NewEvent]:
    """Return the events; the first one has the model calls of all."""
    return [
        NewEvent(event=event, model_calls=calls if place == 0 else ())
        for place, event in enumerate(events)
    ]


def prepare_or_ask(
    ports: Ports, simulation_id: UUID, agents: Iterable[str], models: Models
) -> None:
    """Form the seed memories of agents that join at tick 0; with remote models, ask for that.

    Runs in the transaction in which the agents join.
    """
    if not is_local(models):
        SimulationRow.objects.filter(pk=simulation_id).update(is_preparing=True)
        wake_scheduler(simulation_id)
        return
    for agent in agents:
        prepare_agent(ports, simulation_id=simulation_id, agent=agent)


def prepare_agent(
    ports: Ports, *, simulation_id: UUID, agent: str, finish: Callable[[], None] = lambda: None
) -> list[Recorded]:
    """Form the seed memories of an agent that joined at tick 0.

    `finish` is called in the transaction of the events. No connection is held while a remote
    model answers.

    :raises AlreadyWritten: if the agent has memories; nothing is written.
    :raises ModelUnavailable: if the model does not answer; nothing is written.
    """
    constants = constants_of(simulation_id, ports.worlds)
    row = agent_queries.get_agent(simulation_id, agent)
    spec = queries.model_of(simulation_id)
    series = CallSeries(can_wait=True)
    llm = open_llm(ports, constants, spec, agent=agent, tick=PREPARATION_TICK, series=series)
    events = seed_memories(llm, row.identity, row.description, spec, constants)
    with transaction.atomic():
        acquire_append_lock(simulation_id)
        queries.model_of(simulation_id)  # raises if the simulation has been deleted
        if not unprepared_agents(simulation_id, agent):
            raise AlreadyWritten(f"{agent} has its seed memories already")
        llm.save()
        written = ports.store.append(
            simulation_id=simulation_id,
            tick=PREPARATION_TICK,
            stream=agent,
            events=events,
            allow_same_tick=True,  # after those of its joining
        )
        finish()
    return written


def unprepared_agents(simulation_id: UUID, agent: str = "") -> list[str]:
    """Return the slugs of the agents that joined at tick 0 and lack their seed memories."""
    rows = _unready([simulation_id]).filter(joined_tick=PREPARATION_TICK)
    if agent:
        rows = rows.filter(agent=agent)
    return list(rows.order_by("agent").values_list("agent", flat=True))


def preparations_of(simulation_ids: Iterable[UUID]) -> dict[UUID, Preparation]:
    """Return how far the preparation of each simulation has come, in one query.

    An agent that joins a running simulation forms its seed memories in its first turn, and is
    counted as not ready until then.
    """
    ids = list(simulation_ids)
    rows = (
        _residents(ids)
        .order_by()
        .values("simulation_id")
        .annotate(agents=Count("pk"), ready=Count("pk", filter=_ready(ids)))
    )
    found = {row["simulation_id"]: Preparation(row["agents"], row["ready"]) for row in rows}
    return {simulation_id: found.get(simulation_id, Preparation()) for simulation_id in ids}


def ensure_prepared(row: SimulationRow, agents: Collection[str]) -> None:
    """Check that agents have the memories that a question to them presupposes.

    :raises SimulationPreparing: if the seed memories of one have not been formed.
    """
    unready = _unready([row.pk]).filter(agent__in=agents).order_by("agent")
    agent = unready.values_list("agent", flat=True).first()
    if agent is None:
        return
    done = preparations_of([row.pk])[row.pk]
    counts = f"{done.ready} of {done.agents} agents are ready"
    if row.is_preparing or row.status != Status.PAUSED:
        raise SimulationPreparing(
            f"the seed memories of {agent} are being formed ({counts}); try again in a moment"
        )
    raise SimulationPreparing(
        f"the seed memories of {agent} have not been formed ({counts}): {row.reason}; "
        "POST …/run forms them"
    )


def _residents(simulation_ids: list[UUID]) -> QuerySet[AgentRow]:
    return AgentRow.objects.filter(simulation_id__in=simulation_ids, left_tick=None)


def _unready(simulation_ids: list[UUID]) -> QuerySet[AgentRow]:
    return _residents(simulation_ids).exclude(_ready(simulation_ids))


def _ready(simulation_ids: list[UUID]) -> Q:
    """Return the condition that an agent has memories, or nothing to form them of."""
    memories = MemoryRow.objects.filter(
        simulation_id__in=simulation_ids,
        simulation_id=OuterRef("simulation_id"),
        agent=OuterRef("agent"),
    )
    return Q(Exists(memories)) | Q(description="")
