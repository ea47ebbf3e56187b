"""The LLM tasks of reflection: questions, insights and consolidations (R2)."""

from apps.reflection.llm_tasks.consolidation import CONSOLIDATION
from apps.reflection.llm_tasks.insights import INSIGHTS
from apps.reflection.llm_tasks.questions import QUESTIONS

LLM_TASKS = (QUESTIONS, INSIGHTS, CONSOLIDATION)
