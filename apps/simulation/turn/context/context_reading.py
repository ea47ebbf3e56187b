"""Read the context of a turn, before its first step; its ports read the rest."""

from collections.abc import Iterable
from functools import cache, partial
from uuid import UUID

from apps.agents import queries as agent_queries
from apps.kernel.words import seed_phrases
from apps.llm.calls.agent_llm import OF_TURNS, AgentLLM, CallSeries
from apps.llm.model_spec import ModelSpec
from apps.llm.opening import open_agent_llm
from apps.memory.facts import sentences_dear_to_agent
from apps.memory.retrieval_session import RetrievalSession
from apps.memory.rules import NEVER_CONDENSED
from apps.simulation import queries
from apps.simulation.embodiment.queries import control_of
from apps.simulation.events import ObservationGiven
from apps.simulation.interventions import Intervention, interventions_at
from apps.simulation.ports import Constants, Ports, constants_of
from apps.simulation.snapshot.perception import Acquainted, InView
from apps.simulation.snapshot.view_reading import Views, read_views
from apps.simulation.turn.context.outcome import Turn
from apps.simulation.turn.context.own_stream import OwnStream


def read_context(
    ports: Ports,
    *,
    simulation_id: UUID,
    agent: str,
    tick: int,
    llm: AgentLLM | None = None,
    constants: Constants | None = None,
) -> Turn:
    """Return the turn of the agent before its first step; change nothing.

    `llm` answers the calls of the turn; without one, it is the model of the simulation. The
    `constants` are by default those of the next ticks.
    """
    constants = constants or constants_of(simulation_id, ports.worlds)
    facts = agent_queries.fixed_facts(simulation_id, agent)
    model = queries.model_of(simulation_id)
    if llm is None:
        llm = open_llm(ports, constants, model, agent=agent, tick=tick)
    agents, objects = agent_queries.last_seen(simulation_id, agent, as_of_tick=tick - 1)
    acquainted = Acquainted(agents=agents, objects=objects)
    interventions = interventions_at(simulation_id, agent, tick)
    control = control_of(simulation_id, agent, tick=tick)
    views = read_views(constants, agent, tick=tick)
    news = views.local.news(acquainted)
    own = OwnStream(constants, facts.identity, tick)
    others = _others(views, news, interventions)
    if constants.world.phones:
        others |= agents.keys()  # any agent that this one knows may be phoned
    records = own.read(
        views.local.own_track.action_at(tick - 1), others=others, control=control
    )
    return Turn(
        constants=constants,
        identity=facts.identity,
        description=seed_phrases(facts.description),
        tick=tick,
        view=views.local,
        utterances=views.utterances,
        conversations=views.conversations,
        records=records,
        acquainted=acquainted,
        news=news,
        model=model,
        llm=llm,
        retrieval=RetrievalSession(
            simulation_id=simulation_id,
            agent=agent,
            as_of_tick=tick - 1,
            llm=llm,
            settings=constants.retrieval,
            calendar=constants.calendar,
            identity=facts.identity,
            unrated=records.unrated,
            lasting=sentences_dear_to_agent(records.facts, constants.calendar, tick),
            condensed_tick=NEVER_CONDENSED
            if records.last_consolidated is None
            else records.last_consolidated,
        ),
        deeds_today=cache(own.deeds_today),
        name_of=partial(agent_queries.name_of_agent, simulation_id),
        home_of=partial(agent_queries.home_of_agent, simulation_id),
        interventions=interventions,
        control=control,
    )


def open_llm(
    ports: Ports,
    constants: Constants,
    model: ModelSpec,
    *,
    agent: str,
    tick: int,
    series: CallSeries = OF_TURNS,
) -> AgentLLM:
    """Return the model of the simulation as the agent uses it in a turn."""
    return open_agent_llm(
        simulation_id=constants.simulation_id,
        tick=tick,
        stream=agent,
        models=ports.open_models(model, constants.seed),
        deferred=True,
        series=series,
    )


def _others(
    views: Views, news: Iterable[InView], interventions: Iterable[Intervention]
) -> frozenset[str]:
    """Return the agents that this turn can concern: in view, talking or talked about."""
    seen = {one.sight.subject for one in news if not one.sight.is_object}
    seen |= {other for _distance, other in views.local.agents_in_view()}
    told = [one.event for one in interventions if isinstance(one.event, ObservationGiven)]
    about = {event.about for event in told} | (views.local.agents_near() if told else set())
    knocking = {knock.agent for knock in views.local.knocks()}
    return views.conversations.interlocutors() | knocking | seen | about
