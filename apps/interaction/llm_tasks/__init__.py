"""What an interview asks of the model: one answer (U1)."""

from apps.interaction.llm_tasks.answer import ANSWER

LLM_TASKS = (ANSWER,)

__all__ = ["ANSWER", "LLM_TASKS"]
