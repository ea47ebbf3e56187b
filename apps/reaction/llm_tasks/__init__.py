"""What reacting asks of the model: go on, or do something about it."""

from apps.reaction.llm_tasks.decision import DECISION

LLM_TASKS = (DECISION,)

__all__ = ["DECISION", "LLM_TASKS"]
