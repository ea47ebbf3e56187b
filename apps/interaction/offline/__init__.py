"""The stand-in's answers in interviews: rules, not a language model (L4).

A question is known by a few patterns, and its answer is looked for in the sentences given:
memories, summary, the plan of the day. What it is not: it understands nothing, and what none
of its sentences say it does not know.
"""

from apps.interaction.chains.answer import ANSWER
from apps.interaction.offline.answering import answer
from apps.llm.offline import OfflineAnswer

OFFLINE_ANSWERS: dict[str, OfflineAnswer] = {ANSWER.name: answer}
