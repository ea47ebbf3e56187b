"""The LLM task of interviews: the answer (U1)."""

from apps.interaction.llm_tasks.answer import ANSWER

LLM_TASKS = (ANSWER,)

__all__ = ["ANSWER", "LLM_TASKS"]
