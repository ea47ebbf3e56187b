"""The stand-in's answers in interviews: rules, not a language model (L4).

A question is known by a few patterns, and its answer is looked for in the sentences given:
memories, summary, the plan of the day. What it is not: it understands nothing, and what none
of its sentences say it does not know.
"""

from apps.interaction.chains.answer import ANSWER
from apps.rule_model.interview.answering import answer
from apps.rule_model.model import TaskRule

TASK_RULES: dict[str, TaskRule] = {ANSWER.name: answer}
