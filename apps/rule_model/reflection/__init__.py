"""The stand-in's reflections: rules over the statements given, not a language model (L4)."""

from apps.reflection.chains.insights import INSIGHTS
from apps.reflection.chains.questions import QUESTIONS
from apps.rule_model.model import TaskRule
from apps.rule_model.reflection.concluding import insights
from apps.rule_model.reflection.wondering import questions

TASK_RULES: dict[str, TaskRule] = {
    QUESTIONS.name: questions,
    INSIGHTS.name: insights,
}
