"""The LLM tasks that the rule-based model answers, each with its rule."""

from apps.rule_model import (
    dialogue,
    importance,
    interview,
    planning,
    reaction,
    reflection,
    summary,
)
from apps.rule_model.content import Content
from apps.rule_model.model import TaskRule


def task_rules(content: Content) -> dict[str, TaskRule]:
    """Return the rule of each task, with the vocabulary of the worlds."""
    return {
        **importance.TASK_RULES,
        **summary.TASK_RULES,
        **planning.task_rules(content),
        **dialogue.TASK_RULES,
        **reaction.TASK_RULES,
        **reflection.TASK_RULES,
        **interview.TASK_RULES,
    }
