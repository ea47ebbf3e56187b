"""The LLM tasks that the rule-based model answers, each with its rule."""

from collections.abc import Callable
from functools import partial
from typing import Any

from apps.dialogue.llm_tasks.takeaways import TAKEAWAYS
from apps.dialogue.llm_tasks.utterance import UTTERANCE
from apps.interaction.llm_tasks.answer import ANSWER
from apps.memory.llm_tasks.importance import IMPORTANCE
from apps.memory.summary.llm_tasks import SUMMARIES
from apps.planning import llm_tasks as planning
from apps.reaction.llm_tasks.decision import DECISION
from apps.reflection.llm_tasks.insights import INSIGHTS
from apps.reflection.llm_tasks.questions import QUESTIONS
from apps.rule_model.content import Content
from apps.rule_model.dialogue.takeaways import takeaways
from apps.rule_model.dialogue.utterance import utterance
from apps.rule_model.interview.answering import answer
from apps.rule_model.memory import importance, summaries
from apps.rule_model.model import TaskRule
from apps.rule_model.planning.hour_actions import hour_actions
from apps.rule_model.planning.hours import hourly_plan, revised_hours
from apps.rule_model.planning.outline import day_outline
from apps.rule_model.planning.own_thought import own_thought
from apps.rule_model.reaction.decision import decision
from apps.rule_model.reflection import insights, questions

_RULES: dict[str, TaskRule] = {
    IMPORTANCE.name: importance,
    SUMMARIES.name: summaries,
    UTTERANCE.name: utterance,
    TAKEAWAYS.name: takeaways,
    DECISION.name: decision,
    QUESTIONS.name: questions,
    INSIGHTS.name: insights,
    ANSWER.name: answer,
}
_RULES_WITH_CONTENT: dict[str, Callable[..., Any]] = {
    planning.DAY_OUTLINE.name: day_outline,
    planning.HOURLY_PLAN.name: hourly_plan,
    planning.REVISED_HOURS.name: revised_hours,
    planning.OWN_THOUGHT.name: own_thought,
    planning.HOUR_ACTIONS.name: hour_actions,
}


def task_rules(content: Content) -> dict[str, TaskRule]:
    """Return the rule of each task; those of planning have the vocabulary of the content."""
    bound = {name: partial(rule, content=content) for name, rule in _RULES_WITH_CONTENT.items()}
    return {**_RULES, **bound}
