"""The LLM task of reaction: go on, or react."""

from apps.reaction.llm_tasks.decision import DECISION

LLM_TASKS = (DECISION,)

__all__ = ["DECISION", "LLM_TASKS"]
