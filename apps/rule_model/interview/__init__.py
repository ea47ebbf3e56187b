"""Interviews of the rule-based model: answers from the typed input, in the first person."""

from apps.interaction.chains.answer import ANSWER
from apps.rule_model.interview.answering import answer
from apps.rule_model.model import TaskRule

TASK_RULES: dict[str, TaskRule] = {ANSWER.name: answer}
"""The rules by LLM task."""
