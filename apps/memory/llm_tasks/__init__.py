"""The LLM task of the memory stream: importance (M3)."""

from apps.memory.llm_tasks.importance import IMPORTANCE

LLM_TASKS = (IMPORTANCE,)
