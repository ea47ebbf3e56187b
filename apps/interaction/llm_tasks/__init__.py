"""The LLM tasks of interviews: the answer, alone or with a value beside it (U1, E1)."""

from apps.interaction.llm_tasks.answer import ANSWER
from apps.interaction.llm_tasks.typed_answer import CHOICE, NUMBER

LLM_TASKS = (ANSWER, CHOICE, NUMBER)

__all__ = ["ANSWER", "CHOICE", "LLM_TASKS", "NUMBER"]
