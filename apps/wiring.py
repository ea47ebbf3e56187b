"""The only list of events, projections, LLM tasks, kinds of background work and adapters."""

import os
from dataclasses import replace
from functools import cache
from typing import Any

from django.conf import settings

from apps.agents import events as agent_events
from apps.agents.projections import PEOPLE
from apps.archives.imports import IMPORTS
from apps.counterfactuals.commands import COUNTERFACTUALS
from apps.dialogue import events as dialogue_events
from apps.dialogue import llm_tasks as dialogue_llm_tasks
from apps.dialogue.models import CONVERSATIONS
from apps.evaluation.news_searches import llm_tasks as news_llm_tasks
from apps.evaluation.news_searches.commands import NEWS_SEARCHES
from apps.evaluation.news_searches.llm_tasks import NEWS_VERIFICATION
from apps.evaluation.news_searches.verification import verified_by_words
from apps.evaluation.rankings import llm_tasks as ranking_llm_tasks
from apps.evaluation.rankings.commands import RANKINGS
from apps.evaluation.rankings.judging import ranked_by_evidence
from apps.evaluation.rankings.llm_tasks import RANKING, RankingAnswer
from apps.evaluation.surveys.commands import SURVEYS
from apps.eventlog.codec import EventRegistry, Upcaster
from apps.eventlog.event import Event
from apps.eventlog.projection import Projection, Projector
from apps.eventlog.store import EventStore
from apps.experiments.commands import EXPERIMENTS
from apps.interaction import llm_tasks as interaction_llm_tasks
from apps.interaction.commands import INTERVIEWS
from apps.llm.model_spec import ModelSpec
from apps.llm.opening import Models, open_models
from apps.llm.servers.delayed_model import DelayedModel
from apps.memory import events as memory_events
from apps.memory import llm_tasks as memory_llm_tasks
from apps.memory.projections import LASTING_FACTS, MEMORY_STREAM, SELF_SUMMARIES
from apps.planning import events as planning_events
from apps.planning import llm_tasks as planning_llm_tasks
from apps.planning.projections import DAY_PLANS
from apps.reaction import events as reaction_events
from apps.reaction import llm_tasks as reaction_llm_tasks
from apps.reaction.models import REACTIONS
from apps.reflection import events as reflection_events
from apps.reflection import llm_tasks as reflection_llm_tasks
from apps.reflection.models import REFLECTIONS
from apps.replays.commands import REPLAYS
from apps.replays.trials import TRIALS
from apps.rule_model.content import load_content
from apps.rule_model.model import RuleModel, TaskRule
from apps.rule_model.tasks import task_rules
from apps.simulation import events as simulation_events
from apps.simulation.embodiment import events as embodiment_events
from apps.simulation.embodiment.models import EMBODIMENTS
from apps.simulation.ports import Ports
from apps.work.kinds import WorkKind
from apps.world.folders import WorldFolders

EVENTS: tuple[type[Event], ...] = (
    *simulation_events.EVENTS,
    *agent_events.EVENTS,
    *memory_events.EVENTS,
    *planning_events.EVENTS,
    *dialogue_events.EVENTS,
    *reaction_events.EVENTS,
    *reflection_events.EVENTS,
    *embodiment_events.EVENTS,
)

# Conversions of event types that are on old logs and that no code writes any more.
UPCASTERS: tuple[Upcaster, ...] = ()

PROJECTIONS: tuple[Projection, ...] = (
    PEOPLE,
    MEMORY_STREAM,
    SELF_SUMMARIES,
    LASTING_FACTS,
    DAY_PLANS,
    CONVERSATIONS,
    REACTIONS,
    REFLECTIONS,
    EMBODIMENTS,
)

LLM_TASKS = (
    *memory_llm_tasks.LLM_TASKS,
    *planning_llm_tasks.LLM_TASKS,
    *dialogue_llm_tasks.LLM_TASKS,
    *reaction_llm_tasks.LLM_TASKS,
    *reflection_llm_tasks.LLM_TASKS,
    *interaction_llm_tasks.LLM_TASKS,
    *ranking_llm_tasks.LLM_TASKS,
    *news_llm_tasks.LLM_TASKS,
)
LLM_TASK_NAMES = tuple(task.name for task in LLM_TASKS)

WORK_KINDS: dict[str, WorkKind[Any]] = {
    kind.name: kind
    for kind in (
        INTERVIEWS,
        SURVEYS,
        RANKINGS,
        NEWS_SEARCHES,
        REPLAYS,
        TRIALS,
        COUNTERFACTUALS,
        EXPERIMENTS,
        IMPORTS,
    )
}


@cache
def event_store() -> EventStore:
    """Return the log with every event type and every projection."""
    return EventStore(EventRegistry(EVENTS, UPCASTERS), Projector(PROJECTIONS))


@cache
def rules() -> dict[str, TaskRule]:
    """Return the rules of the rule-based model, with the vocabulary of the worlds.

    The rules of the judge and of the verifier stand with the evaluation: they are no part of an
    agent.
    """
    content = load_content(worlds().directories)
    return task_rules(content) | {
        RANKING.name: lambda inputs, _: RankingAnswer(ranks=ranked_by_evidence(inputs)),
        NEWS_VERIFICATION.name: lambda inputs, _: verified_by_words(inputs),
    }


def open_rule_model(seed: int) -> RuleModel:
    """Return the rule-based model, for simulations without a model server (L4)."""
    return RuleModel(rules(), seed=seed)


def models_of(spec: ModelSpec, seed: int) -> Models:
    """Return the chat and embedding models of a simulation."""
    models = open_models(
        spec, seed=seed, open_rule_model=open_rule_model, task_names=LLM_TASK_NAMES
    )
    delay = settings.RULE_MODEL_DELAY_SECONDS_MAX
    if not delay or models.chat.remote:
        return models
    slow = DelayedModel(models.chat, seed=os.getpid(), delay_seconds_max=delay)
    return replace(models, chat=slow)


def worlds() -> WorldFolders:
    """Return the finder of worlds: those of users, and the shipped ones."""
    return WorldFolders(own=settings.WORLDS_ROOT, shipped=settings.SHIPPED_WORLDS)


@cache
def ports() -> Ports:
    """Return the ports of the engine."""
    return Ports(store=event_store(), worlds=worlds(), open_models=models_of)
