"""The LLM tasks of memory: importance (M3), summaries (S1) and lasting facts (ADR 53)."""

from apps.memory.llm_tasks.facts import FACTS
from apps.memory.llm_tasks.importance import IMPORTANCE
from apps.memory.llm_tasks.summaries import SUMMARIES

LLM_TASKS = (IMPORTANCE, SUMMARIES, FACTS)
