"""What the memory stream asks of the model: how much a memory matters (M3)."""

from apps.memory.llm_tasks.importance import IMPORTANCE

LLM_TASKS = (IMPORTANCE,)
