"""Reflections of the rule-based model: questions and cited insights from typed memories."""

from apps.reflection.chains.insights import INSIGHTS
from apps.reflection.chains.questions import QUESTIONS
from apps.rule_model.model import TaskRule
from apps.rule_model.reflection.thinking import insights, questions

TASK_RULES: dict[str, TaskRule] = {QUESTIONS.name: questions, INSIGHTS.name: insights}
