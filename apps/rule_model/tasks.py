"""The LLM tasks that the rule-based model answers, each with its function."""

from collections.abc import Mapping

from apps.rule_model import (
    dialogue,
    importance,
    interview,
    planning,
    reaction,
    reflection,
    summary,
)
from apps.rule_model.model import TaskRule

TASK_RULES: Mapping[str, TaskRule] = {
    **importance.TASK_RULES,
    **summary.TASK_RULES,
    **planning.TASK_RULES,
    **dialogue.TASK_RULES,
    **reaction.TASK_RULES,
    **reflection.TASK_RULES,
    **interview.TASK_RULES,
}
