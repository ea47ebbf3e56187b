"""The LLM task of news searches: a verifier reads memories (E4)."""

from apps.evaluation.news_searches.llm_tasks.news_verification import (
    NEWS_VERIFICATION,
    HoldingMemory,
    NewsExtent,
    NewsVerification,
)

LLM_TASKS = (NEWS_VERIFICATION,)

__all__ = [
    "LLM_TASKS",
    "NEWS_VERIFICATION",
    "HoldingMemory",
    "NewsExtent",
    "NewsVerification",
]
