"""Estimates the model calls of a counterfactual, new and used again, from the parent's log."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Sum

from apps import history
from apps.comparisons.history_comparison import event_parts, texts_in
from apps.counterfactuals.commands import CounterfactualSpec
from apps.history import STREAMS_OF_USERS, AgentUnknown, SimulationRow, Usage
from apps.simulation.commands.agents import REMOVE_AGENT
from apps.simulation.commands.branch_interventions import OBJECT_STATE, BranchIntervention
from apps.simulation.engine.run_estimates import estimate_run
from apps.simulation.ports import Ports


@dataclass(frozen=True, slots=True)
class TurnEvent:
    """What an event of an agent's turn names: its cause, and its data with the ids in it."""

    tick: int
    agent: str
    cause: str
    data: Mapping[str, Any]


def events_after(simulation_id: UUID, *, after_tick: int, until_tick: int) -> list[TurnEvent]:
    """Return the events of all agents in the ticks (after_tick, until_tick], in order."""
    rows = history.events_of(simulation_id, until_tick=until_tick).filter(tick__gt=after_tick)
    of_agents = rows.exclude(stream__in=STREAMS_OF_USERS)
    return [
        TurnEvent(*values)
        for values in of_agents.values_list("tick", "stream", "cause", "data").iterator()
    ]


def reached_agents(
    events: Sequence[TurnEvent],
    *,
    agents: Collection[str],
    objects: Collection[str],
    from_tick: int,
) -> dict[str, int]:
    """Return the agents that can be reached with the first ticks at which they are.

    `agents` and `objects` are those that the interventions are about, from `from_tick` on.
    """
    reached = dict.fromkeys(agents, from_tick)
    touched = dict.fromkeys(objects, from_tick)
    for event in events:
        since = reached.get(event.agent)
        if since is None and _names_reached(event, reached, touched):
            reached[event.agent] = since = event.tick
        if since is not None:
            for thing in _things(event):
                touched.setdefault(thing, event.tick)
    return reached


def _names_reached(
    event: TurnEvent, reached: Mapping[str, int], touched: Mapping[str, int]
) -> bool:
    """Return whether the event names what was reached before its tick."""
    for text in _named(event):
        parts = event_parts(text)
        if parts is not None:
            tick, stream = parts
            if stream in reached and tick >= reached[stream]:
                return True
            continue
        since = reached.get(text, touched.get(text))
        # A turn reads the world as of the end of the tick before.
        if since is not None and since < event.tick:
            return True
    return False


def _named(event: TurnEvent) -> Iterator[str]:
    yield event.cause
    yield from texts_in(event.data)


def _things(event: TurnEvent) -> Iterable[str]:
    """Return the object that the event uses, or whose state it changes."""
    thing = event.data.get("object", "")
    return (thing,) if thing else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachedAgent:
    """An agent that the interventions can reach, and the first tick at which they can."""

    agent: str
    tick: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CallEstimate:
    """The calls that a branch will make, as far as the parent's log shows.

    Up to `log_tick` the calls are those of the parent: `reused` are of agents before they are
    reached, `new` of agents since then. From there to the end there is no log: `later` are the
    calls of the branch and of the parent each, by the parent's calls in a day so far.
    `reuses_answers` is False for a branch that has nothing in common with the requests of its
    parent: another seed, another model, other settings. An agent is reached once a turn of it
    names what a reached agent did: an event, the agent itself in view or in words, or an object
    that it used; `agents` are in that order. In the branch they may meet others, and plan more
    or less than in the parent.
    """

    log_tick: int
    reuses_answers: bool
    agents: tuple[ReachedAgent, ...]
    unreached: tuple[str, ...]
    new: Usage
    reused: Usage
    later: Usage


def estimate_calls(
    ports: Ports, parent: SimulationRow, spec: CounterfactualSpec, tasks: Iterable[str]
) -> CallEstimate:
    """Return what the branch will use, without creating it.

    :param tasks: the names of all LLM tasks, for what lies beyond the log.
    :raises AgentUnknown: if an intervention is about an unknown agent.
    :raises UnknownPlace: if no object has the name.
    """
    at_tick = spec.fork.at_tick
    log_tick = min(spec.until_tick, parent.committed_tick)
    present = [row.agent for row in history.list_agents(parent.pk, as_of_tick=at_tick)]
    removed = {one.agent for one in spec.interventions if one.kind == REMOVE_AGENT}
    is_changed = any(
        change is not None for change in (spec.fork.seed, spec.fork.settings, spec.fork.model)
    )
    reached = reached_agents(
        events_after(parent.pk, after_tick=at_tick, until_tick=log_tick),
        agents=present if is_changed else _agents(present, spec.interventions),
        objects=_objects(ports, parent.pk, spec.interventions),
        from_tick=at_tick + 1,
    )
    new, reused = Usage(), Usage()
    for agent, tick, count in _calls(parent.pk, after_tick=at_tick, until_tick=log_tick):
        if agent in removed:
            continue
        if tick >= reached.get(agent, log_tick + 1):
            new += count
        else:
            reused += count
    return CallEstimate(
        log_tick=log_tick,
        reuses_answers=not is_changed,
        agents=tuple(
            ReachedAgent(agent=agent, tick=tick)
            for agent, tick in sorted(reached.items(), key=lambda one: (one[1], one[0]))
        ),
        unreached=tuple(sorted(set(present) - reached.keys())),
        new=new,
        reused=reused,
        later=_later(parent, spec.until_tick - log_tick, tasks),
    )


def _agents(present: Collection[str], interventions: Iterable[BranchIntervention]) -> set[str]:
    """Return the agents that interventions are about.

    :raises AgentUnknown: if one is not there.
    """
    agents = {one.agent for one in interventions if one.agent}
    for agent in sorted(agents - set(present)):
        raise AgentUnknown(agent, present)
    return agents


def _objects(
    ports: Ports, parent: UUID, interventions: Collection[BranchIntervention]
) -> set[str]:
    names = [one.object for one in interventions if one.kind == OBJECT_STATE]
    if not names:
        return set()
    tree = history.constants_of(parent, ports.worlds).world.tree
    return {tree.resolve(name).path for name in names}


def _calls(
    parent: UUID, *, after_tick: int, until_tick: int
) -> Iterable[tuple[str, int, Usage]]:
    """Yield agents and ticks with the sums of the calls of their turns."""
    rows = history.calls_of_history(parent, until_tick=until_tick).filter(tick__gt=after_tick)
    sums = (
        rows.order_by()
        .values_list("stream", "tick")
        .annotate(Count("id"), Sum("prompt_tokens"), Sum("completion_tokens"), Sum("cost"))
    )
    for agent, tick, calls, prompt, completion, cost in sums:
        count = Usage(
            calls=calls, prompt_tokens=prompt, completion_tokens=completion, cost=cost
        )
        yield agent, tick, count


def _later(parent: SimulationRow, ticks: int, tasks: Iterable[str]) -> Usage:
    """Return what a run of so many ticks beyond the log uses."""
    if ticks <= 0:
        return Usage()
    return estimate_run(parent, ticks, tasks).estimate.total
