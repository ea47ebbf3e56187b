"""What reflection asks of the model: what to think over, and what follows (R2)."""

from apps.reflection.llm_tasks.insights import INSIGHTS
from apps.reflection.llm_tasks.questions import QUESTIONS

LLM_TASKS = (QUESTIONS, INSIGHTS)
