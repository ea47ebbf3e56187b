"""The LLM tasks of reflection: questions and insights (R2)."""

from apps.reflection.llm_tasks.insights import INSIGHTS
from apps.reflection.llm_tasks.questions import QUESTIONS

LLM_TASKS = (QUESTIONS, INSIGHTS)
